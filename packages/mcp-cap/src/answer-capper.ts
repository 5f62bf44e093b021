import { isUtf8 } from "node:buffer";
import type { OutputLimit } from "@pod/tool-output-cap";
import { capJsonRpcError } from "@pod/tool-output-cap/mcp";
import { annotateTools, readToolPage, type ToolPage } from "./annotate-tools.js";
import type { CallLog } from "./call-log.js";
import type { CallStats } from "./call-stats.js";
import { type CappedMethod, capResult, capTask } from "./cap-result.js";
import type { Edit } from "./edit-line.js";
import { isJsonObject, type JsonValue } from "./json-value.js";
import type { LineBytes } from "./line-bytes.js";
import { formatError } from "./line-error.js";
import { hasId, type MessageOutline, readText, type Span } from "./message-outline.js";
import { parseJson, TooManyValuesError } from "./parse-json.js";
import { printJson } from "./print-json.js";

/** What the capper works with. */
export interface AnswerCapperOptions {
  readonly calls: CallLog;
  readonly stats: CallStats;
  limitOf(name: string): OutputLimit;
  /** Hears of each answer to `tools/list`. */
  onTools(page: ToolPage): void;
}

/** Finds what is to be changed in the server's messages. */
export class AnswerCapper {
  readonly #options: AnswerCapperOptions;

  constructor(options: AnswerCapperOptions) {
    this.#options = options;
  }

  /** The edits of one message; none for whatever is no answer to a call, or needs no cut. */
  cap(line: LineBytes, outline: MessageOutline): readonly Edit[] {
    const call = this.#options.calls.takeAnswered(outline);
    if (call === undefined) return this.#capTaskNotification(line, outline);
    const { method, name } = call;
    if (method === "tools/list") return this.#annotate(line, outline);
    const edits = orError(outline, () => this.#capAnswer(line, outline, method, name));
    const bytesIn = sum([...outline.parts.result, ...outline.parts.error].map(lengthOf));
    const change = sum(edits.map(({ span, json }) => Buffer.byteLength(json) - lengthOf(span)));
    this.#options.stats.add(name, { bytesIn, bytesOut: bytesIn + change, isCapped: edits.length > 0 });
    return edits;
  }

  #capAnswer(line: LineBytes, { parts }: MessageOutline, method: CappedMethod, name: string): readonly Edit[] {
    const limit = this.#options.limitOf(name);
    return [
      ...capParts(line, parts.result, limit, (result) => capResult(result, method, limit)),
      ...capParts(line, parts.error, limit, (error) => capJsonRpcError(error, limit)),
    ];
  }

  /** Since 2026-07-28 a task that is done may be announced with what it came to. */
  #capTaskNotification(line: LineBytes, outline: MessageOutline): readonly Edit[] {
    if (hasId(outline) || readText(outline.tokens.method) !== "notifications/tasks") return [];
    const limit = this.#options.limitOf(this.#options.calls.findTaskName(outline) ?? "notifications/tasks");
    return capParts(line, outline.parts.params, limit, (task) => (isJsonObject(task) ? capTask(task, limit) : task));
  }

  #annotate(line: LineBytes, outline: MessageOutline): readonly Edit[] {
    const annotate = (result: JsonValue) => {
      if (!isJsonObject(result)) return result;
      this.#options.onTools(readToolPage(result));
      return annotateTools(result, this.#options.limitOf);
    };
    return orError(outline, () => outline.parts.result.flatMap((span) => editPart(line, span, annotate)));
  }
}

/** An answer that cannot be held in memory is one that cannot be capped. */
function orError(outline: MessageOutline, edit: () => readonly Edit[]): readonly Edit[] {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof TooManyValuesError)) throw error;
    const fault = { reason: `the server's answer has ${error.message}`, remedy: "Ask for less" };
    return [{ span: outline.span, json: formatError(outline, fault) }];
  }
}

function capParts(
  line: LineBytes,
  spans: readonly Span[],
  { maxBytes }: OutputLimit,
  cap: (value: JsonValue) => JsonValue,
): readonly Edit[] {
  // JSON is never shorter than what it says, but for bytes that are no UTF-8, which readers make longer.
  const isSmall = (span: Span) => lengthOf(span) <= maxBytes && isUtf8(line.join(span));
  return spans.filter((span) => !isSmall(span)).flatMap((span) => editPart(line, span, cap));
}

function editPart(line: LineBytes, span: Span, change: (value: JsonValue) => JsonValue): readonly Edit[] {
  let value: JsonValue;
  try {
    value = parseJson(line.join(span));
  } catch (error) {
    // No client can read it either: it is theirs to say so.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  const changed = change(value);
  return changed === value ? [] : [{ span, json: printJson(changed) }];
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
