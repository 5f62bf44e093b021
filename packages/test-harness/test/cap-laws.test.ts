import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CAP_LAWS, type CapLaw, type CappableResult, type CapSubject, capLaws } from "../src/laws.js";
import { capNaively, countUtf8Bytes, type NaiveCappedText, type NaiveKeep, splitWellFormed } from "../src/oracle.js";

// Where a record tells of an earlier cut, the honest cap remembers the text itself.
const originals = new Map<string, string>();

// The oracle as a subject: what passes the laws, so that what the mutants fail by is the mutation alone.
const honest: CapSubject = {
  capText(text, limit) {
    checkLimit(limit.maxBytes);
    return capNaively(text, limit);
  },
  capToolResult(result, { maxBytes, keep = "head" }) {
    const { content, truncation } = result;
    if (content === undefined || (countUtf8Bytes(content) <= maxBytes && content.isWellFormed())) return result;
    const original = truncation === undefined ? content : (originals.get(content) ?? content);
    const { text, ...rest } = capNaively(original, { maxBytes, keep: truncation?.keep ?? keep });
    originals.set(text, original);
    return { content: text, ...rest };
  },
};

describe("the oracle", () => {
  capLaws(honest);
});

interface Mutant {
  readonly name: string;
  /** What the limits of the laws say that it must keep. */
  readonly keep?: NaiveKeep;
  /** Clauses of which a law must refuse it. */
  readonly refusedBy: readonly string[];
  readonly subject: CapSubject;
}

