import { expect } from "vitest";

/** Checks that a JSON value is what shortening leaves of another: first items, first members, the beginning of texts. */
export function expectPart(part: unknown, whole: unknown): void {
  if (typeof whole === "string") {
    expect(typeof part).toBe("string");
    expect(whole.toWellFormed().startsWith(String(part))).toBe(true);
    return;
  }
  if (typeof whole !== "object" || whole === null) {
    // JSON has no -0.
    expect(part === whole || Object.is(part, 0)).toBe(true);
    return;
  }
  expect(Array.isArray(part)).toBe(Array.isArray(whole));
  const entries = Object.entries(whole);
  for (const [index, [key, member]] of Object.entries(part as object).entries()) {
    const [wholeKey, wholeMember] = entries[index] ?? [];
    expect(key).toBe(wholeKey);
    expectPart(member, wholeMember);
  }
}
