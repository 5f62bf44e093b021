// The build sees no DOM types, so that nothing else in this package can lean on a browser.
declare const TextEncoder: new () => {
  encodeInto(text: string, bytes: Uint8Array): { readonly read: number; readonly written: number };
};

const CHUNK_UNITS = 65_536;
const encoder = new TextEncoder();
const scratch = new Uint8Array(65_536);

/** UTF-8 bytes of a text; a lone surrogate counts as U+FFFD, 3 bytes. For browsers and edge runtimes. */
export function byteLength(text: string): number {
  let bytes = 0;
  let units = 0;
  while (units < text.length) {
    // A chunk that ends between two surrogates is never read to its end: the other 65,535 units leave no room for U+FFFD.
    const { read, written } = encoder.encodeInto(text.slice(units, units + CHUNK_UNITS), scratch);
    bytes += written;
    units += read;
  }
  return bytes;
}
