// As of other text: what a terminal obeys or no reader sees. Line breaks are the layout's; those of a text are escaped.
const UNPRINTABLE = /(?![ \n])[\p{C}\p{Z}]/gu;

/** Data as JSON in lines, safe for a terminal: the same data, with escapes for what cannot be printed. */
export function formatJson(data: object): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const json = JSON.stringify(data, undefined, 2).replace(UNPRINTABLE, (character) =>
    character.split("").map(escapeUnit).join(""),
  );
  return `${json}\n`;
}
