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
  /** The members read so far, where they are kept for the next walk. */
  readonly memory?: Map<number, JsonPart>;
}

/** How parts are read. */
export interface JsonReader {
  /** Hears of what JSON cannot say: a bigint, or an object that does not let itself be read. */
  onOddValue(): void;
  /** A container for what will be read of one. */
  createMemory(): Map<number, JsonPart> | undefined;
}

export function isContainer(part: JsonPart): part is JsonContainer {
  return typeof part === "object" && part !== null && !(part instanceof JsonNumber);
}

/**
 * Reads a value as `JSON.stringify` does, but never throws: a bigint is its digits as a text, and what cannot be read is
 * nothing.
 */
export function readJson(value: unknown, reader: JsonReader): JsonPart {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : null;
    case "bigint":
      reader.onOddValue();
      return String(value);
    case "object":
      return value === null ? null : readObject(value, reader);
    default:
      return undefined;
  }
}

/** A member of a container that was read: from memory, where it has one. */
export function readPart(container: JsonContainer, index: number, reader: JsonReader): JsonPart {
  const { source, keys, memory } = container;
  if (memory?.has(index)) return memory.get(index);
  const part = readJson(readMember(source, keys?.[index] ?? index), reader);
  memory?.set(index, part);
  return part;
}

/** A member of an object, or undefined where reading it throws. */
export function readMember(source: object, key: PropertyKey): unknown {
  try {
    // Several times faster than Reflect.get.
    return (source as Readonly<Record<PropertyKey, unknown>>)[key];
  } catch {
    return undefined;
  }
}

export function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    // A proxy that was revoked.
    return false;
  }
}

/** Whether a value has members by name. */
export function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isList(value);
}

function readObject(value: object, reader: JsonReader): JsonPart {
  try {
    if (value instanceof JsonNumber) return value;
    const toJson: unknown = Reflect.get(value, "toJSON");
    if (typeof toJson !== "function") return readContainer(value, reader);
    const replacement: unknown = Reflect.apply(toJson, value, [""]);
    if (typeof replacement === "object" && replacement !== null) return readContainer(replacement, reader);
    return readJson(replacement, reader);
  } catch {
    // A proxy that was revoked, or code of the value's own.
    reader.onOddValue();
    return undefined;
  }
}

function readContainer(source: object, reader: JsonReader): JsonContainer {
  const memory = reader.createMemory();
  const keys = Array.isArray(source) ? undefined : Object.keys(source);
  return {
    source,
    memberCount: keys?.length ?? Reflect.get(source, "length"),
    ...(keys !== undefined && { keys }),
    ...(memory !== undefined && { memory }),
  };
}
