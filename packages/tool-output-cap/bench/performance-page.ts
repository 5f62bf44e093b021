// Measures everything and writes its part of docs/performance.md: `npm run bench:page`, at a quiet moment.
import { readFileSync, writeFileSync } from "node:fs";
import { aloneName, capName, MAX_BYTES } from "./candidates.js";
import { findMissedCaptures, formatCaptureTable, measureCapture } from "./capture-child.js";
import { describeLoad, describeMachine } from "./describe-machine.js";
import { formatTable, formatVerdicts, readTableNotes } from "./format-table.js";
import { judgeRatios } from "./judge-ratios.js";
import { measureRounds } from "./measure-rounds.js";
import { PEERS } from "./peers.js";
import { makeTextCases } from "./text-cases.js";
import { ratioOf, type Timings } from "./timings.js";

const ROUNDS = 31;

const capturedLoad = describeLoad();
const captures = await measureCapture(1_000, 5);
const load = describeLoad();
const timings = measureRounds(makeTextCases([]), ROUNDS);
const [date] = new Date().toISOString().split("T");

const part = `## The cap and the capture

Measured on ${date} by \`npm run bench:page\`, which writes this part. ${describeMachine()}.

\`npm run bench:gate\` measures the first table again and fails where a ratio is missed; \`npm run bench:capture\` does so with the second; \`npm run bench\` shows the first as [mitata](https://github.com/evanwashere/mitata) measures it (\`-- --large\` adds 200 MB).

### A cap of ${MAX_BYTES.toLocaleString("en")} bytes

All candidates alternate in one process, in random order, in ${ROUNDS} rounds: medians of the times, and of the ratios within a round. Load average before: ${load}; after: ${describeLoad()}.

${formatTable(timings)}

${asList(readTableNotes())}

Of the ratios that the gate holds to a bound: ${formatVerdicts(timings.flatMap(judgeRatios)).replaceAll("\n", "; ")}.

### Where a peer is faster

${asList(findLosses(timings))}

### Capturing 1 GB from a child process

\`captureStream\` at ${MAX_BYTES.toLocaleString("en")} bytes, beside reading the same stream with \`for await\` and throwing it away: each time in a process of its own, which reads 64 KB at a time from a child; medians of 5. CPU is user and system time of the reader; the peak is its resident memory. Load average before: ${capturedLoad}.

${formatCaptureTable(captures)}

${asList([...findMissedCaptures(captures).map((line) => `missed: ${line}`), "Bounds: 8 MB more at the peak, and for ASCII 1.5 times the CPU."])}
`;
const path = new URL("../../../docs/performance.md", import.meta.url);
writeFileSync(path, replacePart(readFileSync(path, "utf8"), part));
console.log(part);

/** The page with another part between the two comments; the rest is written by hand. */
function replacePart(page: string, text: string): string {
  const [begin, end] = ["<!-- npm run bench:page writes from here -->\n", "<!-- to here -->"];
  const [before, rest = ""] = page.split(begin);
  const after = rest.split(end)[1];
  if (after === undefined) throw new Error(`docs/performance.md: expected ${begin}and ${end} after it. Write both`);
  return `${before}${begin}${text}${end}${after}`;
}

/** Every ratio to a peer that is below 1 where there is something to cut. */
function findLosses(all: readonly Timings[]): readonly string[] {
  const losses = all
    .filter(({ textCase }) => textCase.bytes > MAX_BYTES)
    .flatMap((each) => {
      const { kind, size, form } = each.textCase;
      return PEERS.flatMap(({ name }) => [aloneName(name), capName(name)])
        .filter((name) => each.micros.has(name) && ratioOf(each, name, "head") < 1)
        .map((name) => `${kind}, ${size}, ${form}: ${name} (${ratioOf(each, name, "head").toFixed(2)})`);
    });
  return losses.length === 0 ? ["Nowhere, of texts that are cut."] : losses;
}

function asList(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
