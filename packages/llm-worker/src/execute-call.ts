import type { BatchStop } from "./batch-stop.js";
import { draftError, draftOutput } from "./draft.js";
import { errorToText } from "./error-text.js";
import { type Execution, limitOf } from "./execution.js";
import { failureText, type Interception, interceptDraft, tellFailure } from "./interceptors.js";
import type { ToolCall, ToolResult, ToolResultDraft } from "./messages.js";
import { runBounded } from "./run-bounded.js";
import { makeToolResult } from "./tool-result.js";

/**
 * Runs one call to its end: the tool (or what stands for it), the post-tool interceptors, the chokepoint. Whatever happens
 * on the way becomes the result.
 */
export async function executeCall(
  call: ToolCall,
  interception: Interception | undefined,
  execution: Execution,
  stop: BatchStop,
): Promise<ToolResult> {
  const executed = interception !== undefined && "call" in interception ? interception.call : call;
  const draft = await draftCall(call, interception, execution, stop.signal);
  const passed = draft && (await passDraft(draft, executed, execution, stop));
  return makeToolResult(passed ?? draftError(call, stop.text), limitOf(call, executed, execution.limits));
}

/** The draft of a call, or none where the batch was stopped before there was one. */
async function draftCall(
  call: ToolCall,
  interception: Interception | undefined,
  execution: Execution,
  signal: AbortSignal,
): Promise<ToolResultDraft | undefined> {
  if (signal.aborted) return undefined;
  switch (interception?.type) {
    case "run":
      return runTool(call, interception.call, execution, signal);
    case "answered":
      return interception.draft;
    case "failed":
      return draftError(call, failureText(interception));
    default:
      return undefined;
  }
}

async function runTool(
  call: ToolCall,
  executed: ToolCall,
  execution: Execution,
  signal: AbortSignal,
): Promise<ToolResultDraft | undefined> {
  const tool = execution.tools.get(executed.toolName);
  if (tool === undefined) return draftError(call, unknownToolText(executed.toolName, execution));
  const ran = await runBounded(
    async (ownSignal) => {
      // A copy of its own: a tool may change its input, history may not change.
      const checked = await tool.checkInput(structuredClone(executed.input));
      if (checked.type === "rejected") return draftError(call, rejectionText(executed.toolName, checked.reasons));
      ownSignal.throwIfAborted();
      return draftOutput(call, await tool.execute(checked.input, { toolCallId: call.toolCallId, signal: ownSignal }));
    },
    { timeoutMs: tool.timeoutMs, signal },
  );
  switch (ran.type) {
    case "settled":
      return ran.value;
    case "threw":
      return draftError(call, errorToText(ran.error));
    case "timed-out":
      return draftError(call, `timed out after ${tool.timeoutMs} ms`);
    case "cancelled":
      return undefined;
  }
}

/** The draft as the post-tool interceptors leave it, or none where they stopped the batch, or it was stopped. */
async function passDraft(
  draft: ToolResultDraft,
  executed: ToolCall,
  execution: Execution,
  stop: BatchStop,
): Promise<ToolResultDraft | undefined> {
  const interception = await interceptDraft(draft, executed, { ...execution, signal: stop.signal });
  switch (interception.type) {
    case "passed":
      return interception.draft;
    case "failed":
      tellFailure(draft, interception, "postToolCall", execution.emit);
      return draftError(draft, failureText(interception));
    case "abort":
      stop.abort(interception.reason);
      return undefined;
    case "cancelled":
      return undefined;
  }
}

function unknownToolText(toolName: string, { tools }: Execution): string {
  return `unknown tool ${JSON.stringify(toolName)}. Tools: ${[...tools.keys()].join(", ")}`;
}

function rejectionText(toolName: string, reasons: readonly string[]): string {
  return [`input rejected by the schema of ${toolName}:`, ...reasons.map((reason) => `- ${reason}`)].join("\n");
}
