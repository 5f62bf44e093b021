import { createJsonBuilder, type Json } from "./build-json.js";
import { JsonNumber } from "./json-number.js";
import { type JsonPlan, WHOLE, walkJson } from "./walk-json.js";

/** Deeper than anybody nests, and far from where the recursion of a client ends. */
const MAX_DEPTH = 512;
/** Of a text that is cut, at least so much stays, quotes included, before arrays are emptied and members go. */
const MIN_TEXT_BYTES = 18;

/**
 * A smaller value of the same kind whose JSON has at most `maxBytes`: the longest arrays are shortened from the end, then the
 * longest texts cut, then the last members of the largest objects go, down to `{}`.
 */
export function shrinkJson(value: unknown, maxBytes: number): { readonly value: Json; readonly bytes: number } {
  const plan = findPlan(value, maxBytes);
  const builder = createJsonBuilder();
  const { bytes } = walkJson(value, plan, maxBytes);
  walkJson(value, plan, maxBytes, builder, maxBytes - bytes);
  const shrunk = builder.value();
  const shrunkBytes = walkJson(shrunk, WHOLE, maxBytes).bytes;
  if (shrunkBytes <= maxBytes) return { value: shrunk, bytes: shrunkBytes };
  const smallest = smallestOf(shrunk);
  return { value: smallest, bytes: JSON.stringify(smallest).length };
}

/**
 * Starts from the first plan that fits and lets it grow: members and arrays to half of the limit, so that none starves the
 * others, texts to all of it, then arrays and members again.
 */
function findPlan(value: unknown, maxBytes: number): JsonPlan {
  const fits = (plan: JsonPlan, roomBytes: number) => walkJson(value, plan, roomBytes).bytes <= roomBytes;
  const whole = maxBytes;
  const floors: readonly (readonly [members: number, items: number, textBytes: number])[] = [
    [whole, 1, whole],
    [whole, 1, MIN_TEXT_BYTES],
    [1, 1, MIN_TEXT_BYTES],
    [whole, 0, MIN_TEXT_BYTES],
  ];
  let plan: JsonPlan = { members: 0, items: 0, textBytes: 2, depth: MAX_DEPTH };
  for (const [members, items, textBytes] of floors) {
    const floor = { members, items, textBytes, depth: MAX_DEPTH };
    if (!fits(floor, maxBytes)) continue;
    plan = floor;
    break;
  }
  const growth = [
    ["members", maxBytes / 2],
    ["items", maxBytes / 2],
    ["textBytes", maxBytes],
    ["items", maxBytes],
    ["members", maxBytes],
  ] as const;
  for (const [part, roomBytes] of growth) {
    plan = { ...plan, [part]: findLargest(plan[part], maxBytes, (most) => fits({ ...plan, [part]: most }, roomBytes)) };
  }
  return plan;
}

/** The largest integer that holds, where all below it do. `least` holds. */
function findLargest(least: number, most: number, holds: (candidate: number) => boolean): number {
  let low = least;
  let high = most;
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
