import { PEERS } from "./peers.js";

const PROBES: readonly { readonly what: string; readonly text: string; readonly maxBytes: number }[] = [
  { what: "a lone surrogate within the limit", text: "a\uD83Db", maxBytes: 64 },
  { what: "lone surrogates before the cut", text: "ab\uDE00\uD83D".repeat(100), maxBytes: 102 },
  { what: "a text that begins with a BOM", text: `\uFEFF${"ab".repeat(200)}`, maxBytes: 100 },
  { what: "a cut inside of an emoji", text: "😀".repeat(100), maxBytes: 102 },
];

/** What the peers do otherwise than `capText`, in words: their times are not of the same work there. */
export function findDifferences(): readonly string[] {
  return PEERS.flatMap(({ name, keepHead }) => {
    const differs = PROBES.filter(({ text, maxBytes }) => keepHead(text, maxBytes) !== longestPrefix(text, maxBytes));
    const faults = differs.map(({ what }) => what);
    if (!refuses(() => keepHead("a".repeat(300), Number.NaN))) faults.push("a limit of NaN is taken");
    return faults.length === 0 ? [] : [`${name} differs in: ${faults.join("; ")}.`];
  });
}

/** What each of them promises, one character after the other. */
function longestPrefix(text: string, maxBytes: number): string {
  const wellFormed = text.toWellFormed();
  let prefix = "";
  for (const character of wellFormed) {
    if (Buffer.byteLength(prefix + character) > maxBytes) break;
    prefix += character;
  }
  return prefix;
}

function refuses(call: () => unknown): boolean {
  try {
    call();
    return false;
  } catch {
    return true;
  }
}
