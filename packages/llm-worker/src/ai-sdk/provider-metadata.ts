import { fieldsOf } from "./fields-of.js";

/** What providers say of a part for their own use, by provider. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Both together. A signature comes later than the block that it signs. */
export function mergeMetadata(known: ProviderMetadata, added: unknown): ProviderMetadata {
  const merged = Object.entries(fieldsOf(added)).map(
    ([provider, fields]) => [provider, { ...known[provider], ...fieldsOf(fields) }] as const,
  );
  return { ...known, ...Object.fromEntries(merged) };
}

/** Without what quotes the finds of the provider's own tools: it would enter history past the cap. */
export function withoutQuotations(metadata: ProviderMetadata): ProviderMetadata {
  const kept = Object.entries(metadata).flatMap(([provider, { citations, annotations, ...fields }]) =>
    Object.keys(fields).length === 0 ? [] : [[provider, fields] as const],
  );
  return Object.fromEntries(kept);
}
