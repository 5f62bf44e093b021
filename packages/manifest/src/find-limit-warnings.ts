import { createWarning } from "./create-finding.js";
import type { LayerSource, StatedLimit } from "./layer.js";
import type { ManifestWarning } from "./manifest.js";

// The marker with its newlines takes about 55 bytes; a mebibyte of paths is some 600,000 tokens.
const MIN_USUAL_BYTES = 128;
const MAX_USUAL_BYTES = 1_048_576;

/** What the reader should be told of a limit that is valid. One above the ceiling is lowered, so that it is not large too. */
export function findLimitWarnings(
  limit: StatedLimit,
  source: LayerSource,
  ceiling: number | undefined,
): readonly ManifestWarning[] {
  const { maxBytes, path, position } = limit;
  if (maxBytes === undefined) return [];
  const received = String(maxBytes);
  if (ceiling !== undefined && maxBytes > ceiling) {
    const expected = `at most ${ceiling} bytes, the ceiling, to which it is lowered`;
    const details = { path, position, expected, received, remedy: limit.assign(ceiling) };
    return [createWarning(source, "above-ceiling", details)];
  }
  if (maxBytes < MIN_USUAL_BYTES) {
    const expected = `at least ${MIN_USUAL_BYTES} bytes, since little more than the marker fits`;
    const details = { path, position, expected, received, remedy: limit.assign(MIN_USUAL_BYTES) };
    return [createWarning(source, "small-limit", details)];
  }
  if (maxBytes > MAX_USUAL_BYTES) {
    const expected = `at most ${MAX_USUAL_BYTES} bytes, since a model reads no more`;
    const details = { path, position, expected, received, remedy: limit.assign(MAX_USUAL_BYTES) };
    return [createWarning(source, "large-limit", details)];
  }
  return [];
}
