import { type Message, renderToolResult } from "./messages.js";

/** What a message adds to a request, in UTF-8 bytes of its strings, keys left out. */
export interface MessageSize {
  readonly textBytes: number;
  /** Base64 and provider metadata: what they cost says nothing of what text costs. */
  readonly opaqueBytes: number;
}

/** A shorter run of the alphabet may be a word or a path. */
const LEAST_BASE64_UNITS = 256;
/** Base64 in lines has 64 or 76 characters in each. */
const LEAST_BASE64_LINE_UNITS = 60;

export function measureMessage(message: Message): MessageSize {
  let bytes = 0;
  let opaqueBytes = 0;
  for (const text of textsOf(message)) {
    bytes += Buffer.byteLength(text);
    opaqueBytes += countBase64(text);
  }
  return { textBytes: bytes - opaqueBytes, opaqueBytes: opaqueBytes + countMetadata(message) };
}

/** UTF-8 bytes of the strings in plain JSON, keys left out. */
export function countStringBytes(value: unknown): number {
  let bytes = 0;
  for (const text of stringsIn(value)) bytes += Buffer.byteLength(text);
  return bytes;
}

function textsOf(message: Message): Iterable<string> {
  switch (message.role) {
    case "user":
      return [message.text];
    case "assistant":
      return stringsIn(message.parts.map(({ type, providerMetadata, ...fields }) => fields));
    case "tool":
      return message.results.flatMap((result) => [result.toolCallId, renderToolResult(result)]);
  }
}

function countMetadata(message: Message): number {
  if (message.role !== "assistant") return 0;
  return countStringBytes(message.parts.map(({ providerMetadata }) => providerMetadata));
}

function* stringsIn(value: unknown): Iterable<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  for (const member of Object.values(value)) yield* stringsIn(member);
}

// No regular expression: the engine keeps the last text that one matched.
function countBase64(text: string): number {
  if (text.length < LEAST_BASE64_UNITS) return 0;
  let total = 0;
  let runUnits = 0;
  let lineUnits = 0;
  for (let at = 0; at <= text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isBase64(unit)) {
      runUnits++;
      lineUnits++;
    } else if (unit === LINE_FEED && lineUnits >= LEAST_BASE64_LINE_UNITS) lineUnits = 0;
    else if (unit !== CARRIAGE_RETURN || lineUnits < LEAST_BASE64_LINE_UNITS) {
      if (runUnits >= LEAST_BASE64_UNITS) total += runUnits;
      runUnits = 0;
      lineUnits = 0;
    }
  }
  return total;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Letters, digits, `+`, `/`, `=`, and `-`, `_` of the other alphabet. */
function isBase64(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x2f && unit <= 0x39) ||
    unit === 0x2b ||
    unit === 0x3d ||
    unit === 0x2d ||
    unit === 0x5f
  );
}
