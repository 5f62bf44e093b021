import type { Message, ToolResult } from "../../src/index.js";
import type { SessionEntry } from "../../src/session-log.js";
import { ALL_CALL_IDS, summaryOf, toolNameOf } from "./crash-session.js";
import { resultsIn } from "./with-worker.js";

/** What a session has left behind at some moment: in its log, and in the world. */
export interface Traces {
  readonly entries: readonly SessionEntry[];
  /** A call id for each time that a call ran to its end. */
  readonly effects: readonly string[];
}

/** What went wrong between a crash and the end of the session that was resumed after it. */
export function findCrashFaults(crash: Traces, end: Traces, history: readonly Message[]): readonly string[] {
  const started = new Set(crash.entries.flatMap((entry) => (entry.type === "call-started" ? [entry.toolCallId] : [])));
  const finished = finishedIn(crash.entries);
  const finishedAtEnd = finishedIn(end.entries);
  const inHistory = new Map(resultsIn(history).map((result) => [result.toolCallId, [result]]));
  return ALL_CALL_IDS.flatMap((id) => {
    const runsBefore = crash.effects.filter((ran) => ran === id).length;
    const runs = end.effects.filter((ran) => ran === id).length - runsBefore;
    const [result] = inHistory.get(id) ?? [];
    const [before, ...moreBefore] = finished.get(id) ?? [];
    const faults = {
      "has no result in history": result === undefined,
      "has not one result in the log": finishedAtEnd.get(id)?.length !== 1 || moreBefore.length > 0,
      "ran before its start was written down": runsBefore > 0 && !started.has(id),
      "ran twice": runs + runsBefore > 1 && toolNameOf(id) === "Send",
      ...(before !== undefined
        ? { "had finished and ran again": runs !== 0, "had finished otherwise": !isSame(result, before) }
        : started.has(id) && toolNameOf(id) === "Send"
          ? { "had started and ran again": runs !== 0, "is not closed as unknown": !isUnknown(result) }
          : { "did not run once more": runs !== 1, "has not its own result": result?.summary !== summaryOf(id) }),
    };
    return Object.entries(faults).flatMap(([fault, isThere]) => (isThere ? [`${id} ${fault}`] : []));
  });
}

/** By call id. */
function finishedIn(entries: readonly SessionEntry[]): ReadonlyMap<string, readonly ToolResult[]> {
  const finished = new Map<string, ToolResult[]>();
  for (const entry of entries) {
    if (entry.type !== "call-finished") continue;
    const { result } = entry;
    finished.set(result.toolCallId, [...(finished.get(result.toolCallId) ?? []), result]);
  }
  return finished;
}

function isSame(result: ToolResult | undefined, before: ToolResult): boolean {
  return JSON.stringify(result) === JSON.stringify(before);
}

function isUnknown(result: ToolResult | undefined): boolean {
  return result?.isError === true && result.summary.startsWith("outcome unknown");
}
