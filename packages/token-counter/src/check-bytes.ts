/** @throws RangeError that names the figure, where it is no number of bytes. */
export function checkBytes(name: string, bytes: number): void {
  if (Number.isSafeInteger(bytes) && bytes >= 0) return;
  throw new RangeError(
    `${name}: expected a number of UTF-8 bytes, an integer from 0, received ${String(bytes).slice(0, 80)}. Write: new TextEncoder().encode(text).length`,
  );
}
