import type { ReadSource } from "./read-lines.js";

const CHUNK_BYTES = 65_536;
const NEWLINE = 10;

/**
 * Where the last whole line of a file ends, in bytes; 0 where it has none. Lines at the end that hold NULs are not
 * whole: JSON has none, but a file that grew when the power went is filled up with them.
 */
export async function findCommittedEnd({ handle }: ReadSource, fileBytes: number): Promise<number> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let lineEnd = 0;
  let isTorn = true;
  for (let chunkEnd = fileBytes; chunkEnd > 0; ) {
    const start = Math.max(0, chunkEnd - CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, chunkEnd - start, start);
    for (let at = bytesRead - 1; at >= 0; at -= 1) {
      if (chunk[at] === 0) isTorn = true;
      if (chunk[at] !== NEWLINE) continue;
      if (!isTorn) return lineEnd;
      lineEnd = start + at + 1;
      isTorn = false;
    }
    chunkEnd = start;
  }
  return isTorn ? 0 : lineEnd;
}
