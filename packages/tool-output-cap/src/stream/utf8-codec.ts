// The build sees no DOM types, so that nothing else in this package can lean on a browser.
declare const TextDecoder: new (
  label: string,
  options: { readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

// A BOM that is to go is taken away before.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** The text of bytes, U+FFFD for what is ill-formed in them, a BOM included. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The bytes of a text, those of U+FFFD for a lone surrogate. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}
