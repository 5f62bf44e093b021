import { byteLength } from "#utf8";
import type { Piece } from "../piece.js";
import { toPlainJson } from "./cap-json.js";
import { copyWith } from "./copy-with.js";
import { isRecord, readMember } from "./read-json.js";

/** A block of a result's content, as the budget sees it. */
export interface Block {
  /** As it stays where it fits: the very block that was there, or a copy where a text was ill-formed or the block replaced. */
  readonly whole: unknown;
  /** UTF-8 bytes of what a model sees of it, and one for the block. */
  readonly bytes: number;
  /** Images and audio of their own kind take none of the text's room but their one byte, and stay where texts go. */
  readonly isMedia?: true;
  /** The text that can be cut, and the same block with another. */
  readonly cuttable?: CuttableText;
  /** What stands for it where it does not fit. */
  readonly standIn?: string;
  /** Of a part: the block that it is of. */
  readonly origin?: object;
  /** Whether a gap is beside its text. */
  readonly wasCut?: true;
}

export interface CuttableText extends Piece {
  /** Whether the block is nothing but this text, so that a marker may stand in it. */
  readonly isAll?: true;
  withText(text: string): unknown;
}

/** Reads a block, each field once. Whatever is not of a known form is unknown: its JSON counts, and it stays whole or goes. */
export function readBlock(source: unknown, maxMediaBytes: number): Block {
  if (!isRecord(source)) return readUnknown(source);
  const type = readMember(source, "type");
  if (type === "text") return readText(source) ?? readUnknown(source);
  if (type === "image" || type === "audio") return readMedia(source, type, maxMediaBytes) ?? readUnknown(source);
  if (type === "resource") return readResource(source) ?? readUnknown(source);
  if (type === "resource_link") return readLink(source) ?? readUnknown(source);
  return readUnknown(source);
}

/** A text block of our own. */
export function textBlock(text: string): Block {
  return { whole: { type: "text", text }, bytes: byteLength(text) + 1 };
}

function readText(source: object): Block | undefined {
  const text = readMember(source, "text");
  if (typeof text !== "string") return undefined;
  const bytes = byteLength(text);
  const withText = (other: string) => copyWith(source, { text: other });
  return {
    whole: text.isWellFormed() ? source : withText(text.toWellFormed()),
    bytes: bytes + 1,
    cuttable: { text, bytes, isAll: true, withText },
  };
}

function readMedia(source: object, type: string, maxMediaBytes: number): Block | undefined {
  const data = readMember(source, "data");
  const mimeType = readMember(source, "mimeType");
  if (typeof data !== "string" || typeof mimeType !== "string") return undefined;
  const dataBytes = byteLength(data);
  const standIn = `[${type} left out: ${shorten(mimeType)}, ${dataBytes} bytes of base64]`;
  if (!mimeType.toLowerCase().startsWith(`${type}/`)) return { whole: source, bytes: dataBytes + 1, standIn };
  return dataBytes <= maxMediaBytes ? { whole: source, bytes: 1, isMedia: true } : textBlock(standIn);
}

function readResource(source: object): Block | undefined {
  const resource = readMember(source, "resource");
  if (!isRecord(resource)) return undefined;
  const uri = readMember(resource, "uri");
  if (typeof uri !== "string") return undefined;
  const text = readMember(resource, "text");
  const blob = readMember(resource, "blob");
  const withFields = (fields: Readonly<Record<string, string>>) =>
    copyWith(source, { resource: copyWith(resource, { ...fields, uri: uri.toWellFormed() }) });
  if (typeof text === "string") {
    const bytes = byteLength(text);
    const withText = (other: string) => withFields({ text: other });
    const isWellFormed = text.isWellFormed() && uri.isWellFormed();
    return {
      whole: isWellFormed ? source : withText(text.toWellFormed()),
      bytes: bytes + byteLength(uri) + 1,
      cuttable: { text, bytes, withText },
    };
  }
  if (typeof blob !== "string") return undefined;
  const mimeType = readMember(resource, "mimeType");
  const kind = typeof mimeType === "string" ? `${shorten(mimeType)}, ` : "";
  const blobBytes = byteLength(blob);
  return {
    whole: uri.isWellFormed() ? source : withFields({}),
    bytes: blobBytes + byteLength(uri) + 1,
    standIn: `[resource left out: ${shorten(uri)}, ${kind}${blobBytes} bytes of base64]`,
  };
}

function readLink(source: object): Block | undefined {
  const fields: Record<string, string> = {};
  for (const key of ["name", "title", "uri", "description"]) {
    const value = readMember(source, key);
    if (typeof value === "string") fields[key] = value;
    else if (value !== undefined) return undefined;
  }
  const { name, uri, description } = fields;
  if (name === undefined || uri === undefined) return undefined;
  const texts = Object.values(fields);
  const wellFormed = Object.fromEntries(Object.entries(fields).map(([key, text]) => [key, text.toWellFormed()]));
  const block: Block = {
    whole: texts.every((text) => text.isWellFormed()) ? source : copyWith(source, wellFormed),
    bytes: texts.reduce((bytes, text) => bytes + byteLength(text), 1),
  };
  if (description === undefined) return block;
  const withText = (other: string) => copyWith(source, { ...wellFormed, description: other });
  return { ...block, cuttable: { text: description, bytes: byteLength(description), withText } };
}

function readUnknown(source: unknown): Block {
  const { value, bytes } = toPlainJson(source);
  return { whole: value, bytes: bytes + 1 };
}

function shorten(text: string): string {
  return text.length <= 80 ? text.toWellFormed() : `${text.slice(0, 79).toWellFormed()}…`;
}
