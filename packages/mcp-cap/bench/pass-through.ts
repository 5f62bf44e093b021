import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// What the command costs: the same made server, talked to directly, through a process that only passes bytes on, and through the
// command. They alternate, so that a slow moment of the machine falls on all; medians, and their ratios, in one run. Then answers
// near the ceiling, which the command reads and cuts, and its memory.
const isSmoke = process.argv.includes("--smoke");
const ROUNDS = isSmoke ? 1 : 9;
const CALLS = isSmoke ? 20 : 2_000;
const TALKED_BYTES = isSmoke ? 1e6 : 1e8;
const LARGE_BYTES = isSmoke ? 1e6 : 6e7;
const LARGE_ROUNDS = isSmoke ? 1 : 3;

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const server = [process.execPath, path("made-server.mjs")];
const command = [
  process.execPath,
  "--import",
  "tsx",
  "--conditions=@pod/source",
  path("../bin/mcp-cap.js"),
  "--",
  ...server,
];

const pipe = [process.execPath, path("plain-pipe.mjs"), ...server];

const DONE = '"method":"done"}\n';

/** A client that asks one thing at a time. */
class Asker {
  readonly child: ChildProcessWithoutNullStreams;

  constructor([program = "", ...args]: readonly string[]) {
    this.child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  }

  /** Resolves to the bytes that came. */
  ask(id: number, params: object): Promise<number> {
    let bytes = 0;
    let tail = "";
    return new Promise((resolve) => {
      const listen = (chunk: Buffer) => {
        bytes += chunk.length;
        tail = (tail + chunk.toString("latin1", Math.max(0, chunk.length - DONE.length))).slice(-DONE.length);
        if (tail !== DONE) return;
        this.child.stdout.off("data", listen);
        resolve(bytes);
      };
      this.child.stdout.on("data", listen);
      this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
    });
  }
}

const askers = [server, pipe, command].map((commandLine) => new Asker(commandLine));

async function compare(what: string, rounds: number, work: (asker: Asker) => Promise<unknown>): Promise<void> {
  const times = askers.map((): number[] => []);
  for (const asker of askers) await work(asker);
  for (let round = 0; round < rounds; round++) {
    for (const [index, asker] of askers.entries()) {
      const start = performance.now();
      await work(asker);
      times[index]?.push(performance.now() - start);
    }
  }
  const [direct = 0, piped = 0, capped = 0] = times.map(median);
  const columns = [direct, piped, capped].map((ms) => `${ms.toFixed(0)} ms`.padStart(9));
  const ratios = [capped / direct, capped / piped].map((ratio) => ratio.toFixed(2).padStart(7));
  console.log(`  ${what.padEnd(44)}${[...columns, ...ratios].join("")}`);
}

console.log(`directly, through a plain pipe, and through the command; its ratios to both; medians of ${ROUNDS} rounds`);
await compare(`${CALLS} calls of 1 KB, one after the other`, ROUNDS, async (asker) => {
  for (let id = 0; id < CALLS; id++) await asker.ask(id, { name: "text", bytes: 1_000 });
});
for (const lineBytes of [1_000, 1_000_000]) {
  await compare(`${TALKED_BYTES / 1e6} MB that pass, in lines of ${lineBytes} bytes`, ROUNDS, (asker) =>
    asker.ask(1, { name: "talk", bytes: TALKED_BYTES, lineBytes }),
  );
}
for (const name of ["text", "rows"]) {
  const sizes = new Set<number>();
  await compare(`an answer of ${LARGE_BYTES / 1e6} MB of ${name}`, LARGE_ROUNDS, async (asker) => {
    sizes.add(await asker.ask(1, { name, bytes: LARGE_BYTES }));
  });
  console.log(`    ${[...sizes].join(" bytes, capped ")} bytes; the command has had ${askers.map(readPeak).at(-1)}`);
}
for (const { child } of askers) child.stdin.end();

/** The most memory that the command has had, where the system tells. */
function readPeak({ child }: Asker): string {
  if (process.platform !== "linux") return "memory unknown";
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
  return `at most ${(Number(kilobytes) / 1_024).toFixed(0)} MiB of memory`;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
