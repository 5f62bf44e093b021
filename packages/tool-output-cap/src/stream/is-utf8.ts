// The build sees no DOM types, so that nothing else in this package can lean on a browser.
declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean },
) => { decode(bytes: Uint8Array): string };

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Whether bytes are well-formed UTF-8, from the first to the last. For browsers and edge runtimes. */
export function isUtf8(bytes: Uint8Array): boolean {
  if (isAscii(bytes)) return true;
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    // Ill-formed, or in shared memory, which some decoders refuse: the caller decodes a copy then.
    return false;
  }
}

/** Looks at four bytes at a time, and makes nothing that would have to be collected. */
function isAscii(bytes: Uint8Array): boolean {
  // Words begin where their place in memory is a multiple of four.
  const before = -bytes.byteOffset & 3;
  if (bytes.length < before + 4) return bytes.every(isAsciiByte);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + before, (bytes.length - before) >> 2);
  let bits = 0;
  // An index: for-of is six times slower.
  for (let index = 0; index < words.length; index++) bits |= words[index] ?? 0;
  return (
    (bits & 0x80808080) === 0 &&
    bytes.subarray(0, before).every(isAsciiByte) &&
    bytes.subarray(before + words.length * 4).every(isAsciiByte)
  );
}

function isAsciiByte(byte: number): boolean {
  return byte < 0x80;
}