const mutants: readonly Mutant[] = [
  textMutant("gives ill-formed texts back under the limit", ["C1"], (text, maxBytes) =>
    countUtf8Bytes(text) <= maxBytes ? { text } : capNaively(text, maxBytes),
  ),
  textMutant("cuts a text that has exactly the limit", ["C1", "C4"], (text, maxBytes) =>
    countUtf8Bytes(text) === maxBytes ? capNaively(`${text} `, maxBytes) : capNaively(text, maxBytes),
  ),
  textMutant("drops a record for every text", ["C4"], (text, maxBytes) => ({ text: capNaively(text, maxBytes).text })),
  textMutant("puts the marker outside the limit", ["C2"], (text, maxBytes) => {
    const capped = capNaively(text, maxBytes);
    return capped.truncation ? { ...capped, text: firstBytes(text, maxBytes) + endOf(capped) } : capped;
  }),
  textMutant("counts UTF-16 units for bytes", ["C2"], (text, maxBytes) =>
    text.length <= maxBytes ? { text: text.toWellFormed() } : capNaively(text, maxBytes),
  ),
  textMutant("cuts inside a pair", ["C2"], (text, maxBytes) => {
    const capped = capNaively(text, maxBytes);
    if (!capped.truncation) return capped;
    const kept = firstBytes(text, capped.truncation.keptBytes);
    const next = text.toWellFormed().slice(kept.length);
    return /^[\uD800-\uDBFF]/.test(next) ? { ...capped, text: `${kept}\uFFFD${endOf(capped)}` } : capped;
  }),
  textMutant("leaves half a pair at the cut", ["C1", "C2"], (text, maxBytes) => {
    const capped = capNaively(text, maxBytes);
    if (!capped.truncation) return capped;
    const kept = firstBytes(text, capped.truncation.keptBytes);
    return { ...capped, text: text.toWellFormed().slice(0, kept.length + 1) + endOf(capped) };
  }),
  textMutant("keeps one character too few", ["C2"], (text, maxBytes) => {
    const capped = capNaively(text, maxBytes);
    if (!capped.truncation) return capped;
    const kept = splitWellFormed(firstBytes(text, capped.truncation.keptBytes)).slice(0, -1).join("");
    return recut(text, maxBytes, kept);
  }),
  textMutant("reserves room for the digits of the whole text", ["C2"], (text, maxBytes) => {
    const textBytes = countUtf8Bytes(text);
    const room = maxBytes - 48 - String(textBytes).length;
    if (textBytes <= maxBytes || room < 0) return capNaively(text, maxBytes);
    return recut(text, maxBytes, firstBytes(text, room));
  }),
  textMutant("drops a trailing U+FFFD as if it were the cut's", ["C2"], (text, maxBytes) => {
    const capped = capNaively(text, maxBytes);
    if (!capped.truncation) return capped;
    return recut(text, maxBytes, firstBytes(text, capped.truncation.keptBytes).replace(/\uFFFD+$/, ""));
  }),
  textMutant("eats a BOM", ["C1", "C2"], (text, maxBytes) => {
    const capped = capNaively(text, maxBytes);
    return { ...capped, text: capped.text.replace(/^\uFEFF/, "") };
  }),
  textMutant("passes the text through replace", ["C1", "C2"], (text, maxBytes) => {
    const capped = capNaively(text, maxBytes);
    return { ...capped, text: "-".replace("-", capped.text) };
  }),
  textMutant("counts what went in characters", ["C3"], (text, maxBytes) => {
    const capped = capNaively(text, maxBytes);
    if (!capped.truncation) return capped;
    const kept = firstBytes(text, capped.truncation.keptBytes);
    const went = splitWellFormed(text).length - splitWellFormed(kept).length;
    return { ...capped, text: kept + endOf(capped).replace(/\d+/, String(went)) };
  }),
  textMutant("words the marker in its own way", ["C3"], (text, maxBytes) => {
    const capped = capNaively(text, maxBytes);
    return { ...capped, text: capped.text.replace(/refine your query\]$/, "refine your quest]") };
  }),
  textMutant("has no short marker", ["C4"], (text, maxBytes) => {
    const capped = capNaively(text, maxBytes);
    const isShort = capped.truncation && endOf(capped) === "[truncated]";
    return isShort ? { ...capped, text: firstBytes(text, maxBytes) } : capped;
  }),
  textMutant("says the kept bytes of the limit", ["C4"], (text, maxBytes) => {
    const capped = capNaively(text, maxBytes);
    return capped.truncation ? { ...capped, truncation: { ...capped.truncation, keptBytes: maxBytes } } : capped;
  }),
  textMutant("grows a text that is little over the limit", ["C4", "C5"], (text, maxBytes) => {
    const capped = capNaively(text, maxBytes);
    return capped.truncation ? { ...capped, text: `${text.toWellFormed()}[truncated]` } : capped;
  }),
  textMutant("is thrown by a lone surrogate", ["C7"], (text, maxBytes) => {
    encodeURIComponent(text);
    return capNaively(text, maxBytes);
  }),
  {
    name: "takes a limit that is none for no limit",
    refusedBy: ["C7"],
    subject: {
      ...honest,
      capText: (text, { maxBytes }) =>
        Number.isInteger(maxBytes) && maxBytes > 0 ? capNaively(text, maxBytes) : { text },
    },
  },
  {
    name: "says that a limit is wrong, but not which",
    refusedBy: ["C7"],
    subject: {
      ...honest,
      capText(text, { maxBytes }) {
        if (!isLimit(maxBytes)) throw new RangeError("bad limit");
        return capNaively(text, maxBytes);
      },
    },
  },
  textMutant("believes a marker at the end of a text", ["C8"], (text, maxBytes) =>
    text.endsWith("bytes dropped, refine your query]") ? { text: text.toWellFormed() } : capNaively(text, maxBytes),
  ),
  textMutant("adds the count of a marker in the text to its own", ["C8"], (text, maxBytes) => {
    const before = /\n\n\[truncated: (\d{1,6}) bytes dropped, refine your query\]$/.exec(text);
    if (before === null || countUtf8Bytes(text) <= maxBytes) return capNaively(text, maxBytes);
    return capNaively(text.slice(0, before.index), maxBytes, Number(before[1]));
  }),
  keepMutant("keeps the head where the tail was asked for", ["C2", "C3", "C4"], "tail", (text, maxBytes) =>
    capNaively(text, maxBytes),
  ),
  keepMutant("calls a tail a head", ["C4"], "tail", (text, maxBytes) => {
    const { truncation, ...rest } = capNaively(text, { maxBytes, keep: "tail" });
    return truncation ? { ...rest, truncation: { ...truncation, keep: "head" } } : rest;
  }),
  keepMutant("gives the odd byte of the room to the start", ["C2"], "ends", (text, maxBytes) => {
    const room = maxBytes - 50 - String(countUtf8Bytes(text)).length;
    if (countUtf8Bytes(text) <= maxBytes || room < 1) return capNaively(text, { maxBytes, keep: "ends" });
    const start = firstBytes(text, Math.ceil(room / 2));
    const end = lastBytes(text, Math.floor(room / 2));
    return recutEnds(text, maxBytes, start, end);
  }),
  keepMutant("keeps one end where both were asked for", ["C2", "C3"], "ends", (text, maxBytes) => {
    const { truncation, ...rest } = capNaively(text, maxBytes);
    return truncation ? { ...rest, truncation: { ...truncation, keep: "ends" } } : rest;
  }),
  keepMutant("leaves the last newlines of two ends out", ["C2", "C3"], "ends", (text, maxBytes) => {
    const capped = capNaively(text, { maxBytes, keep: "ends" });
    return capped.truncation
      ? { ...capped, text: capped.text.replace("refine your query]\n\n", "refine your query]") }
      : capped;
  }),
  resultMutant("nests markers", ["C5"], (result, maxBytes) =>
    capResultWith({ content: result.content ?? "" }, maxBytes, (kept) => capNaively(kept, maxBytes)),
  ),
  resultMutant("counts the second time from the first cut", ["C5"], (result, maxBytes) =>
    capResultWith(result, maxBytes, (kept) => capNaively(kept, maxBytes)),
  ),
  resultMutant("counts the old marker as content", ["C5"], (result, maxBytes) =>
    capResultWith(result, maxBytes, (kept, record) =>
      capNaively(kept, maxBytes, record && record.droppedBytes + 48 + String(record.droppedBytes).length),
    ),
  ),
];

