import { createUsageCounter } from "@pod/token-counter";
import { createBpeCounter } from "@pod/token-counter/bpe";

// K5: the time of a count goes with the bytes, on the texts that a tokenizer alone takes too long for. Medians of a few
// counts, in one run; what is to be read is the growth of a column, where ten times the bytes should take ten times the time.
const isSmoke = process.argv.includes("--smoke");
const SIZES = isSmoke ? [10_000] : [10_000, 100_000, 1_000_000, 10_000_000];
const ROUNDS = isSmoke ? 1 : 3;

const random = createRandom();
const letters = "abcdefghijklmnopqrstuvwxyz";
const base64 = `${letters}${letters.toUpperCase()}0123456789+/`;
const texts: Readonly<Record<string, (bytes: number) => string>> = {
  underscores: (bytes) => "_".repeat(bytes),
  "one word": (bytes) => draw(letters, bytes),
  base64: (bytes) => draw(base64, bytes),
  spaces: (bytes) => " ".repeat(bytes),
};
const counters = { usage: createUsageCounter(), bpe: await createBpeCounter("o200k_base") };

console.log(`| text | counter | ${SIZES.map((bytes) => `${bytes / 1_000} KB`).join(" | ")} |`);
console.log(`| --- | --- |${" ---: |".repeat(SIZES.length)}`);
for (const [name, make] of Object.entries(texts)) {
  for (const [counter, { count }] of Object.entries(counters)) {
    const cells = SIZES.map((bytes) => {
      const text = make(bytes);
      return format(medianMs(() => count(text)));
    });
    console.log(`| ${name} | ${counter} | ${cells.join(" | ")} |`);
  }
}

function medianMs(run: () => unknown): number {
  run();
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

function format(ms: number): string {
  return `${ms < 10 ? ms.toPrecision(2) : Math.round(ms).toLocaleString("en")} ms`;
}

function draw(alphabet: string, bytes: number): string {
  return Array.from({ length: bytes }, () => alphabet[random(alphabet.length)]).join("");
}

function createRandom(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
