// A process of its own for capture-child.ts: reads 1 GB from a child and prints what that cost, as JSON.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Keep } from "../src/index.js";
import { captureStream } from "../src/stream.js";

const [mode = "", kind = "", megabytes = ""] = process.argv.slice(2);
// 64 KB at a time, as fast as the pipe takes them.
const script = `
  const { writeSync } = require("node:fs");
  const line = Buffer.from(process.argv[1] + "\\n");
  const block = Buffer.alloc(line.length * Math.floor(65_536 / line.length), line);
  const total = Number(process.argv[2]) * 1_000_000;
  for (let left = total - (total % line.length); left > 0; ) {
    let from = 0;
    const end = Math.min(left, block.length);
    while (from < end) from += writeSync(1, block, from, end - from);
    left -= end;
  }
`;
const LINES: Readonly<Record<string, string>> = {
  ASCII: "packages/tool-output-cap/src/cap-text.ts",
  Japanese: "関数がモデルの結果を返しました。",
};
const before = process.cpuUsage();
const child = spawn(process.execPath, ["-e", script, LINES[kind] ?? "", megabytes], {
  stdio: ["ignore", "pipe", "inherit"],
});
const originalBytes = await read(child.stdout);
const { user, system } = process.cpuUsage(before);
const peakBytes = readPeakKilobytes() * 1_024;
process.stdout.write(JSON.stringify({ originalBytes, cpuMillis: (user + system) / 1_000, peakBytes }));

/** Of this process alone: on Linux, maxRSS begins with what its parent had. */
function readPeakKilobytes(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
}

async function read(source: AsyncIterable<Uint8Array>): Promise<number> {
  if (mode === "thrown away") {
    let bytes = 0;
    for await (const chunk of source) bytes += chunk.length;
    return bytes;
  }
  const { truncation } = await captureStream(source, { maxBytes: 16_384, keep: mode as Keep });
  return truncation?.originalBytes ?? 0;
}
