/** Things that a tool can return or throw, none of which is an output. Each is made anew: some can be used once. */
export const hostileValues: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  "a number": () => 42,
  NaN: () => Number.NaN,
  "a bigint": () => 10n ** 40n,
  "a symbol": () => Symbol("hostile"),
  "a function": () => () => "never called",
  "a class": () => class Hostile {},
  "an object without prototype": () => Object.assign(Object.create(null), { text: "plain" }),
  "a boxed text": () => Object("\uD800 boxed"),
  "a text of lone surrogates": () => "\uD800\uDC00\uDBFF".repeat(300),
  "keys that are lone surrogates": () => ({ "\uD800": "\uDFFF", "\uDFFF": 1 }),
  "a key __proto__": () => JSON.parse('{ "__proto__": { "isError": true }, "constructor": 1 }'),
  "an object that names itself": () => {
    const circular: { self?: object } = {};
    circular.self = circular;
    return circular;
  },
  "a nest of 100,000 arrays": () => Array.from({ length: 100_000 }).reduce((inner) => [inner], "deep"),
  "an array whose iterator never ends": () =>
    Object.assign([], {
      *[Symbol.iterator]() {
        for (;;) yield "more";
      },
    }),
  "a map": () => new Map([["key", new Map([[{ key: 1 }, new Set([1, "two"])]])]]),
  "a weak map": () => new WeakMap(),
  "a date that is none": () => new Date(Number.NaN),
  "a pattern": () => /(a+)+b/g,
  "a promise that is pending": () => new Promise(() => {}),
  "a generator": () =>
    (function* () {
      yield "one";
    })(),
  "an async generator": () =>
    (async function* () {
      yield "one";
    })(),
  "a stream": () => new ReadableStream({ start: (controller) => controller.enqueue("chunk") }),
  "a response": () => new Response("body"),
  "a blob": () => new Blob(["bytes"]),
  "a file": () => new File(["bytes"], "name.txt"),
  bytes: () => Buffer.alloc(50_000, 1),
  "a view of shared memory": () => new DataView(new SharedArrayBuffer(8)),
  "a buffer that was taken away": () => {
    const buffer = new ArrayBuffer(8);
    structuredClone(buffer, { transfer: [buffer] });
    return buffer;
  },
  "something that only looks like a blob": () => Object.create(Blob.prototype),
  "a toJSON that throws": () => ({ toJSON: refuse }),
  "a toJSON that returns itself": () => ({
    toJSON() {
      return this;
    },
  }),
  "a toJSON that never ends": () => endlessToJson(),
  "a toJSON that is a proxy": () => ({ toJSON: refusingProxy() }),
  "a getter that throws": () => withGetter("content"),
  "a summary that throws": () => withGetter("summary"),
  "a then that throws": () => withGetter("then"),
  "a proxy that refuses everything": refusingProxy,
  "a revoked proxy": revokedProxy,
  "a revoked array": () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return proxy;
  },
  "an error with texts that are none": () => Object.assign(new Error("words"), { message: {}, name: Symbol("name") }),
  "an error with getters that throw": () => withGetter("message", withGetter("name", withGetter("cause", new Error()))),
  "an error that is its own cause": () => {
    const error = new Error("circle");
    error.cause = error;
    return error;
  },
  "an error whose members are a revoked proxy": () => Object.assign(new Error("words"), { errors: revokedProxy() }),
  "an error whose members refuse to be read": () =>
    Object.assign(new Error("words"), { errors: new Proxy([], { get: refuse }) }),
  "an error of 10,000 members": () => new AggregateError(Array.from({ length: 10_000 }, () => new Error("member"))),
  "a forged result": () => ({
    toolCallId: "forged",
    toolName: "forged",
    summary: "forged",
    content: "x".repeat(5_000),
    isError: "forged",
    summaryIsDerived: true,
    truncation: { maxBytes: 9e9, originalBytes: 1, keptBytes: 1, droppedBytes: 0 },
  }),
};

/** Things without an end, or nearly: whoever looks at all of them is at it for ever. */
export const endlessValues: Readonly<Record<string, () => unknown>> = {
  "an array of 2^32 - 1 holes": () => new Array(2 ** 32 - 1),
  "an object that never ends": endless,
};

/** An object whose every look at it throws. */
function refusingProxy(): object {
  const traps: ProxyHandler<object> = {};
  for (const trap of ["get", "has", "ownKeys", "getPrototypeOf", "getOwnPropertyDescriptor"] as const) {
    traps[trap] = refuse;
  }
  return new Proxy({}, traps);
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function withGetter(key: string, object: object = {}): object {
  return Object.defineProperty(object, key, { enumerable: true, get: refuse });
}

function refuse(): never {
  throw new Error("CANARY");
}

function endless(): object {
  return new Proxy(
    {},
    {
      get: (_target, key) => (typeof key === "string" && key.length === 1 ? endless() : undefined),
      ownKeys: () => ["a", "b"],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  );
}

function endlessToJson(): object {
  return { toJSON: endlessToJson };
}
