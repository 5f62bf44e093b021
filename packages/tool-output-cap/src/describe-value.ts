/** The words of an error about a wrong value: where it was, what was expected, what came, and what to write. */
export function describeFault(place: string, expected: string, received: unknown, remedy: string): string {
  return `${place}: expected ${expected}, received ${describeValue(received)}. Write: ${remedy}`;
}

/** The object itself, or a TypeError that says what came instead. */
export function readObject(value: unknown, place: string, remedy: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  throw new TypeError(describeFault(place, "an object", value, remedy));
}

/** A value as an error message shows it: at most 80 characters, and without running any code of the value's own. */
export function describeValue(value: unknown): string {
  const text = showValue(value);
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

function showValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (Object(value) === value) return typeof value === "function" ? "a function" : "an object";
  return typeof value === "bigint" ? `${value}n` : String(value);
}
