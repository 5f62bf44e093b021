import { types } from "node:util";
import { copyText } from "./copy-text.js";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Far below where JSON.stringify exhausts the stack, far above what a person nests. */
const MAX_DEPTH = 500;
/** A graph with shared parts can stand for more values than any memory holds. */
const MAX_VALUES = 1_000_000;

interface Walk {
  readonly ancestors: Set<object>;
  valuesLeft: number;
}

/**
 * A deeply frozen copy of any value as plain JSON, every string and key of it well-formed. Each property is read once.
 * What JSON cannot say stands as a text in brackets: binary data by its size, a circular reference, a property that
 * throws. Never throws.
 */
export function toPlainJson(value: unknown): JsonValue {
  return copy(value, { ancestors: new Set(), valuesLeft: MAX_VALUES });
}

/** The text of a content: a string as it is, binary data as one line with its size, anything else as JSON. */
export function contentToText(content: unknown): string {
  if (typeof content === "string") return content;
  const plain = toPlainJson(content);
  if (typeof plain === "string") return plain;
  try {
    return JSON.stringify(plain);
  } catch {
    // Longer than the longest string of the engine.
    return "[too large to serialise]";
  }
}

function copy(value: unknown, walk: Walk): JsonValue {
  switch (typeof value) {
    case "string":
      return copyText(value);
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return String(value);
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
  if (binaryBytes !== undefined) return `[binary: ${binaryBytes} bytes]`;
  if (Array.isArray(value)) return copyItems(value, walk);
  if (types.isMap(value)) return copyMap(value, walk);
  if (types.isSet(value)) return copyItems(value, walk);
  if (types.isNativeError(value)) return copyText(`${value.name}: ${value.message}`);
  const toJson: unknown = Reflect.get(value, "toJSON");
  if (typeof toJson === "function") return copyReplacement(Reflect.apply(toJson, value, [""]), value, walk);
  return copyEntries(ownEntries(value), walk);
}

function countBinaryBytes(value: object): number | undefined {
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return value.byteLength;
  return value instanceof Blob ? value.size : undefined;
}

// A toJSON that returns its own object asks for its members, not for toJSON again.
function copyReplacement(replacement: unknown, original: object, walk: Walk): JsonValue {
  return replacement === original ? copyEntries(ownEntries(original), walk) : copy(replacement, walk);
}

function copyItems(items: Iterable<unknown>, walk: Walk): JsonValue {
  const copies: JsonValue[] = [];
  for (const item of items) {
    if (walk.valuesLeft-- <= 0) {
      copies.push("[more left out]");
      break;
    }
    copies.push(copy(item, walk));
  }
  return Object.freeze(copies);
}

function copyMap(map: ReadonlyMap<unknown, unknown>, walk: Walk): JsonValue {
  return hasTextKeys(map) ? copyEntries(map, walk) : copyItems(map, walk);
}

function hasTextKeys(map: ReadonlyMap<unknown, unknown>): map is ReadonlyMap<string, unknown> {
  return [...map.keys()].every((key) => typeof key === "string");
}

function copyEntries(entries: Iterable<readonly [string, unknown]>, walk: Walk): JsonValue {
  const copies: [string, JsonValue][] = [];
  for (const [key, member] of entries) {
    if (member === undefined) continue;
    if (walk.valuesLeft-- <= 0) {
      copies.push(["[more left out]", true]);
      break;
    }
    copies.push([copyText(key), copy(member, walk)]);
  }
  // Object.fromEntries makes `__proto__` an own property like any other.
  return Object.freeze(Object.fromEntries(copies));
}

function* ownEntries(value: object): Generator<readonly [string, unknown]> {
  for (const key of Object.keys(value)) {
    let member: unknown;
    try {
      member = Reflect.get(value, key);
    } catch {
      member = "[unreadable]";
    }
    yield [key, member];
  }
}
