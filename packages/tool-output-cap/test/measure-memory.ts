/** What an object holds alive, in bytes of heap and of strings outside it: the median of three. */
export function medianRetained(make: () => unknown): number {
  const samples = Array.from({ length: 3 }, () => {
    const before = usedBytes();
    const alive = [make()];
    const bytes = usedBytes() - before;
    alive.pop();
    return bytes;
  });
  return samples.toSorted((left, right) => left - right)[1] ?? Number.NaN;
}

/** After a collection, which needs `--expose-gc`. */
function usedBytes(): number {
  if (globalThis.gc === undefined) throw new Error("memory cannot be measured without gc. Start node with --expose-gc");
  for (let round = 0; round < 3; round++) globalThis.gc();
  // Strings over 1 MB that come from Buffer.toString are external to the heap.
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
