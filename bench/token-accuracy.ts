import { createUsageCounter, type UsageCounter } from "@pod/token-counter";
import { createBpeCounter } from "@pod/token-counter/bpe";
import { capText, type TokenCounter } from "@pod/tool-output-cap";
import { corpusKinds, fileKinds, type TextKind } from "./token-texts.js";

// How well the learned estimate fits texts of one kind, against o200k_base: each trial reports some results of a kind to a new
// counter, then cuts others by what it says. Seeds and texts are fixed, so that the figures come out the same again.
const MAX_TOKENS = 5_000;
const FEW_REPORTS = 3;
const MANY_REPORTS = 16;
const isSmoke = process.argv.includes("--smoke");
const [TRIALS, RESULTS] = isSmoke ? [1, 2] : [20, 5];
/** What the provider adds around a call and its result, and the call itself. */
const FRAME = { bytes: 60, tokens: 30 };

interface Result {
  readonly bytes: number;
  readonly estimate: number;
  readonly tokens: number;
}

interface Results {
  /** After few reports of this kind and no other, without a tool. */
  readonly few: Result[];
  readonly many: Result[];
  /** After few reports of every kind, by the tool that gives this one. */
  readonly ofTool: Result[];
  /** The same, without a tool. */
  readonly ofAll: Result[];
}

const o200k = createBpeCounter("o200k_base");
const kinds = [...corpusKinds(TRIALS * (FEW_REPORTS + MANY_REPORTS + RESULTS)), ...fileKinds()];
const measured = kinds.map((kind) => ({ kind, results: emptyResults() }));
for (let trial = 0; trial < TRIALS; trial++) {
  const mixed = createUsageCounter();
  for (let report = 0; report < FEW_REPORTS; report++) {
    for (const kind of kinds) learn(mixed, kind, mixed.forTool(kind.name));
  }
  for (const { kind, results } of measured) measure(kind, mixed, results);
}

console.log(`A limit of ${MAX_TOKENS} tokens, ${TRIALS * RESULTS} results a kind.\n`);
console.log(
  "| text | bytes a token | error, median | error, 99th percentile | over | unused | by tool: over | unused | 16 reports: over | unused | another tool: over | unused |",
);
console.log(`| --- |${" ---: |".repeat(11)}`);
for (const { kind, results } of measured) {
  const { few, many, ofTool, ofAll } = results;
  const cells = [...describeErrors(few), ...[few, ofTool, many, ofAll].flatMap(describeCuts)];
  console.log(`| ${kind.name} | ${cells.join(" | ")} |`);
}

function emptyResults(): Results {
  return { few: [], many: [], ofTool: [], ofAll: [] };
}

function measure(kind: TextKind, mixed: UsageCounter, { few, many, ofTool, ofAll }: Results): void {
  const [afterFew, afterMany] = [createUsageCounter(), createUsageCounter()];
  for (let report = 0; report < FEW_REPORTS; report++) learn(afterFew, kind, afterFew);
  for (let report = FEW_REPORTS; report < MANY_REPORTS; report++) learn(afterMany, kind, afterMany);
  const { samples } = afterFew.state();
  for (const { bytes, tokens } of samples) afterMany.learn({ textBytes: bytes, opaqueBytes: 0, inputTokens: tokens });
  for (let result = 0; result < RESULTS; result++) {
    const text = kind.next();
    few.push(cutBy(afterFew, text));
    many.push(cutBy(afterMany, text));
    ofTool.push(cutBy(mixed.forTool(kind.name), text));
    ofAll.push(cutBy(mixed, text));
  }
}

function learn(counter: UsageCounter, { name, next }: TextKind, cutting: TokenCounter): void {
  const { bytes, tokens } = cutBy(cutting, next());
  counter.learn({
    textBytes: bytes + FRAME.bytes,
    opaqueBytes: 0,
    inputTokens: tokens + FRAME.tokens,
    toolBytes: new Map([[name, bytes]]),
  });
}

function cutBy(counter: TokenCounter, text: string): Result {
  const capped = capText(text, { maxBytes: MAX_TOKENS * 4, maxTokens: MAX_TOKENS }, { counter }).text;
  return { bytes: Buffer.byteLength(capped), estimate: counter.count(capped), tokens: o200k.count(capped) };
}

function describeErrors(results: readonly Result[]): readonly string[] {
  const errors = results.map(({ estimate, tokens }) => estimate / tokens - 1);
  const densities = results.map(({ bytes, tokens }) => bytes / tokens);
  return [
    quantile(densities, 0.5).toFixed(2),
    percent(quantile(errors, 0.5)),
    percent(quantile(errors.map(Math.abs), 0.99)),
  ];
}

function describeCuts(results: readonly Result[]): readonly string[] {
  const over = results.filter(({ tokens }) => tokens > MAX_TOKENS).length / results.length;
  const unused = results.reduce((sum, { tokens }) => sum + Math.max(0, 1 - tokens / MAX_TOKENS), 0) / results.length;
  return [percent(over), percent(unused)];
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
