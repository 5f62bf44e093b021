const BYTES = 10_000_000;

/** Ways to come by a text that takes 10 MB of memory: what V8 keeps of it, and where, differs for each. */
export const PARENTS: Readonly<Record<string, () => string>> = {
  "one-byte, by concatenation": () => concatenate("é", BYTES),
  "two-byte, by concatenation": () => concatenate("語", BYTES / 2),
  "one-byte, by Buffer.toString": () => Buffer.alloc(BYTES, "a line of text\n").toString("latin1"),
  "two-byte, by Buffer.toString": () => Buffer.alloc(BYTES, "a line of 語\n", "utf16le").toString("utf16le"),
};

/** Texts of each width, over the limit, to make the code hot with. */
export const WARM_UP_TEXTS: readonly string[] = ["a", "é", "語", "😀"].map((character) => character.repeat(20_000));

function concatenate(character: string, units: number): string {
  const line = character.repeat(500);
  let text = "";
  while (text.length < units) text += `${line}${text.length}\n`;
  return text;
}
