import { cutText } from "./cut-text.js";
import { describeFault } from "./describe-value.js";
import { type OutputLimit, readKeep, readMaxBytes } from "./limits.js";
import { type EarlierCut, readCut } from "./match-truncation.js";
import { measure } from "./piece.js";
import type { CappedText, Truncation } from "./truncation.js";

/** The part of a tool result that the cap looks at. */
export interface CappableResult {
  content?: string;
  truncation?: Truncation;
}

/**
 * Caps the `content` of a tool result and leaves every other field alone. The same object comes back exactly when `content`
 * is absent, or well-formed and within the limit. Otherwise a new object comes back, with `truncation` where it was cut. A
 * content that was cut before is cut again as if from its original, provided that its `truncation` matches it; a record that
 * does not match is dropped, and the content capped as a fresh text.
 *
 * @throws RangeError where `limit.maxBytes` is not an integer from 1 to 2,147,483,647; TypeError for a result or a limit that
 * is not an object, and for a `content` that is neither absent nor a string.
 */
export function capToolResult<R extends { content?: string; truncation?: Truncation }>(
  result: R,
  limit: OutputLimit,
): R {
  const content = readContent(result);
  const maxBytes = readMaxBytes(limit, "limit");
  const keep = readKeep(limit, "limit");
  if (content === undefined) return result;
  if (content.length * 3 <= maxBytes && content.isWellFormed()) return result;
  const whole = measure(content);
  const fits = whole.bytes <= maxBytes;
  if (fits && content.isWellFormed()) return result;
  const cut = readCut(whole, readTruncation(result));
  if (fits) return withContent(result, content.toWellFormed(), cut?.truncation);
  const { text, truncation } = cut ? cutAgain(cut, maxBytes) : cutText(whole, whole, whole.bytes, maxBytes, keep);
  return withContent(result, text, truncation);
}

function cutAgain({ start, end, truncation }: EarlierCut, maxBytes: number): CappedText {
  return cutText(start, end, truncation.originalBytes, maxBytes, truncation.keep);
}

/** The content of a tool result, read once. */
export function readContent(result: CappableResult): string | undefined {
  if (typeof result !== "object" || result === null) {
    throw new TypeError(describeFault("result", "an object", result, '{ content: "…" }'));
  }
  const content: unknown = result.content;
  if (content === undefined || typeof content === "string") return content;
  const remedy = "content: JSON.stringify(value)";
  throw new TypeError(describeFault("result.content", "a string or nothing", content, remedy));
}

/** The record of a tool result, read once, whatever it is. */
export function readTruncation(result: CappableResult): unknown {
  try {
    return result.truncation;
  } catch {
    // The content is capped all the same.
    return undefined;
  }
}

/** A copy of a tool result with another content. Every other field is read once; their order and the prototype stay. */
export function withContent<R extends object>(result: R, content: string, truncation: Truncation | undefined): R {
  const changed = new Map<PropertyKey, unknown>([
    ["content", content],
    ["truncation", truncation],
  ]);
  const fields = new Map<PropertyKey, unknown>();
  for (const key of [...Reflect.ownKeys(result), ...changed.keys()]) {
    if (changed.has(key)) fields.set(key, changed.get(key));
    else if (Object.prototype.propertyIsEnumerable.call(result, key)) fields.set(key, Reflect.get(result, key));
  }
  if (truncation === undefined) fields.delete("truncation");
  return Object.setPrototypeOf(Object.fromEntries(fields), Object.getPrototypeOf(result));
}
