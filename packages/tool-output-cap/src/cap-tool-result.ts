import { byteLength } from "#byte-length";
import { capText } from "./cap-text.js";
import { cutText } from "./cut-text.js";
import { describeValue } from "./describe-value.js";
import { type OutputLimit, readKeep, readMaxBytes } from "./limits.js";
import { readCut } from "./match-truncation.js";
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
  checkResult(result);
  const checked = { maxBytes: readMaxBytes(limit, "limit"), keep: readKeep(limit, "limit") ?? "head" };
  const content = readContent(result);
  if (content === undefined) return result;
  if (content.length * 3 <= checked.maxBytes && content.isWellFormed()) return result;
  const contentBytes = byteLength(content);
  if (contentBytes <= checked.maxBytes && content.isWellFormed()) return result;
  return withContent(result, capAgain(content, contentBytes, readTruncation(result), checked));
}

function capAgain(content: string, contentBytes: number, record: unknown, limit: Required<OutputLimit>): CappedText {
  const cut = readCut(content, contentBytes, record);
  if (cut === undefined) return capText(content, limit);
  if (contentBytes <= limit.maxBytes) return { text: content.toWellFormed(), truncation: cut.truncation };
  return cutText(cut.remains, limit.maxBytes, cut.truncation.keep);
}

/** Throws unless the value is an object, which a tool result is. */
export function checkResult(result: unknown): void {
  if (typeof result === "object" && result !== null) return;
  throw new TypeError(`result: expected an object, received ${describeValue(result)}. Write: { content: "…" }`);
}

/** The content of a tool result, read once. */
export function readContent(result: CappableResult): string | undefined {
  const content: unknown = result.content;
  if (content === undefined || typeof content === "string") return content;
  throw new TypeError(
    `result.content: expected a string or nothing, received ${describeValue(content)}. Write: content: JSON.stringify(value)`,
  );
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

/** A copy of a tool result with another content. Every other field is read once; the order of the fields and the prototype stay. */
export function withContent<R extends object>(result: R, capped: CappedText): R {
  const fields: PropertyDescriptorMap = Object.create(null);
  for (const key of Reflect.ownKeys(result)) {
    if (key === "content") setField(fields, key, capped.text);
    else if (key === "truncation") {
      if (capped.truncation !== undefined) setField(fields, key, capped.truncation);
    } else if (Object.prototype.propertyIsEnumerable.call(result, key)) setField(fields, key, Reflect.get(result, key));
  }
  setField(fields, "content", capped.text);
  if (capped.truncation !== undefined) setField(fields, "truncation", capped.truncation);
  return Object.create(Object.getPrototypeOf(result), fields);
}

function setField(fields: PropertyDescriptorMap, key: PropertyKey, value: unknown): void {
  fields[key] = { value, writable: true, enumerable: true, configurable: true };
}
