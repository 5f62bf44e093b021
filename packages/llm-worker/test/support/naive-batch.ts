import { capNaively, countUtf8Bytes } from "@pod/test-harness/laws";
import type { OutputLimit, ToolOutputLimits } from "@pod/tool-output-cap";
import fc from "fast-check";

/** What one tool of a batch returns, and its limit. Without a summary it returns the content alone. */
export interface NaiveCall {
  readonly summary?: string;
  readonly content: string;
  readonly limit: OutputLimit;
}

/** What the model receives of a result, and whether something is missing. */
export interface NaiveResult {
  readonly summary: string;
  readonly content?: string;
  readonly droppedBytes?: number;
  readonly reason?: "turn-budget";
}

/** Texts of one character each, so that a child can tell where they may be cut. */
export function arbitraryBatch(maxCalls: number): fc.Arbitrary<readonly NaiveCall[]> {
  const content = textOf(fc.oneof(fc.integer({ min: 201, max: 900 }), fc.integer({ min: 201, max: 4_000 })));
  const limit = fc.record(
    {
      maxBytes: fc.oneof(fc.integer({ min: 256, max: 2_000 }), fc.constant(16_384)),
      keep: fc.constantFrom("head", "tail", "ends"),
    },
    { requiredKeys: ["maxBytes"] },
  );
  const call = fc.oneof(
    fc.record({ content, limit }),
    fc.record({
      summary: textOf(fc.oneof(fc.integer({ min: 4, max: 60 }), fc.integer({ min: 150, max: 400 }))),
      content,
      limit,
    }),
  );
  return fc.array(call, { minLength: 1, maxLength: maxCalls });
}

/** Limits by tool, each call being one of its own tool: `tool-0`, `tool-1`, … */
export function limitsOf(batch: readonly NaiveCall[], turnMaxBytes?: number): ToolOutputLimits {
  const perTool = Object.fromEntries(batch.map(({ limit }, index) => [`tool-${index}`, limit]));
  return { defaultMaxBytes: 16_384, perTool, ...(turnMaxBytes !== undefined && { turnMaxBytes }) };
}

/** Budgets at which something changes, from 1,024 on, and any. */
export function arbitraryBudget(batch: readonly NaiveCall[]): fc.Arbitrary<number> {
  const received = batch.map((call) => capCall(call, call.summary ?? ""));
  const total = sum(received.map(({ summary, content = "" }) => countUtf8Bytes(summary) + countUtf8Bytes(content)));
  const summaries = sum(batch.map(({ summary = "" }) => countUtf8Bytes(summary)));
  const near = (bytes: number) => fc.integer({ min: bytes - 3, max: bytes + 3 + 2 * batch.length });
  return fc
    .oneof(near(summaries), near(summaries + 64), near(total), fc.integer({ min: 1_024, max: total + 2_000 }))
    .map((bytes) => Math.max(1_024, bytes));
}

/** The budget as a child would keep to it: every level is tried, from the highest. */
export function fitNaively(batch: readonly NaiveCall[], turnMaxBytes: number): readonly NaiveResult[] {
  const asTheyAre = batch.map((call) => capCall(call, call.summary));
  if (sum(asTheyAre.map(receivedBytes)) <= turnMaxBytes) return asTheyAre;
  const shared = shareNaively(batch, new Set(), turnMaxBytes);
  if (sum(shared.map(receivedBytes)) <= turnMaxBytes) return shared;
  return shareNaively(batch.map(moveSummary), new Set(), turnMaxBytes);
}

/** `gone` are the calls whose content gives way to a derived summary. */
function shareNaively(
  batch: readonly NaiveCall[],
  gone: ReadonlySet<number>,
  turnMaxBytes: number,
): readonly NaiveResult[] {
  const own = batch.map((call) => capCall(call, call.summary).content ?? "");
  const sizes = own.map((content, index) => (gone.has(index) ? 0 : countUtf8Bytes(content)));
  const before = batch.map(({ summary, content }, index) => {
    if (gone.has(index)) return countUtf8Bytes(derive(content));
    return summary === undefined ? 0 : countUtf8Bytes(summary) + 1;
  });
  const room = Math.max(0, turnMaxBytes - sum(before));
  let level = Math.max(...sizes);
  while (sum(sizes.map((size) => Math.min(size, level))) > room) level--;
  let spare = room - sum(sizes.map((size) => Math.min(size, level)));
  const shares = sizes.map((size) => (size <= level ? size : spare-- > 0 ? level + 1 : level));
  const tooLittle = batch.flatMap(({ summary }, index) => {
    const share = shares[index] ?? 0;
    return summary === undefined && !gone.has(index) && share < Math.min(6, sizes[index] ?? 0) ? [index] : [];
  });
  if (tooLittle.length > 0) return shareNaively(batch, new Set([...gone, ...tooLittle]), turnMaxBytes);
  return batch.map((call, index) => {
    const share = shares[index] ?? 0;
    if (share > 0 && share >= (sizes[index] ?? 0)) return capCall(call, call.summary);
    return cutCall(call, share);
  });
}

function cutCall({ summary, content, limit }: NaiveCall, share: number): NaiveResult {
  const shown = summary ?? derive(content);
  if (share === 0) return { summary: shown, droppedBytes: countUtf8Bytes(content), reason: "turn-budget" };
  const { text, truncation } = capNaively(content, { ...limit, maxBytes: share });
  return { summary: shown, content: text, droppedBytes: truncation?.droppedBytes ?? 0, reason: "turn-budget" };
}

function capCall({ content, limit }: NaiveCall, summary: string | undefined): NaiveResult {
  const { text, truncation } = capNaively(content, limit);
  return {
    summary: summary ?? derive(content),
    content: text,
    ...(truncation && { droppedBytes: truncation.droppedBytes }),
  };
}

function moveSummary(call: NaiveCall): NaiveCall {
  const { summary, content } = call;
  if (summary === undefined || countUtf8Bytes(summary) <= 200) return call;
  // One character over and over: as many of it as fit.
  const [character = ""] = summary;
  const line = character.repeat(Math.floor(200 / countUtf8Bytes(character)));
  return { ...call, summary: line, content: `${summary}\n${content}` };
}

function derive(content: string): string {
  return `${content.split("\n").length} lines, ${countUtf8Bytes(content)} bytes`;
}

function receivedBytes({ summary, content = "" }: NaiveResult): number {
  if (/^\d+ lines, \d+ bytes$/.test(summary) && content !== "") return countUtf8Bytes(content);
  return countUtf8Bytes(summary) + (content === "" ? 0 : 1 + countUtf8Bytes(content));
}

function textOf(bytes: fc.Arbitrary<number>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom("a", "é", "語", "😀"), bytes)
    .map(([character, count]) => character.repeat(Math.ceil(count / countUtf8Bytes(character))));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
