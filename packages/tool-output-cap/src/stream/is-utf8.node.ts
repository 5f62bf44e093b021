// The build sees no Node types, so that nothing else in this package can lean on Node.
declare const process: { getBuiltinModule(name: "buffer"): { isUtf8(bytes: Uint8Array): boolean } };

const { isUtf8: isUtf8InNode } = process.getBuiltinModule("buffer");

/** Whether bytes are well-formed UTF-8, from the first to the last. */
export function isUtf8(bytes: Uint8Array): boolean {
  return isUtf8InNode(bytes);
}
