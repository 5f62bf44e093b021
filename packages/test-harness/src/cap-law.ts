import * as assert from "node:assert/strict";
import type fc from "fast-check";
import type { TextAndLimit } from "./arbitraries.js";
import { capNaively, type NaiveCappedText, type NaiveKeep, type NaiveLimit } from "./oracle.js";

/** The functions that the laws are about, as any implementation may have them. Sizes are UTF-8 bytes. */
export interface CapSubject {
  capText(text: string, limit: NaiveLimit): NaiveCappedText;
  capToolResult?(result: CappableResult, limit: NaiveLimit): CappableResult;
  /** What it can keep. Absent: all three. */
  readonly keeps?: readonly NaiveKeep[];
}

/** The part of a tool result that the cap looks at. */
export interface CappableResult {
  readonly content?: string;
  readonly truncation?: NonNullable<NaiveCappedText["truncation"]>;
}

/** One promise of the cap, which holds or throws for what fast-check makes up. */
export interface CapLaw {
  /** The clause of the design that it comes from: `C2`. */
  readonly clause: string;
  readonly title: string;
  /** Present where the law needs more than `capText`. */
  readonly needsCapToolResult?: true;
  property(subject: CapSubject, keep: NaiveKeep): fc.IProperty<unknown>;
}

/** A limit that says nothing of what it keeps where that is the head: a cap need not know the word. */
export function limitOf(maxBytes: number, keep: NaiveKeep): NaiveLimit {
  return keep === "head" ? { maxBytes } : { maxBytes, keep };
}

/** Throws unless `capText` and the naive oracle say the same of a text. */
export function agreesWithOracle(subject: CapSubject, { text, maxBytes }: TextAndLimit, keep: NaiveKeep): void {
  const { text: capped, truncation } = subject.capText(text, limitOf(maxBytes, keep));
  const expected = capNaively(text, { maxBytes, keep });
  assert.equal(capped, expected.text);
  assert.deepEqual(knownFieldsOf(truncation), expected.truncation);
}

/** The fields that every record has: others may be added. */
export function knownFieldsOf(truncation: NaiveCappedText["truncation"]): NaiveCappedText["truncation"] {
  if (truncation === undefined) return undefined;
  const { maxBytes, originalBytes, keptBytes, droppedBytes, keep = "head" } = truncation;
  return { maxBytes, originalBytes, keptBytes, droppedBytes, ...(keep !== "head" && { keep }) };
}
