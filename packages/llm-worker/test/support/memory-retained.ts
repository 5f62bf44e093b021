// A process of its own for memory.test.ts, with --expose-gc: prints, as JSON, the bytes that each subject keeps alive.
import { setImmediate as nextTick } from "node:timers/promises";
import { PARENTS, WARM_UP_TEXTS } from "./memory-parents.js";
import { KEEPS_A_SLICE, SUBJECTS, type Subject } from "./memory-subjects.js";

const WARM_UP_CALLS = 50_000;
const SAMPLES = 3;

const held = new Set<unknown>();
const subjects = Object.entries({ ...SUBJECTS, "a slice, kept as it is": KEEPS_A_SLICE });
await warmUp();
const retained: [string, number][] = [];
for (const [name, subject] of subjects) {
  for (const [parent, make] of Object.entries(PARENTS)) {
    retained.push([`${name} (${parent})`, await medianRetained(subject, make)]);
  }
}
process.stdout.write(JSON.stringify(retained));

async function warmUp(): Promise<void> {
  for (let call = 0; call < WARM_UP_CALLS; call++) {
    const [, subject] = subjects[call % subjects.length] ?? [];
    await subject?.(WARM_UP_TEXTS[call % WARM_UP_TEXTS.length] ?? "");
  }
}

async function medianRetained(subject: Subject, make: () => string): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const before = await usedBytes();
    await hold(subject, make);
    samples.push((await usedBytes()) - before);
    held.clear();
  }
  return samples.toSorted((left, right) => left - right)[Math.floor(SAMPLES / 2)] ?? Number.NaN;
}

// A function of its own, and a set that outlives it: of a variable, the compiler may see that nobody reads it again, and
// of a finished sample something may stay in the frame.
async function hold(subject: Subject, make: () => string): Promise<void> {
  held.add(await subject(make()));
}

async function usedBytes(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error("memory cannot be measured without gc. Start node with --expose-gc");
  await nextTick();
  for (let round = 0; round < 2; round++) globalThis.gc();
  // Strings over 1 MB that come from Buffer.toString are external to the heap.
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
