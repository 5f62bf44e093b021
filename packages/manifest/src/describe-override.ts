import { describeArgument } from "./check-options.js";
import type { LayerSource } from "./layer.js";
import { quoteText } from "./quote-text.js";

/** Where overrides are from: no file. */
export const OVERRIDE_SOURCE: LayerSource = { layer: "override", shownFile: "<code>" };

/** A value as a fault of overrides shows it: as JavaScript writes it, at most 80 characters, and objects by kind. */
export function describeOverride(value: unknown): string {
  if (typeof value === "string") return quoteText(value);
  return typeof value === "bigint" ? `${describeArgument(value)}n` : describeArgument(value);
}

/** A property as JavaScript reads it: `overrides.perTool["a.b"]`. */
export function joinPath(parent: string, key: string): string {
  return isIdentifier(key) ? `${parent}.${key}` : `${parent}[${quoteText(key)}]`;
}

/** A property's name as JavaScript writes it in an object. */
export function quoteProperty(key: string): string {
  return isIdentifier(key) ? key : quoteText(key);
}

/** Whether a value is an object to look up names in. A Map or an array has no own property by a tool's name: it would silently mean "no limits". */
export function isPlain(value: unknown): value is object {
  return Object.prototype.toString.call(value) === "[object Object]";
}

function isIdentifier(key: string): boolean {
  return /^[A-Za-z_$][\w$]{0,79}$/.test(key);
}
