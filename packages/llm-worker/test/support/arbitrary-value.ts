import { nastyText } from "@pod/test-harness/laws";
import fc from "fast-check";

/**
 * Makers of anything that a tool may return: every built-in kind of value, ill-formed texts, and objects that fight back.
 * Makers, because fast-check looks into values, and some of these throw then.
 */
export function arbitraryValue(): fc.Arbitrary<() => unknown> {
  return fc.oneof({ weight: 3, arbitrary: builtIn() }, { weight: 2, arbitrary: hostileGraph() });
}

function builtIn(): fc.Arbitrary<() => unknown> {
  const value = fc.anything({
    key: fc.oneof(nastyText(), fc.constantFrom("__proto__", "toJSON", "constructor", "then", "length")),
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    stringUnit: "binary",
  });
  return value.map((made) => () => made);
}

function hostileGraph(): fc.Arbitrary<() => unknown> {
  const { maker } = fc.letrec<{ maker: () => unknown }>((tie) => ({
    maker: fc.oneof(
      { maxDepth: 4, depthIdentifier: "hostile" },
      fc.constantFrom(...hostileLeaves),
      nastyText().map((text) => () => text),
      fc.array(tie("maker"), { maxLength: 4 }).map((makers) => () => makers.map((make) => make())),
      fc.dictionary(nastyText(), tie("maker"), { maxKeys: 4 }).map((makers) => () => makeMembers(makers)),
      tie("maker").map((make) => () => ({ toJSON: make })),
      tie("maker").map((make) => () => new Map([[make(), make()]])),
      tie("maker").map((make) => () => new Proxy({ member: make() }, {})),
      tie("maker").map((make) => () => circular(make())),
    ),
  }));
  return maker;
}

const hostileLeaves: readonly (() => unknown)[] = [
  () => undefined,
  () => Number.NaN,
  () => -0,
  () => Symbol("s"),
  () => () => "f",
  () => new Error("\uD800"),
  () => Object.assign(new Error("m"), { name: Symbol("n") }),
  () => new Date(Number.NaN),
  () => Buffer.from("abc"),
  () => new Blob(["abc"]),
  () => Object.create(Blob.prototype),
  () => Object.create(Date.prototype),
  () => Object.defineProperty(new Uint8Array(2), "byteLength", { value: "\uD800" }),
  () => Object.assign(Object("text"), { valueOf: () => Object("text") }),
  () => revoked({}),
  () => revoked([]),
  () => new Proxy({}, new Proxy({}, { get: fail })),
  () => new Proxy([1, 2], { get: fail }),
  () => Object.defineProperty({ a: 1 }, "b", { enumerable: true, get: fail }),
  () => Object.defineProperty([1, 2], 1, { enumerable: true, get: fail }),
  () => ({ toJSON: fail }),
  () => ({ toJSON: 5 }),
  () => ({
    toJSON() {
      return this;
    },
  }),
];

function makeMembers(makers: Readonly<Record<string, () => unknown>>): object {
  return Object.fromEntries(Object.entries(makers).map(([key, make]) => [key, make()]));
}

function circular(member: unknown): object {
  const cycle: Record<string, unknown> = { member };
  cycle.self = [cycle];
  return cycle;
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function fail(): never {
  throw new Error("not to be read");
}
