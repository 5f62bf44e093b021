import type { JsonNumber } from "./json-number.js";
import { cutJsonText, jsonTextBytes } from "./json-text.js";
import { isContainer, type JsonContainer, type JsonLeaf, type JsonPart, readJson, readMember } from "./read-json.js";

/** What stays of a JSON value, the same for all of its parts. */
export interface JsonPlan {
  /** Of each object, at most the first so many members stay. */
  readonly members: number;
  /** Of each array, at most the first so many items. */
  readonly items: number;
  /** Of each text, at most so many UTF-8 bytes of JSON, quotes included. */
  readonly textBytes: number;
  /** Containers inside of so many others stay empty. */
  readonly depth: number;
}

/** Hears of each part that stays, in order. The key is absent for the root and for the items of arrays. */
export interface JsonSink {
  open(container: JsonContainer, key: string | undefined): void;
  leaf(leaf: JsonLeaf, key: string | undefined): void;
  close(): void;
}

export interface JsonSize {
  /** UTF-8 bytes of the JSON text; where it is more than the walk was allowed, the walk ended there. */
  readonly bytes: number;
  /** Whether every text seen is well-formed, and everything seen can be JSON: no bigint, no cycle. */
  readonly isPlain: boolean;
}

interface Frame extends JsonContainer {
  readonly allowed: number;
  index: number;
  emitted: number;
}

export const WHOLE: JsonPlan = {
  members: Number.POSITIVE_INFINITY,
  items: Number.POSITIVE_INFINITY,
  textBytes: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
};

const nobody: JsonSink = { open() {}, leaf() {}, close() {} };

/**
 * Walks what a plan leaves of a value, without recursion, until it is through or has seen more than `maxBytes`. What is left
 * of `spareBytes` goes to the containers that lose members, outermost first: one member more each.
 */
export function walkJson(
  root: unknown,
  plan: JsonPlan,
  maxBytes: number,
  sink: JsonSink = nobody,
  spareBytes = 0,
): JsonSize {
  const frames: Frame[] = [];
  const ancestors = new Set<object>();
  let bytes = 0;
  let isPlain = true;
  let spare = spareBytes;

  const visit = (value: unknown, part: JsonPart, key: string | undefined) => {
    if (typeof value === "bigint") isPlain = false;
    if (part === undefined || (isContainer(part) && ancestors.has(part.source))) {
      if (part !== undefined || typeof value === "object") isPlain = false;
      bytes += 4;
      sink.leaf(null, key);
    } else if (isContainer(part)) {
      bytes += 2;
      ancestors.add(part.source);
      sink.open(part, key);
      frames.push({ ...part, allowed: allow(part), index: 0, emitted: 0 });
    } else if (typeof part === "string") {
      if (!part.isWellFormed()) isPlain = false;
      const text = cutJsonText(part, plan.textBytes);
      bytes += jsonTextBytes(text, maxBytes);
      sink.leaf(text, key);
    } else {
      bytes += leafBytes(part);
      sink.leaf(part, key);
    }
  };

  const allow = (container: JsonContainer): number => {
    if (frames.length >= plan.depth) return 0;
    const allowed = container.keys === undefined ? plan.items : plan.members;
    if (spare <= 0 || container.memberCount <= allowed) return allowed;
    const key = container.keys?.[allowed];
    const next = walkJson(readMember(container.source, key ?? allowed), plan, spare).bytes;
    const needed = next + (allowed > 0 ? 1 : 0) + (key === undefined ? 0 : keyBytes(key, spare));
    if (needed > spare) {
      spare = 0;
      return allowed;
    }
    spare -= needed;
    return allowed + 1;
  };

  visit(root, readJson(root), undefined);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (bytes > maxBytes) break;
    if (frame.emitted >= frame.allowed || frame.index >= frame.memberCount) {
      frames.pop();
      ancestors.delete(frame.source);
      sink.close();
      continue;
    }
    const key = frame.keys?.[frame.index];
    const member = readMember(frame.source, key ?? frame.index);
    const part = readJson(member);
    frame.index++;
    if (key !== undefined && part === undefined) continue;
    if (frame.emitted > 0) bytes++;
    if (key !== undefined) {
      if (!key.isWellFormed()) isPlain = false;
      bytes += keyBytes(key, maxBytes);
    }
    frame.emitted++;
    visit(member, part, key?.toWellFormed());
  }
  return { bytes, isPlain };
}

function keyBytes(key: string, maxBytes: number): number {
  return jsonTextBytes(key, maxBytes) + 1;
}

function leafBytes(leaf: number | boolean | null | JsonNumber): number {
  return typeof leaf === "object" && leaf !== null ? leaf.source.length : String(leaf).length;
}
