// C12 and DESIGN section 10: what capText costs, as a ratio to the least that any cap of its kind must do.
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { capText } from "../src/index.js";
import { EXACT_VALUES } from "../test/exact-values.js";

const limit = { maxBytes: 16_384 };

/** One row: `capText` against its floor, in microseconds a call. */
export interface CapTextCase {
  readonly text: string;
  readonly kind: string;
  readonly bytes: number;
  readonly floorMicros: number;
  readonly capMicros: number;
  readonly ratio: number;
  /** What the design allows, where it says so (Node 20). */
  readonly gate?: number;
}

const KINDS: Readonly<Record<string, { readonly unit: string; readonly gates?: Readonly<Record<string, number>> }>> = {
  ASCII: { unit: "packages/tool-output-cap/src/cap-text.ts\n", gates: { "1 KB": 1.5, "125 KB": 2, "10 MB": 1.5 } },
  "Latin-1": { unit: "Überprüfung der Größe: café, naïve.\n", gates: { "1 KB": 1.5, "125 KB": 5, "10 MB": 1.5 } },
  Japanese: { unit: "関数がモデルの結果を返しました。\n", gates: { "1 KB": 1.5, "125 KB": 1.8, "10 MB": 1.5 } },
  emoji: { unit: "😀🚀👍🎉", gates: { "1 KB": 1.5, "125 KB": 1.8, "10 MB": 1.5 } },
  "one emoji": { unit: "a line of ASCII text\n", gates: { "1 KB": 1.5, "125 KB": 1.8, "10 MB": 1.5 } },
};
const SIZES: Readonly<Record<string, number>> = {
  "1 KB": 1_000,
  "16 KiB": 16_384,
  "125 KB": 125_000,
  "10 MB": 10_000_000,
};

/** Measures every kind at every size; `rounds` of alternating batches, of which the median counts. */
export function benchCapText(rounds: number): readonly CapTextCase[] {
  return Object.entries(KINDS).flatMap(([kind, { unit, gates = {} }]) =>
    Object.entries(SIZES).map(([size, bytes]) => {
      const text = makeText(kind, unit, bytes);
      const gate = gates[size];
      return { kind, text: size, bytes: Buffer.byteLength(text), ...measure(text, rounds), ...(gate && { gate }) };
    }),
  );
}

/** The exact values of DESIGN section 4 that come out wrong: a fast cap that is wrong is no cap. */
export function findWrongValues(): readonly string[] {
  return EXACT_VALUES.flatMap(([originalBytes, maxBytes, keptBytes, droppedBytes]) => {
    const { text, truncation } = capText("a".repeat(originalBytes), { maxBytes });
    const right =
      truncation?.keptBytes === keptBytes && truncation.droppedBytes === droppedBytes && text.length === maxBytes;
    return right ? [] : [`${originalBytes} bytes at a limit of ${maxBytes}: ${JSON.stringify(truncation)}`];
  });
}

function measure(text: string, rounds: number): Pick<CapTextCase, "floorMicros" | "capMicros" | "ratio"> {
  const cap = () => capText(text, limit).text.length;
  const { keptUnits, suffix } = keptPart(text);
  // Under the limit nothing is copied, so the floor is the count alone.
  const floor =
    suffix === undefined
      ? () => Buffer.byteLength(text)
      : () => Buffer.byteLength(text) + [text.slice(0, keptUnits), suffix].join("").length;
  const calls = Math.max(1, Math.ceil(2_000_000 / Math.max(text.length, 2_000)));
  const floors: number[] = [];
  const caps: number[] = [];
  const ratios: number[] = [];
  for (let round = -3; round < rounds; round++) {
    const floorMicros = timeCalls(floor, calls);
    const capMicros = timeCalls(cap, calls);
    if (round < 0) continue;
    floors.push(floorMicros);
    caps.push(capMicros);
    ratios.push(capMicros / floorMicros);
  }
  return { floorMicros: median(floors), capMicros: median(caps), ratio: median(ratios) };
}

function keptPart(text: string): { readonly keptUnits: number; readonly suffix?: string } {
  const { text: cut, truncation } = capText(text, limit);
  if (truncation === undefined) return { keptUnits: text.length };
  const keptUnits = cut.lastIndexOf("\n\n");
  return { keptUnits, suffix: cut.slice(keptUnits) };
}

// A sum that is looked at, so that no call can be left out.
let checksum = 0;

function timeCalls(call: () => number, calls: number): number {
  const start = performance.now();
  for (let done = 0; done < calls; done++) checksum += call();
  return ((performance.now() - start) * 1_000) / calls;
}

/** Flat, as a string from a file or a socket is, and of the kind's own width. */
function makeText(kind: string, unit: string, bytes: number): string {
  const count = Math.max(1, Math.floor(bytes / Buffer.byteLength(unit)));
  const text = unit.repeat(count);
  const middle = Math.floor(text.length / 2);
  const whole = kind === "one emoji" ? `${text.slice(0, middle)}🚀${text.slice(middle)}` : text;
  const encoding = kind === "ASCII" || kind === "Latin-1" ? "latin1" : "utf16le";
  return Buffer.from(whole, encoding).toString(encoding);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function formatRow({ kind, text, floorMicros, capMicros, ratio, gate }: CapTextCase): string {
  const aim = gate === undefined ? "" : `at most ${gate.toFixed(1)}`;
  return [
    kind.padEnd(10),
    text.padStart(7),
    floorMicros.toFixed(2).padStart(10),
    capMicros.toFixed(2).padStart(10),
    `${ratio.toFixed(2)} x`.padStart(8),
    aim,
  ].join("  ");
}

function main(args: readonly string[]): void {
  const wrong = findWrongValues();
  const rows = benchCapText(args.includes("--smoke") ? 3 : 41);
  process.stdout.write(
    `C12: capText at ${limit.maxBytes} bytes against Buffer.byteLength and one joined copy, µs a call\n`,
  );
  process.stdout.write("kind           text       floor     capText     ratio\n");
  for (const row of rows) process.stdout.write(`${formatRow(row)}\n`);
  for (const line of wrong) process.stderr.write(`wrong: ${line}\n`);
  if (wrong.length > 0 || !Number.isFinite(checksum)) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv.slice(2));
