// A worker is made once, so a warning may cost some milliseconds; these bounds keep it there for any input.
const MAX_UNITS = 128;
const MAX_COMPARISONS = 20_000;

/** A lookup of the nearest name: one that differs in case only, else by at most a third of its characters. */
export function createNearestName(names: Iterable<string>): (name: string) => string | undefined {
  const byLowerCase = new Map<string, string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (!byLowerCase.has(key)) byLowerCase.set(key, name);
  }
  let comparisons = 0;

  return (name) => {
    const wanted = name.toLowerCase();
    const sameButForCase = byLowerCase.get(wanted);
    if (sameButForCase !== undefined || wanted.length > MAX_UNITS) return sameButForCase;
    let nearest: string | undefined;
    let best = Math.max(1, Math.floor(wanted.length / 3)) + 1;
    for (const [key, candidate] of byLowerCase) {
      if (Math.abs(key.length - wanted.length) >= best) continue;
      comparisons += 1;
      if (comparisons > MAX_COMPARISONS) break;
      const distance = countEdits(wanted, key);
      if (distance >= best) continue;
      best = distance;
      nearest = candidate;
    }
    return nearest;
  };
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. */
function countEdits(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let edits = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) edits = Math.min(edits, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(edits);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
