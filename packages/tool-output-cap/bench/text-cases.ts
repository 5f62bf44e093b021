/** A text that is measured: of one kind, in one size, as one flat string or as what `+=` makes of chunks. */
export interface TextCase {
  readonly kind: string;
  readonly size: string;
  readonly form: "flat" | "concatenated";
  /** UTF-8 bytes. */
  readonly bytes: number;
  /** What a call gets. A concatenated string is a new one each time, because the first look at one flattens it. */
  make(): string;
}

/** UTF-8 bytes. The second and the third stand just within and just above the limit. */
const SIZES: Readonly<Record<string, number>> = {
  "1 KB": 1_000,
  "16,384 B": 16_384,
  "16,385 B": 16_385,
  "125 KB": 125_000,
  "10 MB": 10_000_000,
};

/** What the texts are made of. */
const KINDS: Readonly<Record<string, string>> = {
  ASCII: "packages/tool-output-cap/src/cap-text.ts\n",
  "Latin-1": "Überprüfung der Größe: café, naïve.\n",
  Japanese: "関数がモデルの結果を返しました。\n",
  emoji: "😀🚀👍🎉",
  "one emoji": "a line of ASCII text\n",
};

/**
 * Every kind in every size, flat and concatenated. Of the command line, `--large` adds a size, and `--smoke` is content with
 * two small ones of two kinds.
 */
export function makeTextCases(args: readonly string[]): readonly TextCase[] {
  if (args.includes("--smoke")) return makeCases(["ASCII", "one emoji"], { "1 KB": 1_000, "16,385 B": 16_385 });
  return makeCases(Object.keys(KINDS), args.includes("--large") ? { ...SIZES, "200 MB": 200_000_000 } : SIZES);
}

function makeCases(kinds: readonly string[], sizes: Readonly<Record<string, number>>): readonly TextCase[] {
  return kinds.flatMap((kind) =>
    Object.entries(sizes).flatMap(([size, bytes]): readonly TextCase[] => {
      const text = makeFlatText(kind, bytes);
      const chunks = splitFlat(text);
      const told = { kind, size, bytes: Buffer.byteLength(text) };
      const concatenate = () => chunks.reduce((left, right) => left + right);
      return [
        { ...told, form: "flat", make: () => text },
        { ...told, form: "concatenated", make: concatenate },
      ];
    }),
  );
}

function makeFlatText(kind: string, bytes: number): string {
  const unit = KINDS[kind] ?? "";
  // One emoji makes the whole string a two-byte one.
  const middle = kind === "one emoji" ? "🚀" : "";
  const repeated = repeatTo(unit, bytes - Buffer.byteLength(middle));
  const half = Math.floor(repeated.length / 2);
  return flatten(repeated.slice(0, half) + middle + repeated.slice(half));
}

/** Of exactly `bytes`: ASCII fills what the last whole unit leaves. */
function repeatTo(unit: string, bytes: number): string {
  const unitBytes = Buffer.byteLength(unit);
  return unit.repeat(Math.floor(bytes / unitBytes)) + "-".repeat(bytes % unitBytes);
}

/** Chunks as a pipe gives them, two at least, each flat: a slice would keep the whole text. */
function splitFlat(text: string): readonly string[] {
  const chunkUnits = Math.min(8_192, Math.ceil(text.length / 2));
  const count = Math.ceil(text.length / chunkUnits);
  return Array.from({ length: count }, (_, index) => flatten(text.slice(index * chunkUnits, (index + 1) * chunkUnits)));
}

/** As a string from a file or a socket is: in one piece, of the kind's own width. */
function flatten(text: string): string {
  const encoding = /[^\0-\xff]/.test(text) ? "utf16le" : "latin1";
  return Buffer.from(text, encoding).toString(encoding);
}
