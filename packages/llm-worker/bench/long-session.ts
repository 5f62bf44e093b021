import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message } from "@pod/llm-worker";
import { type SteppedSession, startSteppedSession } from "./stepped-session.js";

// What a turn costs late in a long session with a log, and what it costs at turn 100: time, and heap against what a plain
// copy of the history takes. A request holds a list of all messages, which grows with the session; so the young session is
// also timed beside a list of that size. Old and young take turns, so that a slow moment of the machine falls on both;
// medians, and their ratios, in one run.
const isSmoke = process.argv.includes("--smoke");
const TURNS = isSmoke ? 400 : 10_000;
const YOUNG_TURNS = 100;
const [BLOCKS, BLOCK_TURNS] = isSmoke ? [2, 10] : [20, 50];

const directory = await mkdtemp(join(tmpdir(), "pod-long-session-"));
try {
  const old = await startSteppedSession(join(directory, "old.jsonl"));
  await advance(old, YOUNG_TURNS * 2);
  const heapBefore = heapBytes();
  const turns = TURNS - YOUNG_TURNS * 2;
  await advance(old, turns);
  const heapGrowth = (heapBytes() - heapBefore) / turns;
  const copyBytes = measureCopy(old.messages()) / TURNS;

  const timings: Timings = { young: [], youngWithList: [], old: [] };
  for (let block = 0; block < BLOCKS; block++) {
    const young = await startSteppedSession(join(directory, `young-${block}.jsonl`));
    await advance(young, YOUNG_TURNS);
    for (let turn = 0; turn < BLOCK_TURNS; turn++) timings.young.push(await young.step());
    for (let turn = 0; turn < BLOCK_TURNS; turn++) {
      timings.youngWithList.push(timeList(old.messages()) + (await young.step()));
    }
    for (let turn = 0; turn < BLOCK_TURNS; turn++) timings.old.push(await old.step());
    await young.end();
  }
  const { length } = await old.end();
  const expected = 2 * (TURNS + BLOCKS * BLOCK_TURNS) + 2;
  if (length !== expected) throw new Error(`expected ${expected} messages, received ${length}`);
  report(timings);
  const bytes = `heap ${Math.round(heapGrowth)} bytes a turn, a plain copy of the history ${Math.round(copyBytes)}`;
  console.log(`  ${bytes}: ratio ${(heapGrowth / copyBytes).toFixed(2)}`);
} finally {
  await rm(directory, { recursive: true });
}

/** Milliseconds of each turn. */
interface Timings {
  readonly young: number[];
  /** Beside a list of as many messages as the old session has. */
  readonly youngWithList: number[];
  readonly old: number[];
}

function report({ young, youngWithList, old }: Timings): void {
  const [youngMs, withListMs, oldMs] = [median(young), median(youngWithList), median(old)];
  console.log(`a session with a log in a file, one call of 300 bytes a turn, medians of ${old.length} turns`);
  console.log(
    `  turn ${YOUNG_TURNS}: ${micros(youngMs)}, ${micros(withListMs)} with a list of ${TURNS} turns' messages`,
  );
  console.log(
    `  turn ${TURNS}: ${micros(oldMs)}, ratio ${(oldMs / youngMs).toFixed(2)} and ${(oldMs / withListMs).toFixed(2)}`,
  );
}

function micros(ms: number): string {
  return `${(ms * 1_000).toFixed(0)} us`;
}

async function advance(session: SteppedSession, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await session.step();
}

/** Bytes of heap that a plain copy of a history takes, as it is read from JSON. */
function measureCopy(history: readonly Message[]): number {
  const text = JSON.stringify(history);
  const before = heapBytes();
  const copy: readonly Message[] = JSON.parse(text);
  const bytes = heapBytes() - before;
  if (copy.length !== history.length) throw new Error("the copy is no copy");
  return bytes;
}

function heapBytes(): number {
  if (globalThis.gc === undefined) throw new Error("Write: node --expose-gc");
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function timeList(messages: readonly Message[]): number {
  const start = performance.now();
  const list = Object.freeze([...messages]);
  const elapsed = performance.now() - start;
  if (list.length !== messages.length) throw new Error("the list is no copy");
  return elapsed;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
