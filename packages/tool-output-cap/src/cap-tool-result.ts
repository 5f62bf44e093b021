import { byteLength } from "#byte-length";
import { type CappedText, cutText, type Truncation } from "./cap-text.js";
import { describeValue } from "./describe-value.js";
import { isMaxBytes, type OutputLimit, readMaxBytes } from "./limits.js";
import { formatSuffix } from "./marker.js";

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
  return withContent(result, capAgain(content, contentBytes, readRecord(result), maxBytes));
}

function capAgain(content: string, contentBytes: number, record: Truncation | undefined, maxBytes: number): CappedText {
  const suffix = record && findSuffix(content, contentBytes, record);
  if (record === undefined || suffix === undefined) {
    if (contentBytes <= maxBytes) return { text: content.toWellFormed() };
    return cutText(content, contentBytes, contentBytes, maxBytes);
  }
  if (contentBytes <= maxBytes) return { text: content.toWellFormed(), truncation: record };
  const kept = content.slice(0, content.length - suffix.length);
  return cutText(kept, record.keptBytes, record.originalBytes, maxBytes);
}

/** What a cut that left this record put behind the kept part, if the content ends with it and its size agrees. */
function findSuffix(content: string, contentBytes: number, record: Truncation): string | undefined {
  const suffix = formatSuffix(record.originalBytes, record.droppedBytes, record.maxBytes);
  if (contentBytes !== record.keptBytes + suffix.length || contentBytes > record.maxBytes) return undefined;
  return content.endsWith(suffix) ? suffix : undefined;
}

/** The four numbers of a record, each read once, if they can come from one cut. */
function readRecord(result: { readonly truncation?: Truncation }): Truncation | undefined {
  try {
    const record = result.truncation;
    if (typeof record !== "object" || record === null) return undefined;
    const { maxBytes, originalBytes, keptBytes, droppedBytes } = record;
    const isRecord =
      isMaxBytes(maxBytes) &&
      [originalBytes, keptBytes, droppedBytes].every((bytes) => Number.isSafeInteger(bytes) && bytes >= 0) &&
      droppedBytes > 0 &&
      originalBytes === keptBytes + droppedBytes;
    return isRecord ? { maxBytes, originalBytes, keptBytes, droppedBytes } : undefined;
  } catch {
    // A getter or proxy that throws is one more record that does not match: the content is capped all the same.
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
