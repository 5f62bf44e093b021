/**
 * The text of chunks as it is defined: strings as they are, and the bytes between two of them decoded in one go. It holds
 * everything, as a capture must not.
 */
export function joinNaively(chunks: readonly (Uint8Array | string)[]): string {
  let text = "";
  let run: number[] = [];
  const decodeRun = () => {
    text += new TextDecoder().decode(Uint8Array.from(run));
    run = [];
  };
  for (const chunk of chunks) {
    if (typeof chunk === "string") {
      decodeRun();
      text += chunk;
    } else run.push(...chunk);
  }
  decodeRun();
  return text;
}
