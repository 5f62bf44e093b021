import fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { type AST, parseTOML } from "toml-eslint-parser";
import { describe, expect, it } from "vitest";
import { ManifestError, parseManifest } from "../src/index.js";
import { locateKeys } from "../src/locate-keys.js";

const law = { numRuns: Number(process.env.POD_LAW_RUNS ?? (process.env.CI ? 10_000 : 1_000)) };

// biome-ignore format: a list to be looked over, not read
const key = fc.constantFrom("worker", "tool_output", "a", "b-c", "1", '"x.y"', "'l\\'", '"\\u0061"', '"\\U0001F600"', '"😀"', '""', "__proto__");
const blank = fc.constantFrom("", " ", "\t ");
const gap = fc.constantFrom("", " ", "\n", " # [a] = '\n", "\r\n");
const dotted = fc
  .array(fc.tuple(key, blank), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([part, space]) => part + space).join("."));
// biome-ignore format: a list to be looked over, not read
const scalar = fc.constantFrom("1", "-1.5e3", "inf", "true", "2026-11-30 07:32:00Z", "07:32", '"a # \\" ] }"', "'\\'", '"""\n[x]\n\\"""" """', '"""a"""""', "'''\n'' ]'''", "'''a'''''");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalar, tie("array"), tie("table")),
  array: fc
    .array(fc.tuple(gap, tie("value"), gap), { maxLength: 3 })
    .map((items) => `[${items.map((item) => item.join("")).join(",")}]`),
  table: fc
    .array(fc.tuple(gap, dotted, blank, tie("value"), gap), { maxLength: 3 })
    .map((items) => `{${items.map(([a, name, b, inner, c]) => `${a}${name}=${b}${inner}${c}`).join(",")}}`),
}));
const line = fc.oneof(
  fc.tuple(blank, dotted, blank, value).map(([a, name, b, inner]) => `${a}${name}=${b}${inner}`),
  dotted.map((name) => `[${name}]`),
  dotted.map((name) => `[[ ${name}]] # "`),
  fc.constantFrom("", "# '''", "  "),
);
const toml = fc
  .tuple(fc.constantFrom("", "\uFEFF"), fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"))
  .map(([mark, lines, end]) => mark + lines.join(end));

describe("laws", () => {
  it("M7: keys and values are where a parser with locations has them", () => {
    // Mutants seen to fail: escapes in keys left as they are; columns from 0.
    let compared = 0;
    fc.assert(
      fc.property(toml.filter(isToml), (text) => {
        const located = locateKeys(text);
        for (const { keys, keyAt, valueAt } of readEntries(text)) {
          const found = located.find(keys);
          if (found === undefined) throw new Error(`not found: ${JSON.stringify(keys)}`);
          expect(located.toPosition(found.keyOffset)).toEqual(keyAt);
          if (valueAt !== undefined) expect(located.toPosition(found.valueOffset)).toEqual(valueAt);
          compared += 1;
        }
      }),
      law,
    );
    expect(compared).toBeGreaterThan(law.numRuns);
  });

  it("M7: the text at the place of a fault begins the value, whatever stands around it", () => {
    // Mutants seen to fail: columns from 0; escapes in keys left as they are.
    const other = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.array(fc.string())));
    fc.assert(
      fc.property(other, fc.string(), fc.constantFrom('"32k"', "1.5", "0", "true", "[1]"), (tables, name, bad) => {
        const before = stringify({ ...tables, worker: { note: name, more: tables } });
        const text = `${before}\n[worker.tool_output.per_tool]\n${toBasicString(name)} = ${bad} # ${bad}`;
        const { line: at, column } = faultOf(text);
        const lineText = text.split("\n")[(at ?? 0) - 1] ?? "";
        expect(lineText.slice((column ?? 0) - 1)).toBe(`${bad} # ${bad}`);
      }),
      law,
    );
  });

  it("M7: any text is searched to its end, also one that is not TOML", () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(fc.oneof(line, fc.constantFrom('"', "'''", "[", "{", "=", ".", "\\", "a")), { maxLength: 8 })
        .map((all) => all.join("")),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        expect(locateKeys(text).find(["no such key", "at all"])).toBeUndefined();
      }),
      law,
    );
  });
});

function isToml(text: string): boolean {
  try {
    parse(text);
    parseTOML(text.replace(/^\uFEFF/, ""));
    return true;
  } catch {
    return false;
  }
}

interface Entry {
  readonly keys: readonly string[];
  readonly keyAt: { readonly line: number; readonly column: number };
  readonly valueAt: { readonly line: number; readonly column: number } | undefined;
}

/** The entries of a text that are in no array, by the other parser; of keys that come again, the first. */
function readEntries(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  const seen = new Set<string>();
  const inArrays: string[] = [];
  const add = (outer: readonly string[], parts: AST.TOMLKey, content: AST.TOMLContentNode | undefined) => {
    const keys = [...outer, ...parts.keys.map((part) => (part.type === "TOMLBare" ? part.name : part.value))];
    const path = JSON.stringify(keys);
    const start = parts.keys.at(-1)?.loc.start;
    if (start !== undefined && !seen.has(path) && !inArrays.some((array) => path.startsWith(array))) {
      entries.push({ keys, keyAt: fromOne(start), valueAt: content && fromOne(content.loc.start) });
    }
    seen.add(path);
    for (let length = 1; length < keys.length; length++) seen.add(JSON.stringify(keys.slice(0, length)));
    if (content?.type !== "TOMLInlineTable") return;
    for (const inner of content.body) add(keys, inner.key, inner.value);
  };
  for (const node of parseTOML(text.replace(/^\uFEFF/, "")).body[0].body) {
    if (node.type === "TOMLKeyValue") {
      add([], node.key, node.value);
      continue;
    }
    add([], node.key, undefined);
    const keys = node.key.keys.map((part) => (part.type === "TOMLBare" ? part.name : part.value));
    if (node.kind === "array") inArrays.push(`${JSON.stringify(keys).slice(0, -1)},`);
    for (const inner of node.body) add(keys, inner.key, inner.value);
  }
  return entries;
}

function fromOne({ line: at, column }: { readonly line: number; readonly column: number }) {
  return { line: at, column: column + 1 };
}

function faultOf(text: string) {
  try {
    parseManifest(text);
  } catch (error) {
    if (error instanceof ManifestError && error.faults[0] !== undefined) return error.faults[0];
    throw error;
  }
  throw new Error("the manifest was accepted");
}

function toBasicString(text: string): string {
  return `"${JSON.stringify(text.toWellFormed()).slice(1, -1).replaceAll("\u007f", "\\u007f")}"`;
}
