import { readFileSync } from "node:fs";
import * as surface from "@pod/llm-worker";
import * as adapter from "@pod/llm-worker/ai-sdk";
import * as sessionLog from "@pod/llm-worker/session-log";
import { expect, it } from "vitest";

// Public API (P4): a name that goes is a breaking change, and a new one should be seen in review.
it("P4: the main entry exports these values and no others", () => {
  expect(Object.keys(surface).toSorted()).toEqual([
    "BatchAbortedError",
    "BatchPausedError",
    "InvalidOptionsError",
    "LlmError",
    "RequestTooLargeError",
    "WorkerBusyError",
    "capHistory",
    "createWorker",
    "executeTools",
    "renderToolResult",
  ]);
});

it("P4: the main entry exports these types and no others", () => {
  expect(exportedNames("index.ts").filter((name) => !(name in surface))).toEqual([
    "AssistantPart",
    "CapHistoryOptions",
    "ChannelEvent",
    "ExecuteToolsOptions",
    "ExecutionOptions",
    "Interceptor",
    "InterceptorFault",
    "JsonSchema",
    "LargestItem",
    "LlmClient",
    "LlmErrorDetails",
    "LlmRequest",
    "LlmStreamPart",
    "MaybePromise",
    "Message",
    "PostToolDecision",
    "PreToolDecision",
    "RetryOptions",
    "RunOptions",
    "RunOutcome",
    "SessionEntry",
    "SessionLog",
    "StandardInputSchema",
    "Tool",
    "ToolCall",
    "ToolContext",
    "ToolInputSchema",
    "ToolOutput",
    "ToolResult",
    "ToolResultDraft",
    "Usage",
    "Worker",
    "WorkerEvent",
    "WorkerEventListener",
    "WorkerOptions",
  ]);
});

it("P4: the adapter's entry exports one value, and the types of its argument", () => {
  expect(Object.keys(adapter)).toEqual(["fromLanguageModel"]);
  expect(exportedNames("ai-sdk.ts")).toEqual([
    "LanguageModel",
    "LanguageModelCallOptions",
    "LanguageModelStreamPart",
    "LanguageModelStreamReader",
    "LanguageModelStreamResult",
    "fromLanguageModel",
  ]);
});

it("P4: the session log's entry exports two functions, an error, and their types", () => {
  expect(Object.keys(sessionLog).toSorted()).toEqual(["SessionLogError", "openSessionLog", "repairSessionLog"]);
  expect(exportedNames("session-log.ts")).toEqual([
    "LeftOutLines",
    "SessionEntry",
    "SessionLog",
    "SessionLogError",
    "SessionLogErrorCode",
    "SessionLogFault",
    "SessionLogFile",
    "SessionLogOptions",
    "SessionLogRepair",
    "openSessionLog",
    "repairSessionLog",
  ]);
});

/** Types leave no trace at run time: their names are read in the source. */
function exportedNames(file: string): readonly string[] {
  const source = readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8");
  const inBraces = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names.split(","),
  );
  const declared = [...source.matchAll(/^export (?:async )?(?:function|class|interface|type|const) (\w+)/gm)];
  const names = [...inBraces.map((name) => name.replace(/^\s*type /, "")), ...declared.map(([, name = ""]) => name)];
  return names
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .toSorted();
}
