// The build sees no DOM types, so that nothing else in this package can lean on a browser.
declare const TextEncoder: new () => {
  encodeInto(text: string, bytes: Uint8Array): { readonly read: number; readonly written: number };
};

const CHUNK_UNITS = 20_000;
const encoder = new TextEncoder();
// A unit has at most three bytes.
const scratch = new Uint8Array(CHUNK_UNITS * 3);

/** UTF-8 bytes of a text; a lone surrogate counts as U+FFFD, 3 bytes. The same in every runtime. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    let end = at + CHUNK_UNITS;
    if (Number(text.codePointAt(end - 1)) > 0xffff) end--;
    bytes += encoder.encodeInto(text.slice(at, end), scratch).written;
    at = end;
  }
  return bytes;
}
