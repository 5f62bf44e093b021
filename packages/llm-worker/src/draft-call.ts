import type { BatchStop } from "./batch-stop.js";
import { draftError, draftOutput } from "./draft.js";
import { errorToText } from "./error-text.js";
import { emitInterceptorFailed } from "./events.js";
import type { ExecutionSetup } from "./execution-setup.js";
import { failureText, type Interception, interceptDraft } from "./interceptors.js";
import { preview } from "./invalid-options-error.js";
import type { ToolCall, ToolResultDraft } from "./messages.js";
import { runBounded } from "./run-bounded.js";

/** The draft of a call's outcome. Undefined where the batch was aborted or cancelled before there was one. */
export async function draftCall(
  call: ToolCall,
  interception: Interception | undefined,
  setup: ExecutionSetup,
  signal: AbortSignal,
): Promise<ToolResultDraft | undefined> {
  if (signal.aborted) return undefined;
  switch (interception?.type) {
    case "run":
      return runTool(call, interception.call, setup, signal);
    case "not-run":
      return interception.draft;
    case "failed":
      return draftError(call, failureText(interception));
    default:
      return undefined;
  }
}

/** The draft as the post-tool interceptors leave it. Undefined where the batch was aborted or cancelled meanwhile. */
export async function passDraft(
  draft: ToolResultDraft,
  edited: ToolCall,
  { interceptors, interceptorTimeoutMs, emit }: ExecutionSetup,
  stop: BatchStop,
): Promise<ToolResultDraft | undefined> {
  const interception = await interceptDraft(draft, edited, interceptors, interceptorTimeoutMs, stop.signal);
  switch (interception.type) {
    case "passed":
      return interception.draft;
    case "failed":
      emitInterceptorFailed(draft, interception, "postToolCall", emit);
      return draftError(draft, failureText(interception));
    case "aborted":
      stop.abort(interception.reason);
      return undefined;
    case "cancelled":
      return undefined;
  }
}

async function runTool(
  call: ToolCall,
  edited: ToolCall,
  setup: ExecutionSetup,
  signal: AbortSignal,
): Promise<ToolResultDraft | undefined> {
  const tool = setup.tools.get(edited.toolName);
  if (tool === undefined) return draftError(call, unknownToolText(edited.toolName, setup));
  const ran = await runBounded(
    async (ownSignal) => {
      // A copy of its own: a tool may change its input, history may not change.
      const checked = await tool.checkInput(structuredClone(edited.input));
      if (checked.type === "rejected") return draftError(call, rejectionText(edited.toolName, checked.reasons));
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

function unknownToolText(toolName: string, { tools }: ExecutionSetup): string {
  return `unknown tool ${preview(toolName)}. Tools: ${[...tools.keys()].join(", ")}`;
}

function rejectionText(toolName: string, reasons: readonly string[]): string {
  return [`input rejected by the schema of ${toolName}:`, ...reasons.map((reason) => `- ${reason}`)].join("\n");
}
