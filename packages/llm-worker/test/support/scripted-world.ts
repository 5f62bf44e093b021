import { getEventListeners } from "node:events";
import type { CallPlan } from "./call-plan.js";
import { ScriptedLog } from "./scripted-log.js";
import type { ReplyPlan, SessionScript, StepPlan } from "./session-script.js";

/** What the script makes go wrong. Any other error out of a worker is the worker's own. */
export class ScriptedError extends Error {
  override readonly name = "ScriptedError";
}

/** What outlives a worker that dies: the log, what was done to the world, and what the provider has accepted. */
export class ScriptedWorld {
  readonly script: SessionScript;
  readonly log: ScriptedLog | undefined;
  /** What a check that nobody awaits has found. */
  readonly faults: string[] = [];
  /** The messages of the last request that was answered, as the provider reads them, and whose they were. */
  accepted: { readonly messages: readonly string[]; readonly life: number } = { messages: [], life: 0 };
  /** Taken away at the end: then nothing is in the way any more. */
  isHostile = true;
  repliesUsed = 0;
  /** Workers so far: one that was thrown away does nothing any more. */
  life = 0;
  step: StepState;
  readonly #plans: CallPlan[] = [];
  /** By number of the call. */
  readonly #executions = new Map<number, readonly string[]>();
  readonly #pauses = new Map<number, number>();

  constructor(script: SessionScript) {
    this.script = script;
    this.log = script.log && new ScriptedLog(this, script.log);
    this.step = new StepState({ type: "run", input: "", cancelAt: undefined, crashAt: undefined });
  }

  beginStep(plan: StepPlan): StepState {
    this.step = new StepState(plan);
    return this.step;
  }

  /** Every hook passes here first, as often as it likes: a moment at which the script may cancel the run or kill the worker. */
  async pass(life: number): Promise<void> {
    if (life !== this.life) return never();
    const { step } = this;
    const moment = ++step.moments;
    if (moment === step.plan.cancelAt) step.controller.abort();
    if (moment !== step.plan.crashAt) return;
    this.life++;
    step.crash();
    return never();
  }

  nextReply(): ReplyPlan {
    const reply = this.isHostile ? this.script.replies[this.repliesUsed++] : undefined;
    return reply ?? { type: "answer", parts: [{ type: "text", text: "Done." }], usage: "counted" };
  }

  /** The number by which a call that the model asks for is known, whatever becomes of its id and name. */
  addPlan(plan: CallPlan): number {
    return this.#plans.push(plan) - 1;
  }

  planOf(input: unknown): { readonly number: number; readonly plan: CallPlan } {
    const number = Number(Object(input).number);
    const plan = this.#plans[number];
    if (plan === undefined) throw new Error(`no call has the number ${number}`);
    return { number, plan };
  }

  /** Each decision to pause stands once: then the person has approved. */
  mayPause(number: number): boolean {
    const pauses = this.#pauses.get(number) ?? 0;
    this.#pauses.set(number, pauses + 1);
    return pauses < 1;
  }

  noteExecution(number: number, toolName: string, toolCallId: string): void {
    const before = this.#executions.get(number) ?? [];
    this.#executions.set(number, [...before, toolName]);
    const name = `call ${number} (${JSON.stringify(toolCallId)})`;
    if (before.length > 0 && toolName !== "Idem") this.faults.push(`${name} was executed again by ${toolName}`);
    if (this.log?.finished.has(toolCallId)) this.faults.push(`${name} was executed after it had finished`);
    if (this.log && !this.log.started.has(toolCallId)) this.faults.push(`${name} was executed and not written down`);
  }

  get executions(): number {
    return this.#executions.size;
  }
}

/** One step: a run, a resume, or a crash between two of them. */
export class StepState {
  readonly plan: StepPlan;
  readonly controller: AbortController = new AbortController();
  readonly crashed: Promise<"crashed">;
  /** Told by the hooks: what may explain how the step ends. */
  readonly seen: Set<"pause" | "abort" | "failure"> = new Set();
  /** Of the last request that was refused for its size: the next one is to be smaller. */
  refusedBytes: number = Number.POSITIVE_INFINITY;
  crash: () => void = () => {};
  moments = 0;
  requests = 0;

  constructor(plan: StepPlan) {
    this.plan = plan;
    if (plan.cancelAt === 0) this.controller.abort();
    this.crashed = new Promise((resolve) => {
      this.crash = () => resolve("crashed");
    });
  }

  get listeners(): number {
    return getEventListeners(this.controller.signal, "abort").length;
  }
}

export function never(): Promise<never> {
  return new Promise(() => {});
}
