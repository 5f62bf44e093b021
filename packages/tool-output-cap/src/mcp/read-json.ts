import { JsonNumber } from "./json-number.js";

/** What JSON makes of any value: a leaf, a container whose members are still to be read, or nothing. */
export type JsonPart = JsonLeaf | JsonContainer | undefined;

/** Text here may still be ill-formed. */
export type JsonLeaf = string | number | boolean | null | JsonNumber;

export interface JsonContainer {
  readonly source: object;
  /** Absent for an array, whose members go by their index. */
  readonly keys?: readonly string[];
  readonly memberCount: number;
}

export function isContainer(part: JsonPart): part is JsonContainer {
  return typeof part === "object" && part !== null && !(part instanceof JsonNumber);
}

/**
 * Reads a value as `JSON.stringify` does, but never throws: a bigint is its digits as a text, and what cannot be read is
 * nothing.
 */
export function readJson(value: unknown): JsonPart {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : null;
    case "bigint":
      return String(value);
    case "object":
      return value === null || value instanceof JsonNumber ? value : readObject(value);
    default:
      return undefined;
  }
}

/** A member of a container, or undefined where reading it throws. */
export function readMember(source: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(source, key);
  } catch {
    return undefined;
  }
}

function readObject(value: object): JsonPart {
  const toJson = readMember(value, "toJSON");
  if (typeof toJson !== "function") return readContainer(value);
  try {
    const replacement: unknown = Reflect.apply(toJson, value, [""]);
    if (typeof replacement !== "object" || replacement === null) return readJson(replacement);
    return readContainer(replacement);
  } catch {
    return undefined;
  }
}

function readContainer(source: object): JsonPart {
  try {
    if (Array.isArray(source)) return { source, memberCount: source.length };
    const keys = Object.keys(source);
    return { source, keys, memberCount: keys.length };
  } catch {
    // A proxy that was revoked, or that refuses.
    return undefined;
  }
}
