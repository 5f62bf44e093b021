import { AnswerCapper, type AnswerCapperOptions } from "./answer-capper.js";
import { editLine } from "./edit-line.js";
import { createLineErrors, type LineFault } from "./line-error.js";
import type { MessageScanner } from "./message-scanner.js";
import type { LineHandler } from "./server-lines.js";

export interface AnswerHandlerOptions extends AnswerCapperOptions {
  readonly maxLineBytes: number;
  readonly isDryRun: boolean;
  /** Takes lines for the server. */
  tellServer(lines: string): void;
  /** Hears of messages that nobody gets. */
  onWarning(warning: string): void;
}

/** Says what becomes of each line of the server's. */
export function createAnswerHandler(options: AnswerHandlerOptions): LineHandler {
  const { maxLineBytes, isDryRun, tellServer, onWarning } = options;
  const capper = new AnswerCapper(options);

  const drop = (scanner: MessageScanner, fault: LineFault): readonly Buffer[] => {
    for (const outline of scanner.outlines) options.calls.takeAnswered(outline);
    const { toClient, toServer } = createLineErrors(scanner.outlines, fault);
    if (toServer !== "") tellServer(toServer);
    if (toClient === "" && toServer === "") onWarning(`${fault.reason}, and no id. It was dropped`);
    return toClient === "" ? [] : [Buffer.from(toClient)];
  };

  return {
    handleLine: (line, scanner) => {
      if (scanner.hasMore && !isDryRun) {
        return drop(scanner, { reason: "a line of the server's has too many messages", remedy: "Ask for less" });
      }
      const edits = scanner.outlines.flatMap((outline) => capper.cap(line, outline));
      return isDryRun ? line.pieces : editLine(line, edits);
    },
    handleLongLine: (scanner) =>
      drop(scanner, {
        reason: `a line of the server's is longer than ${maxLineBytes} bytes`,
        remedy: "Ask for less, or write --max-line-bytes with a larger number",
      }),
    mayPass: (scanner) => isDryRun || scanner.isRequestSoFar,
  };
}
