import type { TomlValue } from "smol-toml";
import { quoteText } from "./quote-text.js";

const MAX_SHOWN_CHARACTERS = 80;

/** A limit's value as an error shows it: scalars as TOML writes them, at most 80 characters; the rest by kind. */
export function describeValue(value: TomlValue | undefined): string {
  switch (typeof value) {
    case "string":
      return quoteText(value);
    case "bigint":
      return shorten(value.toString());
    case "number":
      return describeFloat(value);
    case "boolean":
      return String(value);
    default:
      return describeKind(value);
  }
}

/** What kind of value it is, and nothing of the value itself: for places where it may be a secret. */
export function describeKind(value: TomlValue | undefined): string {
  switch (typeof value) {
    case "string":
      return "a string";
    case "bigint":
      return "an integer";
    case "number":
      return "a float";
    case "boolean":
      return "a boolean";
    default:
      if (Array.isArray(value)) return "an array";
      return value instanceof Date ? "a date" : "a table";
  }
}

function describeFloat(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const digits = Object.is(value, -0) ? "-0" : String(value);
  return /^-?\d+$/.test(digits) ? `${digits}.0` : digits;
}

function shorten(digits: string): string {
  return digits.length <= MAX_SHOWN_CHARACTERS ? digits : `${digits.slice(0, MAX_SHOWN_CHARACTERS - 1)}…`;
}
