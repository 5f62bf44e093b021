import { byteLength } from "#byte-length";
import { type CappedText, cutText, type Truncation } from "./cap-text.js";
import { describeValue } from "./describe-value.js";
import { type OutputLimit, readMaxBytes } from "./limits.js";
import { formatSuffix } from "./marker.js";
import { matchTruncation } from "./match-truncation.js";

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
  if (typeof result !== "object" || result === null) {
    throw new TypeError(`result: expected an object, received ${describeValue(result)}. Write: { content: "…" }`);
  }
  const maxBytes = readMaxBytes(limit, "limit");
  const content = result.content;
  if (content === undefined) return result;
  if (typeof content !== "string") {
    throw new TypeError(
      `result.content: expected a string or nothing, received ${describeValue(content)}. Write: content: JSON.stringify(value)`,
    );
  }
  if (content.length * 3 <= maxBytes && content.isWellFormed()) return result;
  const contentBytes = byteLength(content);
  if (contentBytes <= maxBytes && content.isWellFormed()) return result;
  return withContent(
    result,
    capAgain(content, contentBytes, matchTruncation(content, readTruncation(result)), maxBytes),
  );
}

function capAgain(content: string, contentBytes: number, record: Truncation | undefined, maxBytes: number): CappedText {
  if (record === undefined) {
    if (contentBytes <= maxBytes) return { text: content.toWellFormed() };
    return cutText(content, contentBytes, contentBytes, maxBytes);
  }
  if (contentBytes <= maxBytes) return { text: content.toWellFormed(), truncation: record };
  const suffix = formatSuffix(record.originalBytes, record.droppedBytes, record.maxBytes);
  const kept = content.slice(0, content.length - suffix.length);
  return cutText(kept, record.keptBytes, record.originalBytes, maxBytes);
}

function readTruncation(result: { readonly truncation?: Truncation }): unknown {
  try {
    return result.truncation;
  } catch {
    // The content is capped all the same.
    return undefined;
  }
}

/** A copy with another content. Every other field is read once; the order of the fields and the prototype stay. */
function withContent<R extends object>(result: R, capped: CappedText): R {
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
