import fc from "fast-check";

/** One line of a fuzzed peer, without its newline. */
export type Line = Buffer;

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("😀é漢".repeat(300), '"\\\n'.repeat(400), "x".repeat(3_000)),
);
const id = fc.oneof(
  fc.integer({ min: 0, max: 8 }).map(String),
  fc.integer({ min: 0, max: 8 }).map((number) => `"${number}"`),
  fc.constantFrom("9007199254740993", "9007199254740992", "1.0", "null", '"\\ud800"', "{}"),
);
const method = fc.constantFrom(
  "tools/call",
  "tools/list",
  "tasks/get",
  "tasks/result",
  "resources/read",
  "prompts/get",
  "ping",
  "notifications/cancelled",
  "notifications/tasks",
);
const json = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.dictionary(fc.string({ maxLength: 4 }), text), fc.array(text));
const result = fc.oneof(
  json,
  fc.record({ content: fc.array(fc.record({ type: fc.constant("text"), text })), structuredContent: json }),
  fc.record({ contents: fc.array(fc.record({ uri: fc.constantFrom("file:///a", "ui://a"), text })) }),
  fc.record({
    messages: fc.array(
      fc.record({ role: fc.constant("user"), content: fc.record({ type: fc.constant("text"), text }) }),
    ),
  }),
  fc.record({ tools: fc.array(fc.record({ name: text, outputSchema: json })) }),
  fc.record({ taskId: text, status: fc.constant("completed"), result: json, statusMessage: text }),
);

/** Some bytes of the line may be what they should not be. */
const broken = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 30 }), text)
  .map(([bytes, after]) =>
    Buffer.concat([Buffer.from(bytes.filter((byte) => byte !== 0x0a)), Buffer.from(JSON.stringify(after))]),
  );

const request = fc
  .tuple(id, method, json, fc.boolean())
  .map(([id, method, params, isLast]) =>
    isLast
      ? `{"method":${JSON.stringify(method)},"params":${JSON.stringify(params)},"id":${id}}`
      : `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":{"name":"a","taskId":"t"}}`,
  );
const answer = fc
  .tuple(id, fc.constantFrom("result", "error"), result, fc.boolean())
  .map(([id, key, value, isLast]) =>
    isLast
      ? `{"${key}":${JSON.stringify(value)},"id":${id}}`
      : `{"jsonrpc":"2.0","id":${id},"${key}":${JSON.stringify(value)}}`,
  );

function lines(message: fc.Arbitrary<string>): fc.Arbitrary<readonly Line[]> {
  const batch = fc.array(message, { minLength: 1, maxLength: 3 }).map((messages) => `[${messages.join(", ")}]`);
  const line = fc.oneof(
    { weight: 8, arbitrary: message.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: batch.map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: broken },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        Buffer.alloc(0),
        Buffer.from("\r"),
        Buffer.from("{"),
        Buffer.from('{"id":1,"result":'),
      ),
    },
  );
  return fc.array(line, { maxLength: 12 });
}

/** What a client may say, and more: late, twice, or never asked for. */
export const clientLines: fc.Arbitrary<readonly Line[]> = lines(request);
/** What a server may say, and more. */
export const serverLines: fc.Arbitrary<readonly Line[]> = lines(fc.oneof({ weight: 4, arbitrary: answer }, request));

export function join(lines: readonly Line[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
}
