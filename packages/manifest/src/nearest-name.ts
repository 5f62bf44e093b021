import leven from "leven";

/** The name that shares most with a key: the one that would keep most of the key's letters. */
export function nearestName(key: string, names: readonly [string, ...string[]]): string {
  return names.reduce((best, name) => (countStrangers(key, name) < countStrangers(key, best) ? name : best));
}

/** Whether a key is a slip of the pen for a name: its case, its separators, a letter or two, or two letters exchanged. */
export function isNearMiss(key: string, name: string): boolean {
  const [a, b] = [letters(key), letters(name)];
  // Two letters would make `docker` and `walker` near misses of `worker`.
  const maxDistance = b.length > 8 ? 2 : 1;
  return leven(a, b) <= maxDistance || (a.length === b.length && sortLetters(a) === sortLetters(b));
}

/** Names as an error lists them: `a, b or c`. */
export function joinNames(names: readonly [string, ...string[]]): string {
  const [last, ...others] = names.toReversed();
  return others.length === 0 ? String(last) : `${others.toReversed().join(", ")} or ${last}`;
}

/** Edits that are not explained by the difference in length, so that `max_bytes` is nearer to the longer name. */
function countStrangers(key: string, name: string): number {
  const [a, b] = [letters(key), letters(name)];
  return leven(a, b) - Math.abs(a.length - b.length);
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, "");
}

function sortLetters(text: string): string {
  return [...text].sort().join("");
}
