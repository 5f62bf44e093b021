import { contentToText } from "./plain-json.js";

/** An error may name a cause that names it back. */
const MAX_ERRORS = 10;

/**
 * What was thrown, as text: `name: message`, then a line for each cause and each member of an AggregateError; no stack.
 * Never throws.
 */
export function errorToText(thrown: unknown): string {
  try {
    return listLines(thrown).join("\n");
  } catch {
    return "[an error longer than a text can be]";
  }
}

function listLines(thrown: unknown): string[] {
  const lines = [describe(thrown), ...memberLines(thrown)];
  let cause = read(thrown, "cause");
  while (cause !== undefined && lines.length < MAX_ERRORS) {
    lines.push(`caused by ${describe(cause)}`, ...memberLines(cause));
    cause = read(cause, "cause");
  }
  return lines;
}

function memberLines(thrown: unknown): string[] {
  const members = read(thrown, "errors");
  const lines: string[] = [];
  if (!isArray(members)) return lines;
  const count = Math.min(Number(read(members, "length")), MAX_ERRORS);
  for (let index = 0; index < count; index++) lines.push(`- ${describe(read(members, index))}`);
  return lines;
}

function describe(thrown: unknown): string {
  const message = read(thrown, "message");
  if (typeof message !== "string") return contentToText(thrown);
  const name = read(thrown, "name");
  const title = typeof name === "string" && name !== "" ? name : "Error";
  return message === "" ? title : `${title}: ${message}`;
}

function isArray(value: unknown): boolean {
  try {
    return Array.isArray(value);
  } catch {
    // A revoked proxy is nothing at all.
    return false;
  }
}

function read(thrown: unknown, key: "name" | "message" | "cause" | "errors" | "length" | number): unknown {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  try {
    return Reflect.get(thrown, key);
  } catch {
    // A getter that throws hides its value; what else the error says still counts.
    return undefined;
  }
}
