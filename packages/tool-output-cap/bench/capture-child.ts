// C13: what it costs to capture 1 GB from a child process, over reading the same stream and throwing it away.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "vite";
import { describeLoad, describeMachine } from "./describe-machine.js";
import { median } from "./timings.js";

/** One way to read, by its medians. */
export interface CaptureRow {
  readonly kind: string;
  readonly mode: string;
  readonly cpuMillis: number;
  readonly peakBytes: number;
  /** Over reading and throwing away. */
  readonly cpuRatio: number;
  readonly extraPeakBytes: number;
}

interface Drained {
  readonly originalBytes: number;
  readonly cpuMillis: number;
  readonly peakBytes: number;
}

const MODES = ["thrown away", "head", "tail", "ends"];
const KINDS = ["ASCII", "Japanese"];

/** Reads `megabytes` from a child in each way, alternating, `rounds` times; each time in a process of its own. */
export async function measureCapture(megabytes: number, rounds: number): Promise<readonly CaptureRow[]> {
  const directory = mkdtempSync(join(tmpdir(), "pod-bench-"));
  try {
    const script = await bundle(directory);
    const drained = new Map<string, Drained[]>();
    for (let round = 0; round < rounds; round++) {
      for (const kind of KINDS) {
        for (const mode of MODES) {
          const { stdout } = await promisify(execFile)(process.execPath, [script, mode, kind, String(megabytes)]);
          const one: Drained = JSON.parse(stdout);
          // Whole lines only.
          if (Math.round(one.originalBytes / 1_000) !== megabytes * 1_000) {
            throw new Error(`${kind}, ${mode}: expected ${megabytes} MB, received ${one.originalBytes} bytes`);
          }
          drained.set(`${kind} ${mode}`, [...(drained.get(`${kind} ${mode}`) ?? []), one]);
        }
      }
    }
    return KINDS.flatMap((kind) => MODES.map((mode) => summarise(drained, kind, mode)));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

export function formatCaptureTable(rows: readonly CaptureRow[]): string {
  const lines = rows.map(({ kind, mode, cpuMillis, peakBytes, cpuRatio, extraPeakBytes }) => {
    const cells = [
      kind,
      mode,
      Math.round(cpuMillis),
      cpuRatio.toFixed(2),
      inMegabytes(peakBytes),
      inMegabytes(extraPeakBytes),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| text | what is done with it | CPU ms | CPU ratio | peak MB | more than thrown away, MB |",
    "| --- | --- | ---: | ---: | ---: | ---: |",
    ...lines,
  ].join("\n");
}

/** The bounds of issue D that are missed: 8 MB more at the peak, and 1.5 times the CPU for ASCII. */
export function findMissedCaptures(rows: readonly CaptureRow[]): readonly string[] {
  return rows.flatMap(({ kind, mode, cpuRatio, extraPeakBytes }) => {
    const missed: string[] = [];
    if (extraPeakBytes > 8_000_000) missed.push(`${kind}, ${mode}: ${inMegabytes(extraPeakBytes)} MB more, at most 8`);
    if (kind === "ASCII" && cpuRatio > 1.5)
      missed.push(`${kind}, ${mode}: ${cpuRatio.toFixed(2)} times the CPU, at most 1.5`);
    return missed;
  });
}

function summarise(drained: ReadonlyMap<string, readonly Drained[]>, kind: string, mode: string): CaptureRow {
  const medianOf = (name: string, key: "cpuMillis" | "peakBytes") =>
    median((drained.get(`${kind} ${name}`) ?? []).map((one) => one[key]));
  const [cpuMillis, peakBytes] = [medianOf(mode, "cpuMillis"), medianOf(mode, "peakBytes")];
  return {
    kind,
    mode,
    cpuMillis,
    peakBytes,
    cpuRatio: cpuMillis / medianOf("thrown away", "cpuMillis"),
    extraPeakBytes: peakBytes - medianOf("thrown away", "peakBytes"),
  };
}

function inMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

/** Plain JavaScript: a loader for TypeScript would have a higher peak than the reading. */
async function bundle(directory: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: "silent",
    ssr: { resolve: { conditions: ["@pod/source", "node"] } },
    build: {
      ssr: new URL("./drain-child.ts", import.meta.url).pathname,
      outDir: directory,
      rollupOptions: { output: { entryFileNames: "drain-child.mjs" } },
    },
  });
  return join(directory, "drain-child.mjs");
}

async function main(isSmoke: boolean): Promise<void> {
  console.log(`C13: ${isSmoke ? "20 MB" : "1 GB"} from a child process, ${isSmoke ? "once" : "medians of 5"}`);
  console.log(`${describeMachine()}\nload average before: ${describeLoad()}\n`);
  const rows = await measureCapture(isSmoke ? 20 : 1_000, isSmoke ? 1 : 5);
  console.log(formatCaptureTable(rows));
  const missed = isSmoke ? [] : findMissedCaptures(rows);
  for (const line of missed) console.log(`missed: ${line}`);
  if (missed.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv.includes("--smoke"));
