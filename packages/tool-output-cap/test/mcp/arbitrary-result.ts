import { nastyText } from "@pod/test-harness/laws";
import fc from "fast-check";

/** Results of tool calls that the SDK's own schema accepts, from a few bytes to some hundred thousand. */
export function arbitraryResult(): fc.Arbitrary<object> {
  return fc.record(
    {
      content: fc.array(arbitraryBlock(), { maxLength: 12 }),
      structuredContent: fc.dictionary(key(), arbitraryJson(), { maxKeys: 8 }),
      isError: fc.boolean(),
      _meta: fc.record({ progressToken: fc.nat() }, { requiredKeys: [] }),
      unknownField: fc.constantFrom(1, "kept"),
    },
    { requiredKeys: [] },
  );
}

/** Any JSON value, with texts, keys and nesting of every kind. */
function arbitraryJson(): fc.Arbitrary<unknown> {
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 5, depthIdentifier: "json" },
      fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean(), fc.constant(null)),
      text(),
      fc.array(tie("json"), { maxLength: 8 }),
      fc.array(fc.integer(), { maxLength: 200, size: "max" }),
      fc.dictionary(key(), tie("json"), { maxKeys: 8 }),
    ),
  }));
  return json;
}

function arbitraryBlock(): fc.Arbitrary<object> {
  const base64 = fc.base64String({ maxLength: 400, size: "max" });
  const resource = fc.oneof(
    fc.record({ uri: text(), text: text(), mimeType: mimeType() }, { requiredKeys: ["uri", "text"] }),
    fc.record({ uri: text(), blob: base64, mimeType: mimeType() }, { requiredKeys: ["uri", "blob"] }),
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constant("text"), text: text() }) },
    fc.record({ type: fc.constant("image"), data: base64, mimeType: mimeType() }),
    fc.record({ type: fc.constant("audio"), data: base64, mimeType: mimeType() }),
    fc.record({ type: fc.constant("resource"), resource, annotations: fc.constant({ priority: 1 }) }),
    fc.record(
      { type: fc.constant("resource_link"), name: text(), title: text(), uri: text(), description: text() },
      { requiredKeys: ["type", "name", "uri"] },
    ),
  );
}

function text(): fc.Arbitrary<string> {
  return nastyText();
}

function key(): fc.Arbitrary<string> {
  return fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom("__proto__", "constructor", "toJSON", "\uD800", '"'));
}

function mimeType(): fc.Arbitrary<string> {
  return fc.constantFrom("image/png", "audio/wav", "application/pdf", "text/plain");
}
