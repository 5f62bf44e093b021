import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// Each benchmark has a process of its own: what one makes the engine optimise must not speed up or slow down the next.
const benchmarks = [
  "packages/tool-output-cap/bench/cap-text.ts",
  "packages/llm-worker/bench/execute-tools.ts",
  "packages/llm-worker/bench/long-session.ts",
  "packages/mcp-cap/bench/pass-through.ts",
];
// Each has a command of its own, and is only looked at here to see that it still works.
if (process.argv.includes("--smoke")) {
  benchmarks.push("packages/tool-output-cap/bench/gate.ts", "packages/tool-output-cap/bench/capture-child.ts");
  benchmarks.push("bench/token-accuracy.ts", "bench/token-time.ts");
}
const root = fileURLToPath(new URL("..", import.meta.url));

for (const benchmark of benchmarks) {
  console.log(`\n${benchmark}`);
  const node = ["--import", "tsx", "--conditions=@pod/source", "--expose-gc"];
  const { status } = spawnSync(process.execPath, [...node, benchmark, ...process.argv.slice(2)], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
