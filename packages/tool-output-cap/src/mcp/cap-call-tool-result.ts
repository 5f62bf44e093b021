import type { OutputLimit } from "../limits.js";
import { readByCeiling } from "../token-cap.js";
import type { Truncation } from "../truncation.js";
import { type CallToolResultOptions, readMaxMediaBytes } from "./call-tool-result.js";
import { capContent } from "./cap-content.js";
import { capJson } from "./cap-json.js";
import { copyWith } from "./copy-with.js";
import { isList, isRecord, readMember } from "./read-json.js";

const RECORD_KEY = "pod/truncation";

/**
 * Caps the result of an MCP tool call: all the text that a model can see in `content` together, and `structuredContent`, each
 * to `limit.maxBytes` UTF-8 bytes. Blocks that get no room are dropped, the marker comes once, in a text block; the structured
 * content becomes a smaller valid value. Images and audio pass whole. `isError` and unknown fields stay, and what was cut
 * stands in `_meta["pod/truncation"]`. The same object comes back where everything is well-formed and within the limit.
 *
 * `limit.keep` says which blocks and which part of a text stay; lists and objects always keep their first members.
 *
 * `limit.maxTokens` counts as 4 bytes each: nobody counts here.
 *
 * @throws RangeError or TypeError for a limit or an option that is none. It never throws for a value that came from JSON.
 */
export function capCallToolResult<R>(result: R, limit: OutputLimit, options: CallToolResultOptions = {}): R {
  const { maxBytes, keep } = readByCeiling(limit);
  const maxMediaBytes = readMaxMediaBytes(options);
  if (!isRecord(result)) return capJson(result, maxBytes, keep).value as R;
  const meta = readMember(result, "_meta");
  const earlier = isRecord(meta) ? readMember(meta, RECORD_KEY) : undefined;
  const recordOf = (field: string) => (isRecord(earlier) ? readMember(earlier, field) : undefined);
  const changes: Record<string, unknown> = {};
  const records: Record<string, Truncation> = {};

  const content = readMember(result, "content");
  if (isList(content)) {
    const capped = capContent(content, maxBytes, keep, maxMediaBytes, recordOf("content"));
    if (capped.content !== content) changes.content = capped.content;
    if (capped.truncation !== undefined) records.content = capped.truncation;
  }
  for (const field of isList(content) ? ["structuredContent"] : ["content", "structuredContent"]) {
    const value = readMember(result, field);
    if (value === undefined) continue;
    const capped = capJson(value, maxBytes, keep, recordOf(field));
    if (capped.value !== value) changes[field] = capped.value;
    if (capped.truncation !== undefined) records[field] = capped.truncation;
  }

  if (Object.keys(changes).length === 0) return result;
  // What is no object is no _meta, and stays for its receiver to refuse.
  if (Object.keys(records).length > 0 && (meta === undefined || isRecord(meta))) {
    const record = copyWith(isRecord(earlier) ? earlier : {}, records);
    changes._meta = copyWith(meta ?? {}, { [RECORD_KEY]: record });
  }
  return copyWith(result, changes) as R;
}
