// The build sees no Node types, so that nothing else in this package can lean on Node.
declare const Buffer: { byteLength(text: string): number };

/** UTF-8 bytes of a text; a lone surrogate counts as U+FFFD, 3 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
