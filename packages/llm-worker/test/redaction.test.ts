import {
  executeTools,
  type Interceptor,
  type Tool,
  type ToolCall,
  type ToolOutput,
  type ToolResultDraft,
} from "@pod/llm-worker";
import { capNaively } from "@pod/test-harness/laws";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type BatchOptions, ways } from "./support/through-both.js";
import { toolOf } from "./support/tool-of.js";

const SECRET = "sk-7Qm2ZxV9bLr4TnW8cYd3HfJ6gKp5SaEuRtGwB";
const LIMIT = 1_000;
/** Where the cut falls in 5,000 ASCII characters: newlines and marker take 52 bytes. */
const CUT = 948;
/** The secret begins this many characters before the cut. */
const overlaps = Array.from({ length: SECRET.length + 1 }, (_, overlap) => overlap);
const straddling = textWithSecret(20);
const call: ToolCall = { toolCallId: "call-1", toolName: "Read", input: {} };
const toolOutput = { defaultMaxBytes: LIMIT, perTool: {} };

const redactor: Interceptor = {
  postToolCall: ({ summary, content }) => ({
    type: "edit",
    summary: redact(summary),
    ...(content !== undefined && { content: redact(content) }),
  }),
};

describe("a secret of 40 characters that straddles the cut", () => {
  it("is one: the cut would leave half of it, and the search finds that half", async () => {
    expect(SECRET).toHaveLength(40);
    const [result] = await executeTools([call], { ...returning(straddling), toolOutput });
    expect(result?.truncation?.keptBytes).toBe(CUT);
    expect(findSecret(JSON.stringify(result))).toEqual(windowsOf(SECRET.slice(0, 20)));
  });

  // Mutant seen to fail: a draft that is capped before the interceptors see it.
  it.each(overlaps)("W2: is redacted whole, %i characters before the cut", async (overlap) => {
    const full = textWithSecret(overlap);
    const [result] = await executeTools([call], {
      ...returning({ summary: "read", content: full }),
      toolOutput,
      interceptors: [redactor],
    });
    expect(result?.content).toBe(capNaively(redact(full), LIMIT).text);
    expect(findSecret(JSON.stringify(result))).toEqual([]);
  });
});

describe("a secret in a summary so long that only its first line stays", () => {
  const long = (overlap: number) => `${"x".repeat(200 - overlap)}${SECRET}${"y".repeat(3_000)}`;

  it("is cut through where nobody redacts it", async () => {
    const [result] = await executeTools([call], { ...returning({ summary: long(20) }), toolOutput });
    expect(result?.summary).toBe(long(20).slice(0, 200));
    expect(findSecret(result?.summary ?? "")).toEqual(windowsOf(SECRET.slice(0, 20)));
  });

  // Mutant seen to fail: interceptors that see the line that was cut.
  it.each(overlaps)("W2 W4: is redacted whole, %i characters before the end of that line", async (overlap) => {
    for (const output of [{ summary: long(overlap) }, { summary: long(overlap), content: straddling }]) {
      const [result] = await executeTools([call], { ...returning(output), toolOutput, interceptors: [redactor] });
      expect(findSecret(JSON.stringify(result))).toEqual([]);
      expect(result?.content).toContain("x".repeat(160));
    }
  });

  it("W2 W4: is redacted whole where an interceptor put it in", async () => {
    const putIn: Interceptor = { postToolCall: () => ({ type: "edit", summary: long(20) }) };
    const [result] = await executeTools([call], {
      ...returning("read"),
      toolOutput,
      interceptors: [putIn, redactor],
    });
    expect(findSecret(JSON.stringify(result))).toEqual([]);
  });

  it("W4: keeps its line where the interceptors leave the draft alone", async () => {
    const lookedAt: unknown[] = [];
    const [result] = await executeTools([call], {
      ...returning({ summary: long(20) }),
      toolOutput,
      interceptors: [{ postToolCall: ({ summary, content }) => void lookedAt.push(summary, content) }],
    });
    expect(lookedAt).toEqual(["1 lines, 3220 bytes", long(20)]);
    expect(result?.summary).toBe(long(20).slice(0, 200));
  });
});

