import { describeValue } from "../describe-value.js";
import { type OutputLimit, readMaxBytes } from "../limits.js";
import type { CallToolResultOptions, CallToolResultTruncation } from "./call-tool-result.js";
import { capContent } from "./cap-content.js";
import { capJson } from "./cap-json.js";
import { copyWith } from "./copy-with.js";
import { readMember } from "./read-json.js";

const META_KEY = "pod/truncation";
const DEFAULT_MAX_MEDIA_BYTES = 5_242_880;

/**
 * Caps the result of an MCP tool call: all the text that a model can see in `content` together, and `structuredContent`, each
 * to `limit.maxBytes` UTF-8 bytes. Blocks that get no room are dropped, the marker comes once, in a text block; the structured
 * content becomes a smaller valid value. Images and audio pass whole. `isError` and unknown fields stay, and what was cut
 * stands in `_meta["pod/truncation"]`. The same object comes back where everything is well-formed and within the limit.
 *
 * @throws RangeError or TypeError for a limit or an option that is none. It never throws for a value that came from JSON.
 */
export function capCallToolResult<R>(result: R, limit: OutputLimit, options: CallToolResultOptions = {}): R {
  const maxBytes = readMaxBytes(limit, "limit");
  const maxMediaBytes = readMaxMediaBytes(options);
  if (typeof result !== "object" || result === null || Array.isArray(result))
    return capJson(result, maxBytes).value as R;
  const changes: Record<string, unknown> = {};
  const truncation: { -readonly [K in keyof CallToolResultTruncation]: CallToolResultTruncation[K] } = {};

  const content = readMember(result, "content");
  if (Array.isArray(content)) {
    const capped = capContent(content, maxBytes, maxMediaBytes);
    if (capped.content !== content) changes.content = capped.content;
    if (capped.truncation !== undefined) truncation.content = capped.truncation;
  } else if (content !== undefined) {
    const capped = capJson(content, maxBytes);
    if (capped.value !== content) changes.content = capped.value;
    if (capped.truncation !== undefined) truncation.content = { ...capped.truncation, droppedBlocks: 0 };
  }

  const structured = readMember(result, "structuredContent");
  if (structured !== undefined) {
    const capped = capJson(structured, maxBytes);
    if (capped.value !== structured) changes.structuredContent = capped.value;
    if (capped.truncation !== undefined) truncation.structuredContent = capped.truncation;
  }

  if (Object.keys(changes).length === 0) return result;
  if (Object.keys(truncation).length > 0) {
    const meta = readMember(result, "_meta");
    if (meta === undefined) changes._meta = { [META_KEY]: truncation };
    else if (typeof meta === "object" && meta !== null) changes._meta = copyWith(meta, { [META_KEY]: truncation });
  }
  return copyWith(result, changes) as R;
}

function readMaxMediaBytes({ maxMediaBytes = DEFAULT_MAX_MEDIA_BYTES }: CallToolResultOptions): number {
  if (Number.isInteger(maxMediaBytes) && maxMediaBytes >= 0 && maxMediaBytes <= 2_147_483_647) return maxMediaBytes;
  throw new RangeError(
    `options.maxMediaBytes: expected an integer from 0 to 2147483647 (bytes of base64), received ${describeValue(maxMediaBytes)}. Write: ${DEFAULT_MAX_MEDIA_BYTES}`,
  );
}
