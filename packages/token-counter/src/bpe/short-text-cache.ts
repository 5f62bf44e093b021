/** UTF-16 units, of two bytes each. */
const MAX_CACHED_UNITS = 32_768;
/** A longer text has more in it than one piece of a run. */
const SHORT_UNITS = 1_024;
/** A shorter one is counted as quickly as it is looked for. */
const WORTH_UNITS = 24;

/**
 * Remembers the counts of short texts, 64 KiB of them in all. Whoever looks for the longest part that fits counts the same
 * beginning again and again, and a run of one character is one piece over and over.
 */
export function createShortTextCache(countTokens: (text: string) => number): (text: string) => number {
  const counts = new Map<string, number>();
  let cachedUnits = 0;
  return (text) => {
    if (text.length > SHORT_UNITS || text.length < WORTH_UNITS) return countTokens(text);
    const known = counts.get(text);
    if (known !== undefined) return known;
    const count = countTokens(text);
    if (cachedUnits + text.length > MAX_CACHED_UNITS) {
      counts.clear();
      cachedUnits = 0;
    }
    cachedUnits += text.length;
    // Joining two parts makes the engine copy; a slice would keep the whole text alive.
    counts.set([text.slice(0, 1), text.slice(1)].join(""), count);
    return count;
  };
}
