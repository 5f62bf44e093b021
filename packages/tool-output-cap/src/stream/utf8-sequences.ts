/** Whether a byte can only stand inside a sequence. Every other one begins something, whatever came before it. */
export function isContinuation(byte: number | undefined): boolean {
  return ((byte ?? 0) & 0xc0) === 0x80;
}

/** How long the sequence is that a byte begins, if it is well-formed. */
export function sequenceBytes(lead: number | undefined): number {
  if (lead === undefined || lead < 0xc0) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** How many bytes at the end begin a sequence that is not over: 0 to 3. */
export function countOpenBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= 3; count++) {
    const byte = bytes[bytes.length - count];
    if (!isContinuation(byte)) return sequenceBytes(byte) > count ? count : 0;
  }
  return 0;
}
