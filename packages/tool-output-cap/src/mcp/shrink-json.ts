import type { Keep } from "../limits.js";
import { createJsonBuilder, type Json } from "./build-json.js";
import { JsonNumber } from "./json-number.js";
import { type JsonPart, type JsonReader, readJson } from "./read-json.js";
import { type JsonPlan, walkJson } from "./walk-json.js";

/** Deeper than anybody nests, and far from where the recursion of a client ends. */
const MAX_DEPTH = 512;
/** Of a text that is cut, at least so much stays, quotes included, before arrays are emptied and members go. */
const MIN_TEXT_BYTES = 18;

/** Only what a walk has reached is remembered, so a value of any size costs what its limit does. */
const reader: JsonReader = { onOddValue() {}, createMemory: () => new Map() };

/**
 * A smaller value of the same kind whose JSON has at most `maxBytes`: the longest arrays are shortened from the end, then the
 * longest texts cut, then the last members of the largest objects go, down to `{}`.
 */
export function shrinkJson(value: unknown, maxBytes: number, keep: Keep): Json {
  const root = readJson(value, reader);
  const plan = findPlan(root, maxBytes, keep);
  const bytes = walkJson(root, plan, maxBytes, reader);
  const builder = createJsonBuilder();
  walkJson(root, plan, maxBytes, reader, builder, maxBytes - bytes);
  return bytes <= maxBytes ? builder.value() : smallestOf(builder.value());
}

/**
 * Starts from the first plan that fits and lets it grow: members and arrays to half of the limit, so that none starves the
 * others, texts to all of it, then arrays and members again.
 */
function findPlan(root: JsonPart, maxBytes: number, keep: Keep): JsonPlan {
  const whole = maxBytes;
  const depth = MAX_DEPTH;
  const fits = (plan: JsonPlan, roomBytes: number) => walkJson(root, plan, roomBytes, reader) <= roomBytes;
  const floors: readonly JsonPlan[] = [
    { members: whole, items: 1, textBytes: whole, keep, depth },
    { members: whole, items: 1, textBytes: MIN_TEXT_BYTES, keep, depth },
    { members: 1, items: 1, textBytes: MIN_TEXT_BYTES, keep, depth },
    { members: whole, items: 0, textBytes: MIN_TEXT_BYTES, keep, depth },
  ];
  const growth = [
    ["members", maxBytes / 2],
    ["items", maxBytes / 2],
    ["textBytes", maxBytes],
    ["items", maxBytes],
    ["members", maxBytes],
  ] as const;
  let plan = floors.find((floor) => fits(floor, maxBytes)) ?? { members: 0, items: 0, textBytes: 2, keep, depth };
  for (const [part, roomBytes] of growth) {
    const least = plan;
    plan = { ...plan, [part]: findLargest(plan[part], whole, (most) => fits({ ...least, [part]: most }, roomBytes)) };
  }
  return plan;
}

/** The largest integer that holds, where all below it do. `least` counts as if it did. */
function findLargest(least: number, most: number, holds: (candidate: number) => boolean): number {
  if (least >= most || holds(most)) return most;
  let low = least;
  let high = most - 1;
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** For a limit below the smallest value of a kind, or a number of more digits than the limit has bytes. */
function smallestOf(value: Json): Json {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return [];
  if (value instanceof JsonNumber) return Math.min(Math.max(Number(value.source), -Number.MAX_VALUE), Number.MAX_VALUE);
  return typeof value === "object" && value !== null ? {} : value;
}
