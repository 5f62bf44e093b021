import type { AssistantPart } from "../messages.js";
import { fieldsOf } from "./fields-of.js";

/** What providers say of a part for their own use, by provider. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Where providers quote what their own tools found. */
const QUOTING_KEYS: ReadonlySet<string> = new Set(["citations", "annotations"]);

/** Both together. A signature comes later than the block that it signs. */
export function mergeMetadata(known: ProviderMetadata, added: unknown): ProviderMetadata {
  const merged = Object.entries(fieldsOf(added)).map(
    ([provider, fields]) => [provider, { ...known[provider], ...fieldsOf(fields) }] as const,
  );
  return { ...known, ...Object.fromEntries(merged) };
}

/**
 * What of it enters history and goes back with every request. Nothing caps it there, so it must never hold what a tool
 * found. Of text, words without blanks and numbers stay, which is all that providers want back with text: ids, phases,
 * signatures. Lists and passages quote the finds of the provider's own tools. Reasoning and calls are the model's own:
 * they keep their signatures and sealed thoughts whole, of any size, since a provider refuses for ever what was cut.
 */
export function withoutFinds(type: AssistantPart["type"], metadata: ProviderMetadata): ProviderMetadata {
  const kept = Object.entries(metadata).flatMap(([provider, fields]) => {
    const unquoted = Object.entries(fields).filter(
      ([key, value]) => !QUOTING_KEYS.has(key) && (type !== "text" || isWord(value)),
    );
    return unquoted.length === 0 ? [] : [[provider, Object.fromEntries(unquoted)] as const];
  });
  return Object.fromEntries(kept);
}

function isWord(value: unknown): boolean {
  return typeof value === "string" ? !/\s/.test(value) : typeof value === "number" || typeof value === "boolean";
}
