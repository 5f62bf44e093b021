import type { Truncation } from "../truncation.js";
import { createJsonBuilder } from "./build-json.js";
import { shrinkJson } from "./shrink-json.js";
import { WHOLE, walkJson } from "./walk-json.js";

/** A value within its limit: the same one where it was; `truncation` is there exactly where it was cut. */
export interface CappedJson {
  readonly value: unknown;
  /** UTF-8 bytes of its JSON. */
  readonly bytes: number;
  readonly truncation?: Truncation;
}

/** Brings a value within `maxBytes` of JSON. Ill-formed texts, and what JSON cannot say, make a copy of one that fits. */
export function capJson(value: unknown, maxBytes: number): CappedJson {
  const { bytes: originalBytes, isPlain } = walkJson(value, WHOLE, Number.POSITIVE_INFINITY);
  if (originalBytes > maxBytes) {
    const shrunk = shrinkJson(value, maxBytes);
    const keptBytes = shrunk.bytes;
    const truncation = { maxBytes, originalBytes, keptBytes, droppedBytes: originalBytes - keptBytes };
    return { value: shrunk.value, bytes: keptBytes, truncation };
  }
  return { value: isPlain ? value : copyJson(value), bytes: originalBytes };
}

/** A plain copy with well-formed texts. */
function copyJson(value: unknown): unknown {
  const builder = createJsonBuilder();
  walkJson(value, WHOLE, Number.POSITIVE_INFINITY, builder);
  return builder.value();
}
