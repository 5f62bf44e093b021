// What the laws take from node:assert and vitest, for a page that has neither.

export function ok(value: unknown, message = "expected a true value"): asserts value {
  if (!value) throw new Error(message);
}

export function equal(actual: unknown, expected: unknown, message = `${actual} is not ${expected}`): void {
  ok(Object.is(actual, expected), message);
}

export function deepEqual(actual: unknown, expected: unknown): void {
  equal(JSON.stringify(actual), JSON.stringify(expected));
}

export function doesNotThrow(call: () => unknown): void {
  call();
}

export function throws(call: () => unknown, isExpected: (error: unknown) => boolean): void {
  try {
    call();
  } catch (error) {
    ok(isExpected(error), `threw ${error}`);
    return;
  }
  throw new Error("did not throw");
}

/** A page registers no suites. */
export const describe = {};
export const it = {};
