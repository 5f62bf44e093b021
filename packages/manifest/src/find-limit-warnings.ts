import { createWarning } from "./create-finding.js";
import type { LayerSource, StatedLimit } from "./layer.js";
import { type LimitUnit, MAX_BYTES_PER_TOKEN, unitOf } from "./limit-values.js";
import type { ManifestWarning } from "./manifest.js";

// The marker with its newlines takes about 55 bytes. No counter says more tokens than bytes, so that 128 tokens hold 128 bytes.
const MIN_USUAL = 128;
// A mebibyte of paths is some 600,000 tokens. In tokens it is the limit that has a mebibyte for its ceiling.
const MAX_USUAL_BYTES = 1_048_576;
const MAX_USUAL: Readonly<Record<LimitUnit, number>> = {
  bytes: MAX_USUAL_BYTES,
  tokens: MAX_USUAL_BYTES / MAX_BYTES_PER_TOKEN,
};

/** What the reader should be told of a limit that is valid. One above the ceiling is lowered, so that it is not large too. */
export function findLimitWarnings(
  limit: StatedLimit,
  source: LayerSource,
  ceiling: number | undefined,
): readonly ManifestWarning[] {
  const { maxBytes, maxTokens, path, position } = limit;
  if (maxBytes === undefined) return [];
  const unit = unitOf(limit);
  const count = maxTokens ?? maxBytes;
  const received = String(count);
  if (ceiling !== undefined && maxBytes > ceiling) {
    const most = unit === "bytes" ? ceiling : Math.max(1, Math.floor(ceiling / MAX_BYTES_PER_TOKEN));
    const expected =
      unit === "bytes"
        ? `at most ${ceiling} bytes, the ceiling, to which it is lowered`
        : `at most ${most} tokens (${ceiling} bytes, the ceiling, to which its bytes are lowered)`;
    const details = { path, position, expected, received, remedy: limit.assign(most) };
    return [createWarning(source, "above-ceiling", details)];
  }
  if (count < MIN_USUAL) {
    const expected = `at least ${MIN_USUAL} ${unit}, since little more than the marker fits`;
    const details = { path, position, expected, received, remedy: limit.assign(MIN_USUAL) };
    return [createWarning(source, "small-limit", details)];
  }
  const maxUsual = MAX_USUAL[unit];
  if (count > maxUsual) {
    const expected = `at most ${maxUsual} ${unit}, since a model reads no more`;
    const details = { path, position, expected, received, remedy: limit.assign(maxUsual) };
    return [createWarning(source, "large-limit", details)];
  }
  return [];
}
