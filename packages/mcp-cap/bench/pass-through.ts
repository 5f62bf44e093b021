import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// What the command costs: the same made server, talked to through it and directly. The two alternate, so that a slow moment of
// the machine falls on both; medians, and their ratio, in one run. Then the memory of answers near the ceiling.
const isSmoke = process.argv.includes("--smoke");
const ROUNDS = isSmoke ? 1 : 9;
const CALLS = isSmoke ? 20 : 2_000;
const TALKED_BYTES = isSmoke ? 1e6 : 1e8;
const LARGE_BYTES = isSmoke ? 1e6 : 6e7;

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

const direct = new Asker(server);
const through = new Asker(command);
const askers = [direct, through];

async function compare(what: string, work: (asker: Asker) => Promise<unknown>): Promise<void> {
  const times: [direct: number[], through: number[]] = [[], []];
  for (const asker of askers) await work(asker);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, asker] of askers.entries()) {
      const start = performance.now();
      await work(asker);
      times[index]?.push(performance.now() - start);
    }
  }
  const [alone, capped] = [median(times[0]), median(times[1])];
  console.log(
    `  ${what.padEnd(44)} ${alone.toFixed(0).padStart(6)} ms ${capped.toFixed(0).padStart(6)} ms  ratio ${(capped / alone).toFixed(2)}`,
  );
}

console.log(`without the command, and with it; medians of ${ROUNDS} rounds`);
await compare(`${CALLS} calls of 1 KB, one after the other`, async (asker) => {
  for (let id = 0; id < CALLS; id++) await asker.ask(id, { name: "text", bytes: 1_000 });
});
for (const lineBytes of [1_000, 1_000_000]) {
  await compare(`${TALKED_BYTES / 1e6} MB that pass, in lines of ${lineBytes} bytes`, (asker) =>
    asker.ask(1, { name: "talk", bytes: TALKED_BYTES, lineBytes }),
  );
}
for (const name of ["text", "rows"]) {
  const asker = new Asker(command);
  const start = performance.now();
  const bytes = await asker.ask(1, { name, bytes: LARGE_BYTES });
  const elapsed = performance.now() - start;
  console.log(
    `  an answer of ${LARGE_BYTES / 1e6} MB of ${name}: ${bytes} bytes go on, ${elapsed.toFixed(0)} ms, ${readPeak(asker)}`,
  );
  asker.child.stdin.end();
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
