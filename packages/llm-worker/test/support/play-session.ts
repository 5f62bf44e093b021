import { setImmediate } from "node:timers/promises";
import {
  createWorker,
  InvalidOptionsError,
  LlmError,
  type Message,
  RequestTooLargeError,
  type RunOutcome,
  type Worker,
} from "@pod/llm-worker";
import { vi } from "vitest";
import { findSessionFaults } from "./find-session-faults.js";
import { scriptedClient } from "./scripted-client.js";
import { scriptedInterceptors, scriptedTools } from "./scripted-tools.js";
import { ScriptedError, ScriptedWorld, type StepState } from "./scripted-world.js";
import type { SessionScript, StepPlan } from "./session-script.js";
import { tellHistory } from "./tell-history.js";
import { settleInVirtualTime } from "./virtual-time.js";

/** How a step ended. */
type Ending = RunOutcome | "crashed" | { readonly type: "failed"; readonly error: unknown };

/** Plays a session to its end, which is a run that nothing hinders, and tells what was wrong after any step. */
export async function playSession(script: SessionScript): Promise<readonly string[]> {
  vi.clearAllTimers();
  const world = new ScriptedWorld(script);
  let worker = makeWorker(world, []);
  for (const plan of [...script.steps, LAST_CRASH, LAST_RUN]) {
    if (plan === LAST_CRASH) world.isHostile = false;
    const step = world.beginStep(plan);
    const before = worker.history;
    const { life } = world;
    const ended = plan.type === "crash" ? "crashed" : await play(worker, step);
    await setImmediate();
    // What a run left behind may die after its end, and takes the worker with it.
    const ending = world.life === life ? ended : "crashed";
    const faults = [
      ...world.faults,
      ...findSessionFaults(worker.history, script.limits),
      ...findEndingFaults(ending, step, world),
      ...(ending === "crashed" ? [] : findStepFaults(worker, before, step, world)),
    ];
    if (faults.length > 0) return [`after ${plan.type} (${JSON.stringify(ending).slice(0, 300)}):`, ...faults];
    if (ending === "crashed") worker = reviveWorker(worker, world);
  }
  return [];
}

const NOTHING = { input: "", cancelAt: undefined, crashAt: undefined } as const;
const LAST_CRASH: StepPlan = { ...NOTHING, type: "crash" };
const LAST_RUN: StepPlan = { ...NOTHING, type: "run", input: "And finally?" };

function makeWorker(world: ScriptedWorld, history: readonly Message[]): Worker {
  const { life, script, log } = world;
  return createWorker({
    client: scriptedClient(world, life),
    tools: scriptedTools(world, life),
    interceptors: scriptedInterceptors(world, life),
    toolOutput: script.limits,
    maxTurns: script.maxTurns,
    maxConcurrency: script.maxConcurrency,
    retry: { maxAttempts: script.maxAttempts },
    interceptorTimeoutMs: 7,
    sleep: () => world.pass(life),
    ...(log === undefined ? { history } : { log: log.open(life) }),
  });
}

/** A worker in place of one that died, which has what the log tells. Without a log the host had kept the history. */
function reviveWorker(dead: Worker, world: ScriptedWorld): Worker {
  vi.clearAllTimers();
  world.life++;
  const history: readonly Message[] = JSON.parse(JSON.stringify(dead.history));
  return makeWorker(world, history);
}

function play(worker: Worker, { plan, controller, crashed }: StepState): Promise<Ending> {
  const { signal } = controller;
  const run = plan.type === "run" ? worker.run(plan.input, { signal }) : worker.resume({ signal });
  const ended = run.catch((error: unknown) => ({ type: "failed", error }) as const);
  return settleInVirtualTime(Promise.race([ended, crashed]));
}

/** An ending that nothing explains. */
function findEndingFaults(
  ending: Ending,
  { plan, controller, seen, requests }: StepState,
  world: ScriptedWorld,
): readonly string[] {
  const { maxTurns, maxAttempts } = world.script;
  // Each of three sizes of a request as often as any request.
  const mostRequests = maxTurns * maxAttempts * 3;
  if (requests > mostRequests) return [`${requests} requests, ${mostRequests} at most`];
  if (ending === "crashed") return [];
  const isExplained = {
    finished: true,
    "max-turns": true,
    cancelled: controller.signal.aborted,
    paused: seen.has("pause"),
    aborted: seen.has("abort"),
    failed: ending.type === "failed" && isExpected(ending.error, seen.has("failure"), plan, world),
  }[ending.type];
  const isLast = plan !== LAST_RUN || ending.type === "finished";
  return isExplained && isLast
    ? []
    : [`ended as ${ending.type}: ${ending.type === "failed" ? String(ending.error) : ""}`];
}

function isExpected(error: unknown, hasFailed: boolean, plan: StepPlan, { log, life }: ScriptedWorld): boolean {
  if (error instanceof InvalidOptionsError)
    return plan.type === "resume" && error.message.startsWith("resume: expected");
  if (error instanceof ScriptedError && log?.failedInLife === life) return true;
  return (
    hasFailed && (error instanceof ScriptedError || error instanceof LlmError || error instanceof RequestTooLargeError)
  );
}

/** What a worker that lives on must be after a step. */
function findStepFaults(
  { history }: Worker,
  before: readonly Message[],
  { listeners }: StepState,
  { log, life }: ScriptedWorld,
): readonly string[] {
  const faults: string[] = [];
  const newest = before.findLastIndex(({ role }) => role === "tool");
  const changed = before.findIndex((message, index) => message !== history[index] && index !== newest);
  if (changed !== -1) faults.push(`history[${changed}] is another object than before`);
  if (listeners > 0) faults.push(`${listeners} listeners are left on the run's signal`);
  if (vi.getTimerCount() > 0) faults.push(`${vi.getTimerCount()} timers are left`);
  if (log && log.failedInLife !== life && history.length > 0) {
    const told = JSON.stringify(tellHistory(log.kept));
    if (told !== JSON.stringify(history)) faults.push(`history is not what the log tells: ${told.slice(0, 2_000)}`);
  }
  return faults;
}
