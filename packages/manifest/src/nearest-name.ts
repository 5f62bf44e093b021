import leven from "leven";

/** The name that shares most with a key: the one that would keep most of the key's letters. */
export function nearestName(key: string, names: readonly [string, ...string[]]): string {
  return names.reduce((best, name) => (countKept(key, name) > countKept(key, best) ? name : best));
}

/** Whether a key is a slip of the pen for a name: its case, its separators, a letter or two, or two letters exchanged. */
export function isNearMiss(key: string, name: string): boolean {
  const [a, b] = [letters(key), letters(name)];
  // Two letters would make `docker` and `walker` near misses of `worker`.
  const maxDistance = b.length > 8 ? 2 : 1;
  return leven(a, b) <= maxDistance || (a.length === b.length && sortLetters(a) === sortLetters(b));
}

/** Names as an error lists them: `a, b or c`. */
export function joinNames(names: readonly string[]): string {
  const [last, ...others] = names.toReversed();
  return others.length === 0 ? String(last) : `${others.toReversed().join(", ")} or ${last}`;
}

/** Letters of the key that are in the name too, in that order: all of `max_bytes` in the longer `default_max_bytes`. */
function countKept(key: string, name: string): number {
  const [a, b] = [letters(key), letters(name)];
  return Math.max(a.length, b.length) - leven(a, b);
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, "");
}

function sortLetters(text: string): string {
  return [...text].sort().join("");
}
