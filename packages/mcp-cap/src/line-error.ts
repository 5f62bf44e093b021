import { hasId, isAnswer, type MessageOutline } from "./message-outline.js";

/** JSON-RPC's code of an internal error. */
const INTERNAL_ERROR = -32603;

/** Why a line of the server's cannot be passed on. */
export interface LineFault {
  readonly reason: string;
  readonly remedy: string;
}

/** What each side is told in place of a line: its messages' ids with an error, or nothing. */
export interface LineErrors {
  readonly toClient: string;
  readonly toServer: string;
}

/** Answers the calls of a line that is dropped: the client's where it held answers, the server's where it asked. */
export function createLineErrors(outlines: readonly MessageOutline[], fault: LineFault): LineErrors {
  const withId = outlines.filter(hasId);
  return {
    toClient: formatErrors(withId.filter(isAnswer), fault),
    toServer: formatErrors(
      withId.filter((outline) => !isAnswer(outline) && outline.tokens.method !== undefined),
      fault,
    ),
  };
}

/** One error, in place of one answer. */
export function formatError({ tokens }: MessageOutline, { reason, remedy }: LineFault): string {
  const error = JSON.stringify({ code: INTERNAL_ERROR, message: `mcp-cap: ${reason}. ${remedy}` });
  return `{"jsonrpc":"2.0","id":${tokens.id},"error":${error}}`;
}

// One line each: whoever sent a batch, or waits for one, is told of its messages one by one, which every revision allows.
function formatErrors(outlines: readonly MessageOutline[], fault: LineFault): string {
  return outlines.map((outline) => `${formatError(outline, fault)}\n`).join("");
}
