import { capText } from "../cap-text.js";
import type { Keep, OutputLimit } from "../limits.js";
import { readByCeiling } from "../token-cap.js";
import { capJson } from "./cap-json.js";
import { copyWith } from "./copy-with.js";
import { isRecord, readMember } from "./read-json.js";

/**
 * Caps the `error` of a JSON-RPC answer: `message` as a text, and `data`, as a text or as structured content is, each to
 * `limit.maxBytes` UTF-8 bytes. `code` and unknown fields stay. The same object comes back where nothing had to change.
 *
 * @throws RangeError or TypeError for a limit that is none. It never throws for a value that came from JSON.
 */
export function capJsonRpcError<E>(error: E, limit: OutputLimit): E {
  const checked = readByCeiling(limit);
  if (!isRecord(error)) return capPart(error, checked) as E;
  const changes: Record<string, unknown> = {};
  for (const key of ["message", "data"]) {
    const part = readMember(error, key);
    if (part === undefined) continue;
    const capped = capPart(part, checked);
    if (capped !== part) changes[key] = capped;
  }
  return Object.keys(changes).length === 0 ? error : (copyWith(error, changes) as E);
}

function capPart(part: unknown, limit: { readonly maxBytes: number; readonly keep: Keep }): unknown {
  return typeof part === "string" ? capText(part, limit).text : capJson(part, limit.maxBytes, limit.keep).value;
}
