const MAX_SHOWN_CHARACTERS = 80;
const BARE_KEY = /^[A-Za-z0-9_-]{1,80}$/;

// Controls, ANSI escapes, bidi overrides, zero-width characters, lone surrogates: what a terminal obeys or no reader sees.
const UNPRINTABLE = /(?! )[\p{C}\p{Z}]/gu;

/** Keys as one dotted path, as TOML writes it. */
export function quotePath(keys: readonly string[]): string {
  return keys.map(quoteKey).join(".");
}

/** A key as TOML writes it: bare where it can be, else quoted. */
export function quoteKey(key: string): string {
  return BARE_KEY.test(key) ? key : quoteText(key);
}

/** Text as a TOML basic string: one line, printable, at most 80 characters with its quotes, cut with an ellipsis. */
export function quoteText(text: string): string {
  const maxCharacters = MAX_SHOWN_CHARACTERS - '"…"'.length;
  let shown = "";
  for (const character of text) {
    const escaped = character === '"' || character === "\\" ? `\\${character}` : escapeUnprintable(character);
    if (shown.length + escaped.length > maxCharacters) return `"${shown}…"`;
    shown += escaped;
  }
  return `"${shown}"`;
}

/** The same text with every character that cannot be printed as a Unicode escape. */
export function escapeUnprintable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return hex.length <= 4 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
  });
}
