import { skipBlank, skipString, skipValue } from "./skip-toml.js";

/** A place in a text: both from 1, the column in UTF-16 code units, a BOM not counted. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A key of a TOML text, by offsets in that text, and the keys of its table. */
export interface LocatedKey {
  readonly keyOffset: number;
  /** Where the entry or the heading begins that has the key first. */
  readonly entryOffset: number;
  /** A table that is not written as a value has none: its entry stands for it. */
  readonly valueOffset: number;
  readonly children?: ReadonlyMap<string, LocatedKey>;
}

/** Where the keys of a text are. */
export interface LocatedKeys {
  /** Undefined where no key of the text has that path. */
  find(keys: readonly string[]): LocatedKey | undefined;
  toPosition(offset: number): Position;
}

/**
 * Finds the keys of a TOML text that the parser has accepted. A table that several headings make is where the first of
 * them is. Keys within an array of tables are not told apart: nothing of ours is in an array.
 */
export function locateKeys(toml: string): LocatedKeys {
  const text = toml.startsWith("\uFEFF") ? toml.slice(1) : toml;
  const root = readTables(text);
  const lineStarts = findLineStarts(text);
  return {
    find: (keys) => keys.reduce<LocatedKey | undefined>((parent, key) => parent?.children?.get(key), root),
    toPosition: (offset) => toPosition(lineStarts, offset),
  };
}

interface KeyNode extends LocatedKey {
  valueOffset: number;
  children?: Map<string, KeyNode>;
}

function readTables(toml: string): KeyNode {
  const root = createNode(0, 0);
  let table = root;
  for (let at = skipBlank(toml, 0); at < toml.length; at = skipBlank(toml, at)) {
    if (toml[at] === "[") {
      const brackets = toml[at + 1] === "[" ? 2 : 1;
      const heading = readKey(toml, skipBlank(toml, at + brackets), root, at);
      table = heading.node;
      at = heading.end + brackets;
    } else {
      at = readEntry(toml, at, table);
    }
  }
  return root;
}

/** Reads `key = value` into its table, and what an inline table holds; gives the offset after it. */
function readEntry(toml: string, start: number, table: KeyNode): number {
  const { node, end } = readKey(toml, start, table, start);
  const valueOffset = skipBlank(toml, end + 1);
  node.valueOffset = valueOffset;
  if (toml[valueOffset] !== "{") return skipValue(toml, valueOffset);

  let at = skipBlank(toml, valueOffset + 1);
  while (at < toml.length && toml[at] !== "}") {
    at = skipBlank(toml, readEntry(toml, at, node));
    if (toml[at] === ",") at = skipBlank(toml, at + 1);
  }
  return at + 1;
}

/** Reads a dotted key into its table; the end is that of the blanks after it. */
function readKey(toml: string, start: number, table: KeyNode, entryOffset: number) {
  let node = table;
  let at = start;
  for (;;) {
    const isQuoted = toml[at] === '"' || toml[at] === "'";
    const keyEnd = isQuoted ? skipString(toml, at) : skipBareKey(toml, at);
    const name = isQuoted ? unquote(toml.slice(at, keyEnd)) : toml.slice(at, keyEnd);
    node.children ??= new Map();
    const child = node.children.get(name) ?? createNode(at, entryOffset);
    node.children.set(name, child);
    node = child;
    const end = skipBlank(toml, keyEnd);
    if (toml[end] !== ".") return { node, end };
    at = skipBlank(toml, end + 1);
  }
}

function createNode(keyOffset: number, entryOffset: number): KeyNode {
  return { keyOffset, entryOffset, valueOffset: entryOffset };
}

const BARE_KEY = /[\w-]*/y;

function skipBareKey(toml: string, start: number): number {
  BARE_KEY.lastIndex = start;
  BARE_KEY.test(toml);
  return BARE_KEY.lastIndex;
}

function unquote(quoted: string): string {
  const text = quoted.slice(1, -1);
  if (quoted.startsWith("'")) return text;
  return text.replace(/\\(?:u(.{4})|U(.{8})|x(.{2})|(.))/g, (_escape, u, U, x, character) => {
    const hex: unknown = u ?? U ?? x;
    return typeof hex === "string" ? String.fromCodePoint(Number.parseInt(hex, 16)) : (ESCAPES[character] ?? character);
  });
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001b" };

function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function toPosition(lineStarts: readonly number[], offset: number): Position {
  let [low, high] = [0, lineStarts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 };
}
