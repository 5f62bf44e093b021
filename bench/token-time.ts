import { createUsageCounter } from "@pod/token-counter";
import { createBpeCounter } from "@pod/token-counter/bpe";
import { capText, type TokenCounter } from "@pod/tool-output-cap";

// K5: the time of a count goes with the bytes, on the texts that a tokenizer alone takes too long for; and a cap at 5,000 tokens
// takes no longer for a larger text. What is to be read is the growth of a row, where ten times the bytes should take ten times
// the time. Each text is a new one, so that nothing of it is remembered.
const isSmoke = process.argv.includes("--smoke");
const SIZES = isSmoke ? [10_000] : [10_000, 100_000, 1_000_000, 10_000_000];
const ROUNDS = isSmoke ? 1 : 5;
/** Rounds of the largest text are few: their time is long enough to be read. */
const MAX_ROUND_BYTES = 10_000_000;
const LIMIT = { maxBytes: 20_000, maxTokens: 5_000 };

const random = createRandom();
const letters = "abcdefghijklmnopqrstuvwxyz";
const base64 = `${letters}${letters.toUpperCase()}0123456789+/`;
const texts: Readonly<Record<string, (bytes: number) => string>> = {
  underscores: (bytes) => fill("_", bytes),
  "one word": (bytes) => draw(letters, bytes),
  base64: (bytes) => draw(base64, bytes),
  spaces: (bytes) => fill(" ", bytes),
};
const counters: Readonly<Record<string, TokenCounter>> = {
  usage: createUsageCounter(),
  bpe: createBpeCounter("o200k_base"),
};

console.log("One count:\n");
printTable(({ count }, text) => count(text));
console.log("\nA cap at 5,000 tokens:\n");
printTable((counter, text) => capText(text, LIMIT, { counter }));

function printTable(run: (counter: TokenCounter, text: string) => unknown): void {
  console.log(`| text | counter | ${SIZES.map((bytes) => `${(bytes / 1_000).toLocaleString("en")} KB`).join(" | ")} |`);
  console.log(`| --- | --- |${" ---: |".repeat(SIZES.length)}`);
  for (const [name, make] of Object.entries(texts)) {
    for (const [counterName, counter] of Object.entries(counters)) {
      const cells = SIZES.map((bytes) =>
        formatMs(
          measureMs(
            bytes,
            () => make(bytes),
            (text) => run(counter, text),
          ),
        ),
      );
      console.log(`| ${name} | ${counterName} | ${cells.join(" | ")} |`);
    }
  }
}

function measureMs(bytes: number, make: () => string, run: (text: string) => unknown): number {
  const rounds = Math.min(ROUNDS, Math.ceil(MAX_ROUND_BYTES / bytes));
  const times = Array.from({ length: rounds }, () => {
    const text = make();
    const start = performance.now();
    run(text);
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}

function formatMs(ms: number): string {
  return `${ms < 10 ? ms.toPrecision(2) : Math.round(ms).toLocaleString("en")} ms`;
}

/** Flat, as what comes from a file is: `repeat` leaves the joining to whoever reads first. */
function fill(character: string, bytes: number): string {
  return Buffer.alloc(bytes, character).toString("latin1");
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