describe.each(ways)("through %s", (_way, runBatch) => {
  it.each<[string, BatchOptions]>([
    ["content", returning({ summary: "read", content: straddling })],
    ["a plain string", returning(straddling)],
    ["a short plain string", returning(`key ${SECRET}`)],
    ["an oversized summary", returning({ summary: `${straddling}${straddling}`, content: SECRET })],
    ["a key and a value of an object", returning({ summary: "read", content: { [straddling]: straddling } })],
    ["an error and its cause", executing(() => Promise.reject(new Error(SECRET, { cause: new Error(straddling) })))],
    ["what is thrown", executing(() => Promise.reject({ text: straddling }))],
    [
      "the reason of a rejected input",
      { tools: [toolOf("Read", () => "", { inputSchema: z.object({}).refine(() => false, straddling) })] },
    ],
    [
      "the reason of a skip",
      { ...returning(""), interceptors: [{ preToolCall: () => ({ type: "skip", reason: straddling }) }] },
    ],
    [
      "an answer",
      { ...returning(""), interceptors: [{ preToolCall: () => ({ type: "answer", output: straddling }) }] },
    ],
    [
      "what an interceptor before the redactor puts in",
      { ...returning("read"), interceptors: [{ postToolCall: () => ({ type: "edit", content: straddling }) }] },
    ],
  ])("W2: no part of a secret in %s gets past a redacting interceptor", async (_where, options) => {
    const seen = await runBatch([call], {
      ...options,
      toolOutput,
      interceptors: [...(options.interceptors ?? []), redactor],
    });
    expect(findSecret(seen.everything)).toEqual([]);
    expect(seen.received[0]?.text).toMatch(/\[redacted\]|truncated/);
  });

  // Mutant seen to fail: an interceptor's fault that lets the draft through.
  it.each<[string, (draft: ToolResultDraft) => unknown]>([
    ["throws", () => Promise.reject(new Error(straddling))],
    ["throws the text itself", () => Promise.reject(straddling)],
    ["returns nonsense", (draft) => ({ ...draft, type: "redacted" })],
    ["returns half an edit", (draft) => ({ type: "edit", summary: draft.summary, content: [SECRET] })],
    ["never settles", () => new Promise(() => {})],
    ["aborts", () => ({ type: "abort", reason: "a secret was read" })],
  ])("W2: no part of a secret is anywhere where the redactor %s", async (_what, act) => {
    const seen = await runBatch([call], {
      ...returning({ summary: SECRET, content: straddling }),
      toolOutput,
      interceptors: [
        { postToolCall: () => ({ type: "edit", isError: false }) },
        { postToolCall: (draft) => act(draft) as undefined },
      ],
      interceptorTimeoutMs: 1,
    });
    expect(seen.results).toMatchObject([{ toolCallId: "call-1", isError: true }]);
    expect(findSecret(seen.everything)).toEqual([]);
  });
});

function textWithSecret(overlap: number): string {
  return `${"x".repeat(CUT - overlap)}${SECRET}${"y".repeat(5_000 - CUT + overlap - SECRET.length)}`;
}

function redact(text: string): string {
  return text.replaceAll(SECRET, "[redacted]");
}

/** Every part of the secret, eight characters or more, that a text holds; a longer part holds several of these. */
function findSecret(text: string): readonly string[] {
  return windowsOf(SECRET).filter((part) => text.includes(part));
}

function windowsOf(text: string): readonly string[] {
  return Array.from({ length: text.length - 7 }, (_, start) => text.slice(start, start + 8));
}

function returning(output: ToolOutput | string): BatchOptions {
  return executing(() => output);
}

function executing(execute: Tool["execute"]): BatchOptions {
  return { tools: [toolOf("Read", execute)] };
}
