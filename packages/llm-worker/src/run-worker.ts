import { findUnknownTools } from "@pod/tool-output-cap";
import { askModel } from "./ask-model.js";
import { copyText } from "./copy-text.js";
import { emitResults } from "./events.js";
import { executeBatch } from "./execute-tools.js";
import { callsOf } from "./history.js";
import { FaultList } from "./invalid-options-error.js";
import { type Loop, prepareLoop, type WorkerOptions } from "./loop.js";
import type { AssistantPart, Message } from "./messages.js";
import { claimId } from "./tool-calls.js";

/** One conversation. It remembers; it does one run at a time. */
export interface Worker {
  /**
   * Gives the model an input and loops until it asks for no more tools. Whatever the outcome, history holds one result
   * for every call afterwards, and the next run can go on from there.
   *
   * @throws RequestTooLargeError, LlmError or what the client throws, where the provider fails; WorkerBusyError while
   * another run goes on; InvalidOptionsError for arguments that make no sense.
   */
  run(input: string, options?: { readonly signal?: AbortSignal }): Promise<RunOutcome>;
  /** Frozen, plain JSON. It is only ever appended to. */
  readonly history: readonly Message[];
}

/** How a run ended, where the provider did not fail. History is consistent after each of them. */
export type RunOutcome =
  | { readonly type: "finished"; readonly text: string }
  | { readonly type: "max-turns" }
  /** An interceptor ended the run. */
  | { readonly type: "aborted"; readonly reason: string }
  | { readonly type: "cancelled" };

/** A worker does one run at a time: its history is one conversation. */
export class WorkerBusyError extends Error {
  override readonly name = "WorkerBusyError";

  constructor() {
    super("The worker is in a run. Await it, or make a worker for each conversation.");
  }
}

/**
 * An agent's loop: ask the model, execute the tool calls of its answer, append one capped result per call, again.
 *
 * @throws InvalidOptionsError that tells every fault of the options.
 */
export function createWorker(options: WorkerOptions): Worker {
  const loop = prepareLoop(options);
  let isBusy = false;
  let hasWarned = false;
  return {
    get history() {
      return loop.history.messages;
    },
    async run(input, options = {}) {
      checkRun(input, options);
      if (isBusy) throw new WorkerBusyError();
      isBusy = true;
      try {
        if (!hasWarned) warnOfUnknownTools(loop);
        hasWarned = true;
        loop.history.append({ role: "user", text: copyText(input) });
        return await runTurns(loop, options.signal ?? new AbortController().signal);
      } finally {
        isBusy = false;
      }
    },
  };
}

async function runTurns(loop: Loop, signal: AbortSignal): Promise<RunOutcome> {
  const { emit } = loop.execution;
  for (let turn = 1; turn <= loop.maxTurns; turn++) {
    emit({ type: "turn-start", turn });
    try {
      const outcome = await runTurn(loop, turn, signal);
      if (outcome !== undefined) return outcome;
    } finally {
      emit({ type: "turn-end", turn });
    }
  }
  return { type: "max-turns" };
}

/** One request, its answer, and the batch that it asks for. No outcome: the loop goes on. */
async function runTurn(loop: Loop, turn: number, signal: AbortSignal): Promise<RunOutcome | undefined> {
  const { execution, history } = loop;
  const request = Object.freeze({ ...loop.preamble, messages: history.messages });
  const answer = await askModel(request, { loop, turn, signal });
  if (answer === "cancelled") return { type: "cancelled" };
  loop.cachedInputTokens = answer.usage.cachedInputTokens ?? 0;
  execution.emit({ type: "usage", usage: answer.usage });

  const message = assistantMessage(answer.parts, history.callIds);
  if (message.parts.length > 0) history.append(message);
  const calls = callsOf(message);
  if (calls.length === 0) return { type: "finished", text: textOf(message.parts) };

  const { results, abortReason } = await executeBatch(calls, execution, signal);
  history.append({ role: "tool", results });
  emitResults(results, execution.emit);
  if (abortReason !== undefined) return { type: "aborted", reason: abortReason };
  return signal.aborted ? { type: "cancelled" } : undefined;
}

function assistantMessage(parts: readonly AssistantPart[], takenIds: Set<string>) {
  const claimed = parts.map((part) => (part.type === "tool-call" ? claimId(part, takenIds) : part));
  return { role: "assistant", parts: Object.freeze(claimed) } as const;
}

function textOf(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function warnOfUnknownTools({ execution }: Loop): void {
  for (const { name, nearest } of findUnknownTools(execution.limits, execution.tools.keys())) {
    const hint = nearest === undefined ? "" : ` The nearest is ${JSON.stringify(nearest)}.`;
    const message = `A limit names the tool ${JSON.stringify(name)}, which the worker does not have.${hint}`;
    execution.emit({ type: "warning", message, toolName: name, ...(nearest !== undefined && { nearest }) });
  }
}

function checkRun(input: string, options: { readonly signal?: AbortSignal }): void {
  const faults = new FaultList();
  const isText = typeof input === "string" && input.trim() !== "";
  faults.expect(isText, "input", "a string that is not blank", input);
  faults.expectObject(options, "options");
  faults.expectSignal(options.signal, "options.signal");
  faults.throwIfAny();
}
