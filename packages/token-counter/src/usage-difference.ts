import type { UsageSample } from "./bytes-per-token.js";
import { checkBytes } from "./check-bytes.js";

/** By what an answered request exceeds the one before it in the same session. */
export interface UsageDifference {
  /** UTF-8 bytes of text. */
  readonly textBytes: number;
  /** UTF-8 bytes of what is no text to read, as in a size of a request: base64, signatures and other metadata. */
  readonly opaqueBytes: number;
  /** The provider's figure of the later request less that of the earlier. */
  readonly inputTokens: number;
  /** UTF-8 bytes of the results that are new, base64 in them included, by the name of their tool. */
  readonly toolBytes?: ReadonlyMap<string, number>;
}

/** The most tokens that a request is believed to have. */
export const MAX_TOKENS = 1e9;
/** Below it the rounding of a report and what frames a message weigh too much. */
const MIN_BYTES = 512;
/** Nobody knows what opaque bytes cost: a difference may hold one for so many bytes of text. */
const TEXT_BYTES_PER_OPAQUE = 16;
/** What a difference tells of one tool is of this share of its bytes at least. */
const TOOL_SHARE = 0.9;

/** @throws RangeError where a number of bytes is none. A difference of bytes may be negative. */
export function checkDifference({ textBytes, opaqueBytes, toolBytes }: UsageDifference): void {
  checkBytes("textBytes", Math.abs(textBytes));
  checkBytes("opaqueBytes", Math.abs(opaqueBytes));
  checkToolBytes(toolBytes);
}

/** @throws RangeError where a number of bytes is none. */
export function checkToolBytes(toolBytes: UsageDifference["toolBytes"]): void {
  for (const [name, bytes] of toolBytes ?? []) checkBytes(`toolBytes of ${JSON.stringify(name.slice(0, 80))}`, bytes);
}

/** What a difference tells of text in general, if anything. */
export function sampleText({ textBytes, opaqueBytes, inputTokens }: UsageDifference): UsageSample | undefined {
  if (Math.abs(opaqueBytes) * TEXT_BYTES_PER_OPAQUE > textBytes) return undefined;
  return sample(textBytes, inputTokens);
}

/** What a difference tells of one tool, if nearly all of it comes from that tool; what base64 costs there is known then. */
export function sampleTool({
  textBytes,
  opaqueBytes,
  inputTokens,
  toolBytes,
}: UsageDifference): { readonly name: string; readonly sample: UsageSample } | undefined {
  const bytes = textBytes + opaqueBytes;
  if (opaqueBytes < 0) return undefined;
  const [name] = [...(toolBytes ?? [])].find(([, part]) => part >= bytes * TOOL_SHARE && part <= bytes) ?? [];
  const sampled = sample(bytes, inputTokens);
  return name === undefined || sampled === undefined ? undefined : { name, sample: sampled };
}

function sample(bytes: number, tokens: number): UsageSample | undefined {
  const makesSense = bytes >= MIN_BYTES && Number.isInteger(tokens) && tokens >= 1 && tokens <= MAX_TOKENS;
  return makesSense ? { bytes, tokens } : undefined;
}
