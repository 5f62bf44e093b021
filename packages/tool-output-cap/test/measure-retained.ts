// A process of its own for memory.test.ts, with --expose-gc: prints, as JSON, what a cut result keeps alive.
import { capText, capToolResult, formatMarker } from "../src/index.js";
import { byBytes } from "./counters.js";
import { medianRetained } from "./measure-memory.js";

const limit = { maxBytes: 16_384 };
const UNITS = { "one-byte": 10_000_000, "two-byte": 5_000_000 };

type Width = keyof typeof UNITS;

const makeText: Readonly<Record<string, (width: Width) => string>> = {
  concatenation(width) {
    let text = "";
    const line = (width === "one-byte" ? "é" : "語").repeat(200);
    while (text.length < UNITS[width]) text += `${line}${text.length}\n`;
    return text;
  },
  "Buffer.toString, in the string's own encoding": (width) =>
    width === "one-byte"
      ? Buffer.alloc(UNITS[width], "a line of text\n").toString("latin1")
      : Buffer.alloc(UNITS[width] * 2, "a line of 語\n", "utf16le").toString("utf16le"),
  "Buffer.toString, in UTF-8": (width) =>
    Buffer.alloc(10_000_000, width === "one-byte" ? "a line of text\n" : "a line of 語\n").toString("utf8"),
};

const caps: Readonly<Record<string, (text: string) => string | undefined>> = {
  capText: (text) => capText(text, limit).text,
  "capText, keeping the tail": (text) => capText(text, { ...limit, keep: "tail" }).text,
  "capText, keeping both ends": (text) => capText(text, { ...limit, keep: "ends" }).text,
  "capText, to 10 bytes": (text) => capText(text, { maxBytes: 10 }).text,
  "capText, in tokens": (text) => capText(text, { ...limit, maxTokens: 4_096 }, { counter: byBytes }).text,
  "capToolResult, twice": (text) =>
    capToolResult(capToolResult({ content: text }, { maxBytes: 5_000_000 }), limit).content,
  "slice + marker": (text) => text.slice(0, 5_000) + formatMarker(text.length),
};

const retained: Record<string, number> = {};
for (const [capName, cap] of Object.entries(caps)) {
  warmUp(cap);
  for (const [making, make] of Object.entries(makeText)) {
    for (const width of ["one-byte", "two-byte"] as const) {
      retained[`${capName} of ${width} text made by ${making}`] = medianRetained(() => cap(make(width)));
    }
  }
}
process.stdout.write(JSON.stringify(retained));

function warmUp(cap: (text: string) => string | undefined): void {
  const texts = ["a", "é", "語", "😀"].map((character) => character.repeat(20_000));
  for (let call = 0; call < 50_000; call++) cap(texts[call % texts.length] ?? "");
}
