import { findUnknownTools } from "@pod/tool-output-cap";
import { askModel } from "./ask-model.js";
import { copyText } from "./copy-text.js";
import { emitResults } from "./events.js";
import { executeBatch } from "./execute-tools.js";
import { callsOf } from "./history.js";
import { FaultList } from "./invalid-options-error.js";
import type { AssistantPart, Message } from "./messages.js";
import { prepareWorker, type WorkerOptions, type WorkerState } from "./worker-state.js";

/** One conversation. It remembers; it does one run at a time. */
export interface Worker {
  /**
   * Gives the model an input and loops until it asks for no more tools. Whatever the outcome, history holds the input,
   * and one result for every call: the next run goes on from there. Where a run failed, say "go on" in the next one; the
   * same input again would stand in history twice.
   *
   * @throws RequestTooLargeError, LlmError or what the client or `sleep` throws, where the provider fails; WorkerBusyError while
   * another run goes on; InvalidOptionsError for arguments that make no sense.
   */
  run(input: string, options?: { readonly signal?: AbortSignal }): Promise<RunOutcome>;
  /** A frozen, plain snapshot. Later messages are only ever appended. */
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
 * An agent's loop: ask the model, execute the tool calls of its answer, append one capped result per call, repeat.
 *
 * @throws InvalidOptionsError that tells every fault of the options.
 */
export function createWorker(options: WorkerOptions): Worker {
  const worker = prepareWorker(options);
  let isBusy = false;
  let hasWarned = false;
  return {
    get history() {
      return worker.history.messages;
    },
    async run(input, options = {}) {
      checkRun(input, options);
      if (isBusy) throw new WorkerBusyError();
      isBusy = true;
      try {
        if (!hasWarned) emitUnknownTools(worker);
        hasWarned = true;
        worker.history.append({ role: "user", text: copyText(input) });
        return await runTurns(worker, options.signal ?? new AbortController().signal);
      } finally {
        isBusy = false;
      }
    },
  };
}

async function runTurns(worker: WorkerState, signal: AbortSignal): Promise<RunOutcome> {
  const { emit } = worker.setup;
  for (let turn = 1; turn <= worker.maxTurns; turn++) {
    emit({ type: "turn-start", turn });
    try {
      const outcome = await runTurn(worker, turn, signal);
      if (outcome !== undefined) return outcome;
    } finally {
      emit({ type: "turn-end", turn });
    }
  }
  return { type: "max-turns" };
}

/** One request, its answer, and the batch that it asks for. No outcome: the loop goes on. */
async function runTurn(worker: WorkerState, turn: number, signal: AbortSignal): Promise<RunOutcome | undefined> {
  const { setup, history } = worker;
  const request = Object.freeze({ ...worker.preamble, messages: history.messages });
  const answer = await askModel(request, { worker, turn, signal });
  if (answer === "cancelled") return { type: "cancelled" };
  worker.cachedInputTokens = answer.usage.cachedInputTokens ?? 0;
  setup.emit({ type: "usage", usage: answer.usage });

  const calls = callsOf(history.appendAnswer(answer.parts));
  if (calls.length === 0) return { type: "finished", text: joinText(answer.parts) };

  const { results, abortReason } = await executeBatch(calls, setup, signal);
  history.append({ role: "tool", results });
  emitResults(results, setup.emit);
  if (abortReason !== undefined) return { type: "aborted", reason: abortReason };
  return signal.aborted ? { type: "cancelled" } : undefined;
}

function joinText(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function emitUnknownTools({ setup }: WorkerState): void {
  for (const { name, nearest } of findUnknownTools(setup.limits, setup.tools.keys())) {
    const hint = nearest === undefined ? "" : ` The nearest is ${JSON.stringify(nearest)}.`;
    const message = `A limit names the tool ${JSON.stringify(name)}, which the worker does not have.${hint}`;
    setup.emit({ type: "warning", message, toolName: name, ...(nearest !== undefined && { nearest }) });
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
