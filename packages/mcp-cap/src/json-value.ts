import { JsonNumber } from "@pod/tool-output-cap/mcp";

/** What JSON can say. A number that JavaScript cannot hold, or would write otherwise, is a `JsonNumber`. */
export type JsonValue = null | boolean | number | string | JsonNumber | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** A member of its own, or undefined: `constructor` is no member of `{}`. */
export function getMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a member of its own: by assignment, `__proto__` would change the prototype. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
