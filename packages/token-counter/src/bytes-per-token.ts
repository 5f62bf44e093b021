/** Text and what it cost. */
export interface UsageSample {
  /** UTF-8 bytes. */
  readonly bytes: number;
  readonly tokens: number;
}

/** Bytes per token before anything is learned, and of what is opaque: path lists, the densest text that agents send. */
export const FIRST_DENSITY = 1.8;
/** No tokenizer of today's providers makes two tokens of one byte. */
const MIN_DENSITY = 1;
/** About English prose. Text that is lighter still is estimated too high, which is the safe side. */
const MAX_DENSITY = 4;

/**
 * Bytes per token, such that this share of all sampled bytes is as dense or denser; a half is the median. By bytes, so that
 * a small sample, of which the frame of a message is a large part, counts for little.
 */
export function densityAt(share: number, samples: readonly UsageSample[]): number {
  const total = samples.reduce((sum, { bytes }) => sum + bytes, 0);
  let passed = 0;
  for (const { bytes, density } of samples.map(weigh).sort((a, b) => a.density - b.density)) {
    passed += bytes;
    if (passed >= total * share) return density;
  }
  return FIRST_DENSITY;
}

function weigh({ bytes, tokens }: UsageSample): { readonly bytes: number; readonly density: number } {
  return { bytes, density: Math.min(Math.max(bytes / tokens, MIN_DENSITY), MAX_DENSITY) };
}
