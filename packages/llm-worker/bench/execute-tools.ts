import { executeTools, type Tool, type ToolCall, type ToolOutput } from "@pod/llm-worker";

// What the batch costs beside its tools: 1,000 calls of a tool that returns 1 KB at once, through executeTools and directly.
// The two alternate, so that a slow moment of the machine falls on both; medians, and their ratio, in one run.
const CALLS = 1_000;
const rounds = process.argv.includes("--smoke") ? 3 : 101;

const output: ToolOutput = { summary: "1 KB", content: "x".repeat(1_024) };
const tool: Tool = {
  name: "Read",
  description: "Returns 1 KB.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  execute: () => Promise.resolve(output),
};
const calls: readonly ToolCall[] = Array.from({ length: CALLS }, (_, index) => ({
  toolCallId: `call-${index}`,
  toolName: tool.name,
  input: { path: `file-${index}` },
}));

const directMs: number[] = [];
const executedMs: number[] = [];
for (let round = 0; round < rounds; round++) {
  directMs.push(await measure(callDirectly));
  executedMs.push(await measure(() => executeTools(calls, { tools: [tool] })));
}

const [direct, executed] = [median(directMs), median(executedMs)];
console.log(`${CALLS} calls of 1 KB, medians of ${rounds} rounds`);
console.log(`  tools called directly  ${direct.toFixed(2)} ms`);
console.log(`  executeTools           ${executed.toFixed(2)} ms`);
console.log(
  `  ratio ${(executed / direct).toFixed(1)}, ${(((executed - direct) / CALLS) * 1_000).toFixed(1)} us a call`,
);

function callDirectly(): Promise<readonly unknown[]> {
  const { signal } = new AbortController();
  return Promise.all(calls.map(({ toolCallId, input }) => tool.execute(input, { toolCallId, signal })));
}

async function measure(work: () => Promise<readonly unknown[]>): Promise<number> {
  const start = performance.now();
  const results = await work();
  const elapsed = performance.now() - start;
  if (results.length !== CALLS) throw new Error(`expected ${CALLS} results, received ${results.length}`);
  return elapsed;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
