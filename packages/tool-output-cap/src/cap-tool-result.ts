import { capChecked } from "./cap-text.js";
import { describeFault, readObject } from "./describe-value.js";
import type { OutputLimit } from "./limits.js";
import { readCut } from "./match-truncation.js";
import { readLimit } from "./read-limit.js";
import { type CapOptions, readTokenCap } from "./token-cap.js";
import type { CappedText, Truncation } from "./truncation.js";

/** The part of a tool result that the cap looks at. */
export interface CappableResult {
  content?: string;
  truncation?: Truncation;
}

/**
 * Caps the `content` of a tool result and leaves every other field alone. The same object comes back exactly when `content`
 * is absent, or well-formed and within the limit. Otherwise a new object comes back, with `truncation` where it was cut. A
 * content that was cut before is cut again as if from its original, provided that its `truncation` matches it; a record that
 * does not match is dropped, and the content capped as a fresh text.
 *
 * `limit` and `options` are those of `capText`. What was cut to so many tokens is not counted again under an equal or a larger
 * limit.
 *
 * @throws what `capText` throws for its limit and options; TypeError for a result that is not an object, and for a `content`
 * that is neither absent nor a string.
 */
export function capToolResult<R extends { content?: string; truncation?: Truncation }>(
  result: R,
  limit: OutputLimit,
  options: CapOptions = {},
): R {
  const content = readContent(result);
  const checked = readLimit(limit, "limit");
  const tokenCap = readTokenCap(checked, options);
  if (content === undefined) return result;
  const capped = capChecked(content, checked, tokenCap, (whole) => readCut(whole, readTruncation(result)));
  return capped.text === content ? result : withContent(result, capped);
}

/** The content of a tool result, read once. */
export function readContent(result: CappableResult): string | undefined {
  const content: unknown = readObject(result, "result", '{ content: "…" }').content;
  if (content === undefined || typeof content === "string") return content;
  const remedy = "content: JSON.stringify(value)";
  throw new TypeError(describeFault("result.content", "a string or nothing", content, remedy));
}

/** The record of a tool result, read once, whatever it is. */
export function readTruncation(result: CappableResult): unknown {
  try {
    return result.truncation;
  } catch {
    // The content is capped all the same.
    return undefined;
  }
}

/** A copy of a tool result with another content. Every other field is read once; their order and the prototype stay. */
export function withContent<R extends object>(result: R, { text, truncation }: CappedText): R {
  const keys = Reflect.ownKeys(result).filter((key) => Object.prototype.propertyIsEnumerable.call(result, key));
  const fields = [...keys, "content", "truncation"].map((key) => {
    if (key === "content") return [key, text] as const;
    return [key, key === "truncation" ? truncation : Reflect.get(result, key)] as const;
  });
  const present = fields.filter(([key, value]) => value || key !== "truncation");
  return Object.setPrototypeOf(Object.fromEntries(present), Object.getPrototypeOf(result));
}
