// A process of its own for memory.test.ts, with --expose-gc: prints, as JSON, what a capture of 3 MB keeps alive.
import type { Keep } from "../../src/index.js";
import { createOutputCapture, type OutputCapture } from "../../src/stream.js";
import { medianRetained } from "../measure-memory.js";

const KEEPS: readonly Keep[] = ["head", "tail", "ends"];
const LINES = { ASCII: "a line of text\n", "ill-formed": "a line of \xff\n" };
const TOTAL_BYTES = 3_000_000;

type Write = (capture: Pick<OutputCapture, "write">, line: string) => void;

/** How it is written. All of it is made anew, and only the capture could keep it alive. */
const writes: Readonly<Record<string, Write>> = {
  "one chunk": (capture, line) => capture.write(makeBytes(TOTAL_BYTES, line)),
  "chunks of 64 KB": (capture, line) => {
    for (let written = 0; written < TOTAL_BYTES; written += 65_536) capture.write(makeBytes(65_536, line));
  },
  "one string": (capture, line) => capture.write(makeBytes(TOTAL_BYTES, line).toString()),
  "slices of a string": (capture, line) => {
    const text = makeBytes(TOTAL_BYTES, line).toString();
    for (let from = 0; from < text.length; from += 65_536) capture.write(text.slice(from, from + 65_536));
  },
};

const during: Record<string, number> = {};
const finished: Record<string, number> = {};
const collected: Record<string, number> = {};
warmUp();
for (const [how, write] of Object.entries(writes)) {
  for (const [kind, line] of Object.entries(LINES)) {
    for (const keep of KEEPS) {
      const name = `${keep}, ${kind}, ${how}`;
      during[name] = medianRetained(() => start(keep, write, line));
      finished[name] = medianRetained(() => start(keep, write, line).finish());
    }
    collected[`${kind}, ${how}`] = medianRetained(() => collect(write, line));
  }
}
process.stdout.write(JSON.stringify({ during, finished, collected }));

function start(keep: Keep, write: Write, line: string): OutputCapture {
  const capture = createOutputCapture({ maxBytes: 16_384, keep });
  write(capture, line);
  return capture;
}

function collect(write: Write, line: string): readonly unknown[] {
  const chunks: unknown[] = [];
  write({ write: (chunk) => chunks.push(chunk) }, line);
  return chunks;
}

function warmUp(): void {
  const chunks = Object.values(LINES).flatMap((line) => [makeBytes(20_000, line), line.repeat(2_000)]);
  for (let call = 0; call < 50_000; call++) {
    const capture = createOutputCapture({ maxBytes: 1_000, keep: KEEPS[call % 3] ?? "head" });
    capture.write(chunks[call % chunks.length] ?? "");
    capture.finish();
  }
}

function makeBytes(length: number, line: string): Buffer {
  return Buffer.alloc(length, line, line.includes("\xff") ? "latin1" : "utf8");
}
