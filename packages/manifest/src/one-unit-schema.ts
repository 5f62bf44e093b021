/** That bytes and tokens are not together in one file, as JSON Schema says it of the section. */
export const ONE_UNIT: Readonly<Record<string, unknown>> = {
  if: { anyOf: [{ required: ["default_max_tokens"] }, { required: ["turn_max_tokens"] }] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { properties: { default_max_bytes: false, turn_max_bytes: false, per_tool: withoutKey("max_bytes") } },
  else: {
    if: { anyOf: [{ required: ["default_max_bytes"] }, { required: ["turn_max_bytes"] }] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { per_tool: withoutKey("max_tokens") } },
    // Without a key that names the unit, bare numbers are bytes.
    else: { properties: { per_tool: { anyOf: [withoutKey("max_tokens"), { additionalProperties: onlyTokens() }] } } },
  },
};

function withoutKey(key: string) {
  return { additionalProperties: { properties: { [key]: false } } };
}

function onlyTokens() {
  return { type: "object", properties: { max_bytes: false } };
}
