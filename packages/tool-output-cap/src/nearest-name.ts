/**
 * The name that is nearest to the wanted one, case aside: of the wanted name, at most a third lies between the beginning
 * and the end that the two share. Of names that are as near, the first.
 */
export function findNearestName(wanted: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let best = Math.ceil(wanted.length / 3) + 1;
  for (const name of names) {
    const different = countDifferent(wanted.toLowerCase(), name.toLowerCase());
    if (different >= best) continue;
    best = different;
    nearest = name;
  }
  return nearest;
}

/** UTF-16 units of the longer text that lie between the beginning and the end that two texts share. */
function countDifferent(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let end = 0;
  while (start + end < shorter && left.at(-1 - end) === right.at(-1 - end)) end++;
  return Math.max(left.length, right.length) - start - end;
}
