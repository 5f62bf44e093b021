/** Characters of a name that are shown. */
const MAX_SHOWN = 60;

/** A name as a terminal may see it: it comes from outside, and nothing in it is obeyed. */
export function printName(name: string): string {
  const printable = name
    .slice(0, MAX_SHOWN)
    .replace(/(?! )[\p{C}\p{Z}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return name.length <= MAX_SHOWN ? printable : `${printable}…`;
}
