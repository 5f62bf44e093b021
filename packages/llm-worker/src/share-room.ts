/**
 * Shares room, in bytes or in tokens, among texts of the given sizes in the same unit: a level `s`, the largest integer for which the sum of `min(size, s)`
 * fits. Texts of at most `s` get their size; what the division leaves goes to the first ones above `s`, 1 each. Room
 * below 0 is none.
 */
export function shareRoom(sizes: readonly number[], room: number): readonly number[] {
  let left = Math.max(0, room);
  let above = sizes.length;
  for (const size of [...sizes].sort((a, b) => a - b)) {
    if (size * above > left) break;
    left -= size;
    above--;
  }
  const level = above === 0 ? Number.POSITIVE_INFINITY : Math.floor(left / above);
  let spare = above === 0 ? 0 : left - level * above;
  return sizes.map((size) => {
    if (size <= level) return size;
    if (spare === 0) return level;
    spare--;
    return level + 1;
  });
}
