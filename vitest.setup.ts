import { afterAll, afterEach, expect } from "vitest";

// Libraries print nothing: whatever a test or a module prints, through console or straight to the stream, fails it.
const printed: string[] = [];

function record(...values: unknown[]): true {
  printed.push(values.map(String).join(" ").slice(0, 200));
  return true;
}

for (const method of ["log", "info", "warn", "error", "debug", "trace", "dir", "table"] as const) {
  console[method] = record;
}
process.stdout.write = record;
process.stderr.write = record;

function expectSilence(): void {
  expect(printed.splice(0), "a test that prints fails").toEqual([]);
}

afterEach(expectSilence);
afterAll(expectSilence);
