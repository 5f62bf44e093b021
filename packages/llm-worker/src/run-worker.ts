import { findUnknownTools } from "@pod/tool-output-cap";
import { askModel } from "./ask-model.js";
import { copyText } from "./copy-text.js";
import { FaultList, InvalidOptionsError } from "./invalid-options-error.js";
import { learnUsage } from "./learn-usage.js";
import { loadSession } from "./load-session.js";
import { type AssistantPart, callsOf, type Message, type ToolCall } from "./messages.js";
import { closeOpenBatch, executeOpenBatch } from "./open-batch.js";
import { prepareWorker, type WorkerOptions, type WorkerState } from "./worker-state.js";

/** One conversation. It remembers; it does one run at a time. */
export interface Worker {
  /**
   * Gives the model an input and loops until it asks for no more tools. Whatever the outcome, history holds one result for
   * every call: the next run goes on from there. Calls that a pause or a crash left open are closed first, not run.
   *
   * @throws RequestTooLargeError, LlmError or what the client, the log or `sleep` throws; WorkerBusyError while another run
   * goes on; InvalidOptionsError for arguments, or entries of the log, that make no sense.
   */
  run(input: string, options?: RunOptions): Promise<RunOutcome>;
  /**
   * Goes on where the last run ended: after a failure of the provider, a pause, `max-turns`, or, with a log, after the
   * process died. A finished call never runs again; one that had started is closed as "outcome unknown", unless its tool
   * is idempotent; one that had not started runs. After a run that finished, the same outcome comes again, unless
   * its answer said nothing.
   *
   * @throws As `run`; InvalidOptionsError also where there is nothing to go on with.
   */
  resume(options?: RunOptions): Promise<RunOutcome>;
  /** A frozen, plain snapshot. Later messages are only ever appended. Calls come in together with their results. */
  readonly history: readonly Message[];
}

/** What a run may be given. */
export interface RunOptions {
  /** Cancels the run: what has not finished gets a result that says so. */
  readonly signal?: AbortSignal;
}

/** How a run ended, where the provider did not fail. History is consistent after each of them. */
export type RunOutcome =
  | { readonly type: "finished"; readonly text: string }
  | { readonly type: "max-turns" }
  /** An interceptor ended the run. */
  | { readonly type: "aborted"; readonly reason: string }
  /** An interceptor paused the run: these calls wait for its decision, which `resume` asks for again. */
  | { readonly type: "paused"; readonly calls: readonly ToolCall[] }
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
  let isReady = false;
  return {
    get history() {
      return worker.history.messages;
    },
    async run(input, options = {}) {
      const signal = checkRun(options, input);
      return alone(async () => {
        await closeOpenBatch(worker);
        await addMessage({ role: "user", text: copyText(input) }, worker);
        return runTurns(worker, signal);
      });
    },
    async resume(options = {}) {
      const signal = checkRun(options);
      return alone(() => goOn(worker, signal));
    },
  };

  async function alone(act: () => Promise<RunOutcome>): Promise<RunOutcome> {
    if (isBusy) throw new WorkerBusyError();
    isBusy = true;
    try {
      await worker.journal.settled();
      if (!isReady) {
        await loadSession(worker);
        emitUnknownTools(worker);
      }
      isReady = true;
      return await act();
    } finally {
      isBusy = false;
    }
  }
}

async function goOn(worker: WorkerState, signal: AbortSignal): Promise<RunOutcome> {
  const { history } = worker;
  const last = history.messages.at(-1);
  if (history.open === undefined && last === undefined) throw new InvalidOptionsError([NOTHING_TO_RESUME]);
  if (history.open === undefined && last?.role === "assistant") return { type: "finished", text: joinText(last.parts) };
  return (await executeOpenBatch(worker, signal)) ?? runTurns(worker, signal);
}

const NOTHING_TO_RESUME = "resume: expected a session that has begun, received an empty one. Write: worker.run(input)";

async function addMessage(message: Message, { journal, history }: WorkerState): Promise<void> {
  await journal.append({ type: "message", message });
  history.append(message);
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
  const { setup, history, journal } = worker;
  const answer = await askModel({ worker, turn, signal });
  if (answer === "cancelled") return { type: "cancelled" };
  learnUsage(answer.usage, worker);
  setup.emit({ type: "usage", usage: answer.usage });
  const message = history.takeAnswer(answer.parts);
  if (message.parts.length > 0) await journal.append({ type: "message", message });
  if (callsOf(message).length === 0) return { type: "finished", text: joinText(message.parts) };
  return executeOpenBatch(worker, signal);
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

/** The signal of a run. An input is checked where one is expected. */
function checkRun(options: RunOptions, ...inputs: readonly string[]): AbortSignal {
  const faults = new FaultList();
  for (const input of inputs) {
    const isText = typeof input === "string" && input.trim() !== "";
    faults.expect(isText, "input", "a string that is not blank", input);
  }
  faults.expectObject(options, "options");
  faults.expectSignal(options.signal, "options.signal");
  faults.throwIfAny();
  return options.signal ?? new AbortController().signal;
}
