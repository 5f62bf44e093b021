import { types } from "node:util";
import { copyText } from "./copy-text.js";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Far below where JSON.stringify exhausts the stack, far above what a person nests. */
const MAX_DEPTH = 500;
/** A graph with shared parts can stand for more values, and for more text, than any memory holds. */
const MAX_VALUES = 1_000_000;
/** UTF-16 units. JSON makes six of one at most, so that what they become fits in the longest string of the engine. */
const MAX_TEXT_UNITS = 2 ** 26;
const LEFT_OUT = "[more left out]";

interface Walk {
  readonly ancestors: Set<object>;
  valuesLeft: number;
  textUnitsLeft: number;
}

/**
 * A deeply frozen copy of any value as plain JSON, every string and key of it well-formed. Each property is read once.
 * What JSON cannot say stands as a text in brackets: binary data by its size, a circular reference, a property that
 * throws. Never throws.
 */
export function toPlainJson(value: unknown): JsonValue {
  return copy(value, { ancestors: new Set(), valuesLeft: MAX_VALUES, textUnitsLeft: MAX_TEXT_UNITS });
}

/** The text of a content: a string as it is, binary data as one line with its size, anything else as JSON. */
export function contentToText(content: unknown): string {
  if (typeof content === "string") return content;
  const plain = toPlainJson(content);
  return typeof plain === "string" ? plain : JSON.stringify(plain);
}

/** The text of a field that may be absent: null counts as absent too. */
export function optionalText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : contentToText(value);
}

function copy(value: unknown, walk: Walk): JsonValue {
  switch (typeof value) {
    case "string":
      return takeText(value, walk);
    case "boolean":
      return value;
    case "number":
      // JSON has no -0.
      return Number.isFinite(value) ? value + 0 : String(value);
    case "bigint":
      return takeText(String(value), walk);
    case "undefined":
      return null;
    case "function":
    case "symbol":
      return `[${typeof value}]`;
    case "object":
      return value === null ? null : copyObject(value, walk);
  }
}

function copyObject(value: object, walk: Walk): JsonValue {
  if (walk.ancestors.has(value)) return "[circular]";
  if (walk.ancestors.size >= MAX_DEPTH) return "[nested too deeply]";
  walk.ancestors.add(value);
  try {
    return copyMembers(value, walk);
  } catch {
    return "[unreadable]";
  } finally {
    walk.ancestors.delete(value);
  }
}

function copyMembers(value: object, walk: Walk): JsonValue {
  const binaryBytes = countBinaryBytes(value);
  if (binaryBytes !== undefined) return `[binary: ${Number(binaryBytes)} bytes]`;
  if (Array.isArray(value)) return copyItems(ownItems(value), walk);
  // Not their own iterators: a subclass may have one without end.
  if (types.isMap(value)) return copyMap(value, walk);
  if (types.isSet(value)) return copyItems(Set.prototype.values.call(value), walk);
  if (types.isNativeError(value)) return takeText(`${value.name}: ${value.message}`, walk);
  if (types.isBoxedPrimitive(value)) return copy(value.valueOf(), walk);
  const toJson: unknown = Reflect.get(value, "toJSON");
  const entries = ownEntries(value, toJson);
  if (typeof toJson !== "function") return copyEntries(entries, walk);
  const replacement: unknown = Reflect.apply(toJson, value, [""]);
  // A toJSON that returns its own object asks for its members, not for toJSON again.
  return replacement === value ? copyEntries(entries, walk) : copy(replacement, walk);
}

function countBinaryBytes(value: object): number | undefined {
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return value.byteLength;
  return value instanceof Blob ? value.size : undefined;
}

function copyItems(items: Iterable<unknown>, walk: Walk): JsonValue {
  const copies: JsonValue[] = [];
  for (const item of items) {
    if (!takeValue(walk)) {
      copies.push(LEFT_OUT);
      break;
    }
    copies.push(copy(item, walk));
  }
  return Object.freeze(copies);
}

function copyMap(map: ReadonlyMap<unknown, unknown>, walk: Walk): JsonValue {
  const entries = Map.prototype.entries.call(map);
  return hasTextKeys(map) ? copyEntries(entries, walk) : copyItems(entries, walk);
}

function hasTextKeys(map: ReadonlyMap<unknown, unknown>): map is ReadonlyMap<string, unknown> {
  for (const key of Map.prototype.keys.call(map)) if (typeof key !== "string") return false;
  return true;
}

function copyEntries(entries: Iterable<readonly [string, unknown]>, walk: Walk): JsonValue {
  const copies: [string, JsonValue][] = [];
  for (const [key, member] of entries) {
    if (!takeValue(walk)) {
      copies.push([LEFT_OUT, true]);
      break;
    }
    if (member === undefined) continue;
    copies.push([takeText(key, walk), copy(member, walk)]);
  }
  // Object.fromEntries makes `__proto__` an own property like any other.
  return Object.freeze(Object.fromEntries(copies));
}

function* ownItems(items: readonly unknown[]): Generator<unknown> {
  for (let index = 0; index < items.length; index++) yield readMember(items, index);
}

// `toJSON` has been read already.
function* ownEntries(value: object, toJson: unknown): Generator<readonly [string, unknown]> {
  for (const key of Object.keys(value)) yield [key, key === "toJSON" ? toJson : readMember(value, key)];
}

/** Whether there is room for one more value. */
function takeValue(walk: Walk): boolean {
  walk.valuesLeft--;
  return walk.valuesLeft >= 0 && walk.textUnitsLeft >= 0;
}

function takeText(text: string, walk: Walk): string {
  walk.textUnitsLeft -= text.length;
  return walk.textUnitsLeft < 0 ? LEFT_OUT : copyText(text);
}

function readMember(value: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return "[unreadable]";
  }
}
