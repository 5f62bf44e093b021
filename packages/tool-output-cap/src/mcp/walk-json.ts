import type { Keep } from "../limits.js";
import type { JsonNumber } from "./json-number.js";
import { cutJsonText, jsonTextBytes } from "./json-text.js";
import {
  isContainer,
  type JsonContainer,
  type JsonLeaf,
  type JsonPart,
  type JsonReader,
  readPart,
} from "./read-json.js";

/** What stays of a JSON value, the same for all of its parts. */
export interface JsonPlan {
  /** Of each object, at most the first so many members stay. */
  readonly members: number;
  /** Of each array, at most the first so many items. */
  readonly items: number;
  /** Of each text, at most so many UTF-8 bytes of JSON, quotes included. */
  readonly textBytes: number;
  /** Which part of a text that is cut. */
  readonly keep: Keep;
  /** Containers inside of so many others stay empty. */
  readonly depth: number;
}

/** Hears of each part that stays, in order. The key is absent for the root and for the items of arrays. */
export interface JsonSink {
  open(container: JsonContainer, key: string | undefined): void;
  leaf(leaf: JsonLeaf, key: string | undefined): void;
  close(): void;
}

interface Frame {
  readonly container: JsonContainer;
  readonly allowed: number;
  next: number;
  emitted: number;
}

export const WHOLE: JsonPlan = {
  members: Number.POSITIVE_INFINITY,
  items: Number.POSITIVE_INFINITY,
  textBytes: Number.POSITIVE_INFINITY,
  keep: "head",
  depth: Number.POSITIVE_INFINITY,
};

const SILENT: JsonSink = { open() {}, leaf() {}, close() {} };

/**
 * Walks what a plan leaves of a value, without recursion, and gives the UTF-8 bytes of its JSON; it ends where it has seen more
 * than `maxBytes`. What is left of `spareBytes` goes to containers that lose members, the outermost first, one member each.
 */
export function walkJson(
  root: JsonPart,
  plan: JsonPlan,
  maxBytes: number,
  reader: JsonReader,
  sink: JsonSink = SILENT,
  spareBytes = 0,
): number {
  const frames: Frame[] = [];
  const ancestors = new Set<object>();
  let bytes = 0;
  let spare = spareBytes;

  const visit = (part: JsonPart, key: string | undefined) => {
    if (isContainer(part)) {
      if (ancestors.has(part.source)) {
        reader.onOddValue();
        bytes += 4;
        sink.leaf(null, key);
        return;
      }
      bytes += 2;
      ancestors.add(part.source);
      sink.open(part, key);
      frames.push({ container: part, allowed: allow(part), next: 0, emitted: 0 });
    } else if (typeof part === "string") {
      if (!part.isWellFormed()) reader.onOddValue();
      const text = cutJsonText(part, plan.textBytes, plan.keep);
      bytes += jsonTextBytes(text, maxBytes);
      sink.leaf(text, key);
    } else {
      bytes += leafBytes(part ?? null);
      sink.leaf(part ?? null, key);
    }
  };

  const allow = (container: JsonContainer): number => {
    if (frames.length >= plan.depth) return 0;
    const allowed = container.keys === undefined ? plan.items : plan.members;
    if (spare <= 0 || container.memberCount <= allowed) return allowed;
    const key = container.keys?.[allowed];
    const label = (allowed > 0 ? 1 : 0) + (key === undefined ? 0 : jsonTextBytes(key, spare) + 1);
    const needed = label + walkJson(readPart(container, allowed, reader), plan, spare, reader);
    const isEnough = needed <= spare;
    spare = isEnough ? spare - needed : 0;
    return isEnough ? allowed + 1 : allowed;
  };

  visit(root, undefined);
  for (let frame = frames.at(-1); frame !== undefined && bytes <= maxBytes; frame = frames.at(-1)) {
    const { container } = frame;
    if (frame.emitted >= frame.allowed || frame.next >= container.memberCount) {
      frames.pop();
      ancestors.delete(container.source);
      sink.close();
      continue;
    }
    const key = container.keys?.[frame.next];
    const part = readPart(container, frame.next, reader);
    frame.next++;
    if (key !== undefined && part === undefined) continue;
    if (frame.emitted > 0) bytes++;
    frame.emitted++;
    if (key === undefined) visit(part, undefined);
    else {
      if (!key.isWellFormed()) reader.onOddValue();
      bytes += jsonTextBytes(key, maxBytes) + 1;
      visit(part, key.toWellFormed());
    }
  }
  return bytes;
}

function leafBytes(leaf: number | boolean | null | JsonNumber): number {
  return typeof leaf === "object" && leaf !== null ? leaf.source.length : String(leaf).length;
}