describe("the laws", () => {
  for (const mutant of mutants) {
    it(`${mutant.refusedBy.join(", ")}: refuse a cap that ${mutant.name}`, () => {
      const clauses = lawsThatRefuse(mutant).map((law) => law.clause);
      expect(clauses).toEqual(expect.arrayContaining([...mutant.refusedBy]));
    });
  }

  it("T2: have each of them refused something", () => {
    const useful = new Set(mutants.flatMap(lawsThatRefuse));
    expect(CAP_LAWS.filter((law) => !useful.has(law)).map((law) => law.title)).toEqual([]);
  });
});

const refusals = new Map<Mutant, readonly CapLaw[]>();

function lawsThatRefuse(mutant: Mutant): readonly CapLaw[] {
  const known = refusals.get(mutant);
  if (known !== undefined) return known;
  const laws = CAP_LAWS.filter(
    (law) =>
      fc.check(law.property(mutant.subject, mutant.keep ?? "head"), {
        numRuns: 300,
        seed: 20_261_130,
        endOnFailure: true,
      }).failed,
  );
  refusals.set(mutant, laws);
  return laws;
}

function textMutant(
  name: string,
  refusedBy: readonly string[],
  cap: (text: string, maxBytes: number) => NaiveCappedText,
): Mutant {
  return {
    name,
    refusedBy,
    subject: {
      ...honest,
      capText(text, { maxBytes }) {
        checkLimit(maxBytes);
        return cap(text, maxBytes);
      },
    },
  };
}

function keepMutant(
  name: string,
  refusedBy: readonly string[],
  keep: NaiveKeep,
  cap: (text: string, maxBytes: number) => NaiveCappedText,
): Mutant {
  return { ...textMutant(name, refusedBy, cap), keep };
}

function resultMutant(
  name: string,
  refusedBy: readonly string[],
  cap: (result: CappableResult, maxBytes: number) => CappableResult,
): Mutant {
  return { name, refusedBy, subject: { ...honest, capToolResult: (result, { maxBytes }) => cap(result, maxBytes) } };
}

/** Takes the record of a result at its word, which is enough for results that the laws make. */
function capResultWith(
  result: CappableResult,
  maxBytes: number,
  cut: (kept: string, record: CappableResult["truncation"]) => NaiveCappedText,
): CappableResult {
  const { content, truncation } = result;
  if (content === undefined) return result;
  const contentBytes = countUtf8Bytes(content);
  if (contentBytes <= maxBytes && content.isWellFormed()) return result;
  const kept = truncation ? firstBytes(content, truncation.keptBytes) : content;
  const { text, ...rest } = cut(kept, truncation);
  return { content: text, ...rest };
}

/** A cut at a place of the mutant's own, told truly. */
function recut(text: string, maxBytes: number, kept: string): NaiveCappedText {
  const originalBytes = countUtf8Bytes(text);
  const keptBytes = countUtf8Bytes(kept);
  const droppedBytes = originalBytes - keptBytes;
  const end = endOf(capNaively(text, maxBytes)).replace(/\d+/, String(droppedBytes));
  return { text: kept + end, truncation: { maxBytes, originalBytes, keptBytes, droppedBytes } };
}

function recutEnds(text: string, maxBytes: number, start: string, end: string): NaiveCappedText {
  const originalBytes = countUtf8Bytes(text);
  const keptBytes = countUtf8Bytes(start) + countUtf8Bytes(end);
  const droppedBytes = originalBytes - keptBytes;
  const between = `\n\n[truncated: ${droppedBytes} bytes dropped, refine your query]\n\n`;
  return {
    text: start + between + end,
    truncation: { maxBytes, originalBytes, keptBytes, droppedBytes, keep: "ends" },
  };
}

function lastBytes(text: string, maxBytes: number): string {
  let kept = "";
  for (const character of splitWellFormed(text).toReversed()) {
    if (countUtf8Bytes(character + kept) > maxBytes) break;
    kept = character + kept;
  }
  return kept;
}

function endOf({ text, truncation }: NaiveCappedText): string {
  return truncation ? text.slice(firstBytes(text, truncation.keptBytes).length) : "";
}

function firstBytes(text: string, maxBytes: number): string {
  let kept = "";
  let bytes = 0;
  for (const character of splitWellFormed(text)) {
    bytes += countUtf8Bytes(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}

function checkLimit(maxBytes: number): void {
  if (!isLimit(maxBytes)) throw new RangeError(`maxBytes: not a limit: ${maxBytes}`);
}

function isLimit(maxBytes: number): boolean {
  return Number.isInteger(maxBytes) && maxBytes >= 1 && maxBytes <= 2_147_483_647;
}
