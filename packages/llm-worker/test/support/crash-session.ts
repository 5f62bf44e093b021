import { appendFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { createWorker, type LlmClient, type RunOutcome, type Tool, type Worker } from "../../src/index.js";
import type { SessionEntry, SessionLog } from "../../src/session-log.js";

const TURNS = 4;
const CALLS = 5;

/** A session that comes to the same calls whoever runs it: the model decides by the history that it is sent. */
const client: LlmClient = {
  async *stream({ messages }) {
    const turn = messages.filter(({ role }) => role === "assistant").length;
    if (turn < TURNS) for (const toolCallId of callIdsOf(turn)) yield callOf(toolCallId);
    else yield { type: "text", text: "Done." };
    yield { type: "finish", usage: {} };
  },
};

export const ALL_CALL_IDS: readonly string[] = Array.from({ length: TURNS }, (_, turn) => callIdsOf(turn)).flat();

/** Entries of a session that nothing disturbs. */
export const ALL_ENTRIES: number = 2 + TURNS * (2 + CALLS * 2);

/** Two calls of each batch are of a tool that may run twice. */
export function toolNameOf(toolCallId: string): "Send" | "Put" {
  return /[13]$/.test(toolCallId) ? "Put" : "Send";
}

/** What a call says when it has run. */
export function summaryOf(toolCallId: string): string {
  return `${toolCallId} is done`;
}

function callIdsOf(turn: number): readonly string[] {
  return Array.from({ length: CALLS }, (_, place) => `turn-${turn}-call-${place}`);
}

function callOf(toolCallId: string) {
  return { type: "tool-call", toolCallId, toolName: toolNameOf(toolCallId), input: { for: toolCallId } } as const;
}

/** A worker on a log whose tools leave a line with their call id in `effects` when they have run. */
export function workerOn(log: SessionLog, effects: string): Worker {
  return createWorker({ client, log, maxConcurrency: 2, tools: [toolOf("Send", effects), toolOf("Put", effects)] });
}

/** Goes on with the session, or begins it where the log is empty. */
export async function goOn(worker: Worker, log: { read(): AsyncIterable<SessionEntry> }): Promise<RunOutcome> {
  for await (const _ of log.read()) return worker.resume();
  return worker.run("Do it all");
}

function toolOf(name: string, effects: string): Tool {
  return {
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: "object" },
    idempotent: name === "Put",
    async execute(_input, { toolCallId }) {
      // Calls of a batch take different times, before their effect and after it.
      for (let left = Number(toolCallId.at(-1)); left > 0; left -= 1) await setImmediate();
      appendFileSync(effects, `${toolCallId}\n`);
      await setImmediate();
      return { summary: summaryOf(toolCallId), content: "x".repeat(Number(toolCallId.at(-1)) * 100) };
    },
  };
}
