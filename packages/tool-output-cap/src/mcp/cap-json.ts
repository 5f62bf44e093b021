import type { Keep } from "../limits.js";
import { copyRecord } from "../match-truncation.js";
import type { Truncation } from "../truncation.js";
import { createJsonBuilder } from "./build-json.js";
import { type JsonPart, type JsonReader, readJson } from "./read-json.js";
import { shrinkJson } from "./shrink-json.js";
import { WHOLE, walkJson } from "./walk-json.js";

/** A value within its limit: the same one where it was; `truncation` is there exactly where it was cut. */
export interface CappedJson {
  readonly value: unknown;
  readonly truncation?: Truncation;
}

/** A value that JSON can say as it is, or a copy in which texts are well-formed and nothing is odd; and the bytes of its JSON. */
export interface PlainJson {
  readonly value: unknown;
  readonly bytes: number;
}

/**
 * Brings a value within `maxBytes` of JSON. Ill-formed texts, and what JSON cannot say, make a copy of one that fits. Where the
 * record of an earlier cut matches the value, the new one counts from the value before it.
 */
export function capJson(value: unknown, maxBytes: number, keep: Keep, record?: unknown): CappedJson {
  const { bytes, hasOddValues, root } = measureJson(value);
  if (bytes <= maxBytes) return { value: hasOddValues ? copyJson(root) : value };
  const earlier = copyRecord(record);
  const originalBytes = earlier?.keptBytes === bytes ? earlier.originalBytes : bytes;
  const shrunk = shrinkJson(value, maxBytes, keep);
  const keptBytes = measureJson(shrunk).bytes;
  const truncation = { maxBytes, originalBytes, keptBytes, droppedBytes: originalBytes - keptBytes };
  return { value: shrunk, truncation: keep === "head" ? truncation : { ...truncation, keep } };
}

export function toPlainJson(value: unknown): PlainJson {
  const { bytes, hasOddValues, root } = measureJson(value);
  return { value: hasOddValues ? copyJson(root) : value, bytes };
}

function measureJson(value: unknown) {
  let hasOddValues = false;
  const onOddValue = () => {
    hasOddValues = true;
  };
  const reader: JsonReader = { onOddValue, createMemory: () => undefined };
  const root = readJson(value, reader);
  const bytes = walkJson(root, WHOLE, Number.POSITIVE_INFINITY, reader);
  return { bytes, hasOddValues, root };
}

function copyJson(root: JsonPart): unknown {
  const builder = createJsonBuilder();
  walkJson(root, WHOLE, Number.POSITIVE_INFINITY, { onOddValue() {}, createMemory: () => undefined }, builder);
  return builder.value();
}
