import type { Interceptor, Tool, ToolContext } from "@pod/llm-worker";
import { type Decision, type Deed, makeText } from "./call-plan.js";
import { hostileValues } from "./hostile-values.js";
import { never, ScriptedError, type ScriptedWorld } from "./scripted-world.js";
import { toolOf } from "./tool-of.js";
import { waitRounds } from "./virtual-time.js";

/** Tools that do what the script says of each call. Only `Idem` may run twice; `Strict` takes no input at all. */
export function scriptedTools(world: ScriptedWorld, life: number): readonly Tool[] {
  return [make("Plain"), make("Idem", { idempotent: true }), make("Small"), make("Strict", NO_INPUT)];

  function make(name: string, more: Partial<Tool> = {}): Tool {
    return toolOf(name, (input, context) => execute(name, input, context), { timeoutMs: 10, ...more });
  }

  async function execute(name: string, input: unknown, context: ToolContext) {
    await world.pass(life);
    const { number, plan } = world.planOf(input);
    world.noteExecution(number, name, context.toolCallId);
    const { step } = world;
    await waitRounds(plan.delayRounds);
    // The run did not wait for it: it has no part in the next one.
    if (step !== world.step) return never();
    await world.pass(life);
    return act(plan.deed, context.signal, world) as string;
  }
}

/** Two interceptors that say what the script says of each call. */
export function scriptedInterceptors(world: ScriptedWorld, life: number): readonly Interceptor[] {
  return [0, 1].map((place) => ({
    preToolCall: async (call) => {
      await world.pass(life);
      const { number, plan } = world.planOf(call.input);
      return decide(plan.before[place], number, world) as undefined;
    },
    postToolCall: async (_draft, call) => {
      await world.pass(life);
      const { number, plan } = world.planOf(call.input);
      return decide(plan.after[place], number, world) as undefined;
    },
  }));
}

const NO_INPUT: Partial<Tool> = { inputSchema: { type: "object", required: ["what no call has"] } };

function act(deed: Deed, signal: AbortSignal, world: ScriptedWorld): unknown {
  switch (deed.type) {
    case "text":
      return makeText(deed.text);
    case "output":
      return { summary: makeText(deed.summary), content: makeText(deed.content) };
    case "throw":
      throw new ScriptedError(makeText(deed.text));
    case "return-hostile":
      return hostileValues[deed.name]?.();
    case "throw-hostile":
      throw hostileValues[deed.name]?.();
    case "hang":
      return hang(deed.ending, signal);
    case "cancel":
      world.step.controller.abort();
      return "too late, perhaps";
  }
}

function hang(ending: "deaf" | "throw" | "return", signal: AbortSignal): Promise<unknown> {
  if (ending === "deaf") return never();
  return new Promise((resolve, reject) => {
    const end = () => (ending === "throw" ? reject(signal.reason) : resolve("ended by the signal"));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
}

function decide(decision: Decision | undefined, number: number, world: ScriptedWorld): unknown {
  switch (decision?.type) {
    case undefined:
    case "pass":
      return undefined;
    case "pause":
      if (!world.mayPause(number)) return undefined;
      world.step.seen.add("pause");
      return { type: "pause" };
    case "throw":
      throw new ScriptedError("an interceptor failed");
    case "hang":
      return never();
    case "hostile":
      return hostileValues[decision.name]?.();
    case "abort":
      world.step.seen.add("abort");
      return { type: "abort", reason: makeText(decision.text) };
    case "skip":
      return { type: "skip", reason: makeText(decision.text) };
    case "answer":
      return { type: "answer", output: makeText(decision.text) };
    case "edit-call":
      return { type: "edit", call: { toolName: decision.toolName, input: { number } } };
    case "edit":
      return { type: "edit", [decision.field]: makeText(decision.text) };
  }
}
