import { nastyText } from "@pod/test-harness/laws";
import fc from "fast-check";
import { hostileValues } from "./hostile-values.js";

/** What becomes of one call: what its tool does, and what each interceptor says before and after. */
export interface CallPlan {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Rounds of the event loop before the tool does it. */
  readonly delayRounds: number;
  readonly deed: Deed;
  readonly before: readonly Decision[];
  readonly after: readonly Decision[];
}

const TOOL_NAMES = ["Plain", "Idem", "Small", "Strict", "Unknown", "constructor"] as const;

export type Deed =
  | { readonly type: "text"; readonly text: TextPlan }
  | { readonly type: "output"; readonly summary: TextPlan; readonly content: TextPlan }
  | { readonly type: "throw"; readonly text: TextPlan }
  | { readonly type: "return-hostile" | "throw-hostile"; readonly name: string }
  /** Deaf hears nothing; the others end when their signal says so. */
  | { readonly type: "hang"; readonly ending: "deaf" | "throw" | "return" }
  /** Cancels the run, and then returns. */
  | { readonly type: "cancel" };

export type Decision =
  | { readonly type: "pass" | "pause" | "throw" | "hang" }
  | { readonly type: "hostile"; readonly name: string }
  | { readonly type: "skip" | "abort" | "answer"; readonly text: TextPlan }
  | { readonly type: "edit-call"; readonly toolName: string }
  | { readonly type: "edit"; readonly field: "summary" | "content" | "note"; readonly text: TextPlan };

// Two of them cost more than all the rest.
const HOSTILE_NAMES = Object.keys(hostileValues).filter((name) => !/100,000 arrays|10,000 members/.test(name));

/** So many bytes of one piece, about: a script that is printed stays short. */
export interface TextPlan {
  readonly piece: string;
  readonly bytes: number;
}

export function makeText({ piece, bytes }: TextPlan): string {
  return piece.repeat(Math.ceil(bytes / Math.max(1, Buffer.byteLength(piece))));
}

export function callPlan(): fc.Arbitrary<CallPlan> {
  return fc.record({
    toolCallId: fc.constantFrom("", "a", "b", "call", "call-2"),
    toolName: fc.oneof({ weight: 3, arbitrary: fc.constantFrom("Plain", "Idem") }, fc.constantFrom(...TOOL_NAMES)),
    delayRounds: fc.constantFrom(0, 0, 1, 2, 3),
    deed: deed(),
    before: fc.tuple(before(), before()),
    after: fc.tuple(after(), after()),
  });
}

function deed(): fc.Arbitrary<Deed> {
  const type = <T extends string>(...types: readonly T[]) => fc.constantFrom(...types);
  const name = fc.constantFrom(...HOSTILE_NAMES);
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: type("text"), text: textPlan() }) },
    { weight: 6, arbitrary: fc.record({ type: type("output"), summary: textPlan(), content: textPlan() }) },
    { weight: 2, arbitrary: fc.record({ type: type("throw"), text: textPlan() }) },
    { weight: 2, arbitrary: fc.record({ type: type("return-hostile", "throw-hostile"), name }) },
    { weight: 2, arbitrary: fc.record({ type: type("hang"), ending: type("deaf", "throw", "return") }) },
    { weight: 1, arbitrary: fc.record({ type: type("cancel") }) },
  );
}

function before(): fc.Arbitrary<Decision> {
  return fc.oneof(
    { weight: 40, arbitrary: fc.constant<Decision>({ type: "pass" }) },
    { weight: 4, arbitrary: fc.record({ type: fc.constantFrom("skip", "answer"), text: textPlan() }) },
    {
      weight: 3,
      arbitrary: fc.record({ type: fc.constant("edit-call" as const), toolName: fc.constantFrom(...TOOL_NAMES) }),
    },
    { weight: 2, arbitrary: fc.constant<Decision>({ type: "pause" }) },
    { weight: 2, arbitrary: fault() },
  );
}

function after(): fc.Arbitrary<Decision> {
  const field = fc.constantFrom("summary", "content", "note", "note");
  return fc.oneof(
    { weight: 40, arbitrary: fc.constant<Decision>({ type: "pass" }) },
    { weight: 10, arbitrary: fc.record({ type: fc.constant("edit" as const), field, text: textPlan() }) },
    { weight: 2, arbitrary: fault() },
  );
}

function fault(): fc.Arbitrary<Decision> {
  return fc.oneof(
    fc.constantFrom<Decision>({ type: "throw" }, { type: "hang" }),
    fc.record({ type: fc.constant("hostile" as const), name: fc.constantFrom(...HOSTILE_NAMES) }),
    fc.record({ type: fc.constant("abort" as const), text: textPlan() }),
  );
}

function textPlan(): fc.Arbitrary<TextPlan> {
  const piece = fc.constantFrom("a", "é", "語", "😀", "\uD83D", "\n", "word\r\n", "[truncated]", '"\\', "\u0000");
  const bytes = fc.oneof(
    { weight: 30, arbitrary: fc.nat(20) },
    { weight: 30, arbitrary: fc.integer({ min: 190, max: 2_100 }) },
    { weight: 30, arbitrary: fc.integer({ min: 2_000, max: 20_000 }) },
    { weight: 1, arbitrary: fc.constant(1_000_000) },
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ piece, bytes }) },
    { weight: 1, arbitrary: nastyText().map((text) => ({ piece: text, bytes: Number(text !== "") })) },
  );
}
