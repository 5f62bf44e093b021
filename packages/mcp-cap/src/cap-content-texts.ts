import type { OutputLimit } from "@pod/tool-output-cap";
import { capTexts } from "./cap-texts.js";
import { getMember, isJsonObject, type JsonObject, type JsonValue } from "./json-value.js";

/** Where the record of a cut stands in a result. */
const RECORD_KEY = "pod/truncation";

/** Caps the texts of `resources/read`, all within one limit. Blobs and `ui://` resources, which no model reads, stay. */
export function capResourceTexts(result: JsonObject, limit: OutputLimit): JsonObject {
  return capItems(result, "contents", limit, (item) => {
    const uri = getMember(item, "uri");
    return typeof uri === "string" && /^ui:/i.test(uri) ? undefined : item;
  });
}

/** Caps the texts of `prompts/get`, all within one limit: those of its messages and of what is embedded in them. */
export function capPromptTexts(result: JsonObject, limit: OutputLimit): JsonObject {
  return capItems(result, "messages", limit, (message) => {
    const content = getMember(message, "content");
    if (!isJsonObject(content)) return undefined;
    const resource = getMember(content, "resource");
    return isJsonObject(resource) ? resource : content;
  });
}

/** Caps, in place, the `text` that `findHolder` finds in each item of an array. An item whose text gets no room goes. */
function capItems(
  result: JsonObject,
  key: string,
  limit: OutputLimit,
  findHolder: (item: JsonObject) => JsonObject | undefined,
): JsonObject {
  const items = getMember(result, key);
  if (!Array.isArray(items)) return result;
  const holders = new Map<JsonValue, JsonObject>();
  const texts: string[] = [];
  for (const item of items) {
    const holder = isJsonObject(item) ? findHolder(item) : undefined;
    const text = holder === undefined ? undefined : getMember(holder, "text");
    if (holder === undefined || typeof text !== "string") continue;
    holders.set(item, holder);
    texts.push(text);
  }
  const capped = capTexts(texts, limit);
  if (capped === undefined) return result;
  let next = 0;
  const kept = items.filter((item) => {
    const holder = holders.get(item);
    if (holder === undefined) return true;
    const text = capped.texts[next++];
    if (text !== undefined) holder.text = text;
    return text !== undefined;
  });
  const meta = getMember(result, "_meta");
  // Limits are in bytes here, so that there are none to leave out but for the compiler.
  const { tokens: _, ...bytes } = capped.truncation;
  return {
    ...result,
    [key]: kept,
    _meta: { ...(isJsonObject(meta) ? meta : {}), [RECORD_KEY]: bytes },
  };
}
