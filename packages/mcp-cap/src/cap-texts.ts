import { capText, type OutputLimit, type Truncation } from "@pod/tool-output-cap";

/** What stays of several texts that are read one after the other. */
export interface CappedTexts {
  /** In the order of the texts. Those behind the last one got no room. */
  readonly texts: readonly string[];
  readonly truncation: Truncation;
}

/** Room for the marker, so that a cut near the end of the budget is told, too. */
const MARKER_ROOM_BYTES = 128;

/**
 * Brings several texts within one limit: the first ones stay, one is cut, and its marker counts all that goes. Undefined
 * where all fit.
 */
export function capTexts(texts: readonly string[], limit: OutputLimit): CappedTexts | undefined {
  const bytes = texts.map((text) => Buffer.byteLength(text));
  const originalBytes = bytes.reduce((sum, each) => sum + each, 0);
  if (originalBytes <= limit.maxBytes) return undefined;
  let keptTexts = 0;
  let keptBytes = 0;
  for (const each of bytes) {
    if (keptBytes + each > limit.maxBytes - MARKER_ROOM_BYTES) break;
    keptTexts++;
    keptBytes += each;
  }
  const cut = capText(texts.slice(keptTexts).join(""), { ...limit, maxBytes: limit.maxBytes - keptBytes });
  const { droppedBytes = 0 } = cut.truncation ?? {};
  return {
    texts: [...texts.slice(0, keptTexts), cut.text],
    truncation: {
      ...cut.truncation,
      maxBytes: limit.maxBytes,
      originalBytes,
      keptBytes: originalBytes - droppedBytes,
      droppedBytes,
    },
  };
}
