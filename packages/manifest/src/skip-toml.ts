// The text is one that the parser has accepted, so nothing is checked again. In another text these functions find what
// they find, and end: each goes forward or to the end of the text.

/** The offset after blanks, line breaks and comments. */
export function skipBlank(toml: string, start: number): number {
  let at = start;
  while (at < toml.length) {
    if (toml[at] === "#") at = endOf(toml, "\n", at);
    else if (!isBlank(toml[at])) break;
    else at += 1;
  }
  return at;
}

/** The offset after a value, which may be an array or an inline table. */
export function skipValue(toml: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < toml.length) {
    const character = toml[at] ?? "";
    if (depth === 0 && at > start && (isBlank(character) || ",]}#".includes(character))) return at;
    if (character === '"' || character === "'") at = skipString(toml, at);
    else if (character === "#") at = endOf(toml, "\n", at);
    else {
      if (character === "[" || character === "{") depth += 1;
      if (character === "]" || character === "}") depth -= 1;
      at += 1;
    }
  }
  return at;
}

/** The offset after a quoted text: basic or literal, on one line or several. */
export function skipString(toml: string, start: number): number {
  const quote = toml[start] ?? "";
  const fence = toml.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  let at = start + fence.length;
  while (at < toml.length && !toml.startsWith(fence, at)) at += quote === '"' && toml[at] === "\\" ? 2 : 1;
  at += fence.length;
  // Up to two quotes before the closing three belong to the text.
  while (fence.length === 3 && toml[at] === quote) at += 1;
  return at;
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t" || character === "\n" || character === "\r";
}

function endOf(toml: string, mark: string, start: number): number {
  const found = toml.indexOf(mark, start);
  return found === -1 ? toml.length : found;
}
