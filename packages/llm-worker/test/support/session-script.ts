import { nastyText } from "@pod/test-harness/laws";
import type { Keep, ToolOutputLimits } from "@pod/tool-output-cap";
import fc from "fast-check";
import { type CallPlan, callPlan } from "./call-plan.js";

/** One session from its beginning: what is asked of the worker, and what model, tools, interceptors and log do. */
export interface SessionScript {
  readonly limits: ToolOutputLimits;
  readonly maxTurns: number;
  readonly maxConcurrency: number;
  readonly maxAttempts: number;
  /** Input tokens that the provider takes at most, and says so. */
  readonly tokenLimit: number | undefined;
  readonly log: LogPlan | undefined;
  /** One a request; after the last one the model has nothing more to say. */
  readonly replies: readonly ReplyPlan[];
  readonly steps: readonly StepPlan[];
}

export interface LogPlan {
  readonly failures: readonly LogFailure[];
  readonly readFailsAt: number | undefined;
}

interface LogFailure {
  /** The how-manieth append. */
  readonly at: number;
  /** Whether the entry is kept all the same. */
  readonly isKept: boolean;
}

/** A moment is the how-manieth time in a step that the worker hands over to foreign code. */
export interface StepPlan {
  readonly type: "run" | "resume" | "crash";
  readonly input: string;
  readonly cancelAt: number | undefined;
  readonly crashAt: number | undefined;
}

export type ReplyPlan =
  | { readonly type: "answer"; readonly parts: readonly PartPlan[]; readonly usage: UsagePlan }
  | { readonly type: "refuse"; readonly details: RefusalPlan }
  /** Some parts, and then it goes wrong. */
  | { readonly type: "break"; readonly parts: readonly PartPlan[]; readonly ending: StreamEnding };

export type PartPlan =
  | { readonly type: "text" | "delta" | "thought" | "signed-thought"; readonly text: string }
  | { readonly type: "call"; readonly plan: CallPlan };

export type UsagePlan = "counted" | "cached" | "absent" | "nonsense";
export type StreamEnding = "network" | "end" | "nonsense" | "foreign" | "throws-at-once" | "hang";

export interface RefusalPlan {
  readonly status: number;
  readonly code?: string;
  readonly retryAfterMs?: number;
  readonly inputTokenLimit?: number;
  readonly requestedTokens?: number;
}

export function sessionScript(): fc.Arbitrary<SessionScript> {
  return fc.record({
    limits: limits(),
    maxTurns: fc.constantFrom(1, 3, 50),
    maxConcurrency: fc.constantFrom(1, 2, 8),
    maxAttempts: fc.integer({ min: 1, max: 3 }),
    tokenLimit: rarely(fc.integer({ min: 1_000, max: 20_000 })),
    log: fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 3, arbitrary: logPlan() }),
    replies: fc.array(reply(), { minLength: 4, maxLength: 16, size: "max" }),
    steps: fc
      .tuple(step("run"), fc.array(step("run", "resume", "resume", "resume", "crash"), { maxLength: 7, size: "max" }))
      .map(([first, others]) => [first, ...others]),
  });
}

function limits(): fc.Arbitrary<ToolOutputLimits> {
  const maxBytes = fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }) },
    { weight: 2, arbitrary: fc.integer({ min: 128, max: 6_000 }) },
  );
  return fc
    .record({
      defaultMaxBytes: maxBytes,
      small: maxBytes,
      turnMaxBytes: fc.option(fc.integer({ min: 1_024, max: 3_000 }), { nil: undefined }),
      keep: fc.constantFrom<Keep>("head", "tail", "ends"),
    })
    .map(({ defaultMaxBytes, small, turnMaxBytes, keep }) => ({
      defaultMaxBytes,
      perTool: { Small: small, Idem: { maxBytes: defaultMaxBytes, keep } },
      ...(turnMaxBytes !== undefined && { turnMaxBytes }),
    }));
}

function logPlan(): fc.Arbitrary<LogPlan> {
  return fc.record({
    failures: rarely(fc.array(fc.record({ at: fc.integer({ min: 1, max: 30 }), isKept: fc.boolean() }))).map(
      (failures = []) => failures,
    ),
    readFailsAt: rarely(fc.integer({ min: 1, max: 3 })),
  });
}

function step(...types: readonly StepPlan["type"][]): fc.Arbitrary<StepPlan> {
  return fc.record({
    type: fc.constantFrom(...types),
    input: nastyText().map((text) => `${text.slice(0, 100)}!`),
    cancelAt: rarely(fc.integer({ min: 0, max: 40 })),
    crashAt: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined, freq: 2 }),
  });
}

function reply(): fc.Arbitrary<ReplyPlan> {
  const ending = fc.constantFrom<StreamEnding>("network", "end", "nonsense", "foreign", "throws-at-once", "hang");
  const answer = fc.record({
    type: fc.constant("answer" as const),
    parts: fc.array(part(), { maxLength: 7, size: "max" }),
    usage: fc.constantFrom<UsagePlan>("counted", "counted", "cached", "absent", "nonsense"),
  });
  return fc.oneof(
    { weight: 12, arbitrary: answer },
    { weight: 2, arbitrary: fc.record({ type: fc.constant("refuse" as const), details: refusal() }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("break" as const), parts: fc.array(part()), ending }) },
  );
}

function part(): fc.Arbitrary<PartPlan> {
  return fc.oneof(
    { weight: 4, arbitrary: callPlan().map((plan) => ({ type: "call" as const, plan })) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constantFrom("text", "delta", "thought", "signed-thought"),
        text: fc.oneof(nastyText(), fc.constantFrom("", "\n")),
      }),
    },
  );
}

function refusal(): fc.Arbitrary<RefusalPlan> {
  const tokens = fc.integer({ min: 1, max: 5_000 });
  return fc.oneof(
    fc.constantFrom(
      { status: 429 },
      { status: 429, retryAfterMs: 2_000 },
      { status: 429, retryAfterMs: 9_000_000 },
      { status: 413 },
      { status: 413, code: "request_too_large" },
      { status: 400, code: "context_length_exceeded" },
      { status: 400 },
      { status: 529, code: "overloaded_error" },
      { status: 500 },
    ),
    tokens.map((inputTokenLimit) => ({ status: 429, inputTokenLimit })),
    fc.tuple(tokens, tokens).map(([inputTokenLimit, requestedTokens]) => ({
      status: 429,
      inputTokenLimit,
      requestedTokens,
    })),
  );
}

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}
