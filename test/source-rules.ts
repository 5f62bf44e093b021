import { type ESTree, Visitor, type VisitorObject } from "vite";
import { findImports } from "./find-imports.js";
import type { SourceFile } from "./source-file.js";

/** A rule of the house about one file. `broken` are samples that it must catch, `kept` ones that it must leave alone. */
export interface SourceRule {
  readonly name: string;
  readonly applies: (path: string) => boolean;
  /** What breaks the rule, as the reader would search for it. */
  readonly find: (source: SourceFile) => readonly string[];
  readonly broken: readonly Sample[];
  readonly kept: readonly Sample[];
}

type Sample = readonly [path: string, text: string];

const inSource = (path: string) => /^(packages|apps)\/[^/]+\/src\//.test(path);
const inPackageSource = (path: string) => /^packages\/[^/]+\/src\//.test(path);
const inWorker = (path: string) => path.startsWith("packages/llm-worker/src/");
const anywhere = () => true;

export const sourceRules: readonly SourceRule[] = [
  {
    name: "W1: only tool-result.ts of the worker caps",
    applies: (path) => inWorker(path) && path !== "packages/llm-worker/src/tool-result.ts",
    find: (source) =>
      findImports(source)
        .filter(
          ({ specifier, names }) => specifier === "@pod/tool-output-cap" && (names === "all" || names.some(isCap)),
        )
        .map(({ specifier }) => `imports the cap from ${specifier}`),
    broken: [
      ["packages/llm-worker/src/run-worker.ts", `import { capToolResult } from "@pod/tool-output-cap";`],
      ["packages/llm-worker/src/run-worker.ts", `import { capText as shorten } from "@pod/tool-output-cap";`],
      ["packages/llm-worker/src/run-worker.ts", `import * as cap from "@pod/tool-output-cap";`],
      ["packages/llm-worker/src/run-worker.ts", `const cap = await import("@pod/tool-output-cap");`],
      ["packages/llm-worker/src/index.ts", `export { capText } from "@pod/tool-output-cap";`],
      ["packages/llm-worker/src/index.ts", `export * from "@pod/tool-output-cap";`],
    ],
    kept: [
      [
        "packages/llm-worker/src/run-worker.ts",
        `import { resolveLimit, type Truncation } from "@pod/tool-output-cap";`,
      ],
      ["packages/llm-worker/src/tool-result.ts", `import { capToolResult } from "@pod/tool-output-cap";`],
    ],
  },
  {
    name: "no number switches the cap off or repeats its default outside tool-output-cap",
    applies: (path) => inSource(path) && !path.startsWith("packages/tool-output-cap/src/"),
    find: (source) => {
      const found: string[] = [];
      visit(source, {
        Literal: (node) => {
          if (constantOf(node) === 16_384 || /16[_,.]?384/.test(String(node.value))) found.push(String(node.raw));
        },
        TemplateElement: (node) => {
          if (/16[_,.]?384/.test(node.value.raw)) found.push(node.value.raw);
        },
        BinaryExpression: (node) => {
          if (constantOf(node) === 16_384) found.push(source.text.slice(node.start, node.end));
        },
      });
      return found;
    },
    broken: [
      ["packages/manifest/src/schema.ts", "const limit = 16384;"],
      ["packages/manifest/src/schema.ts", "const limit = 0x4000;"],
      ["apps/demo/src/main.ts", "const limit = 16 * 1024;"],
      ["apps/demo/src/main.ts", "const limit = 2 ** 14;"],
      ["packages/llm-worker/src/tool.ts", `const remedy = "Write: default_max_bytes = 16_384";`],
      ["packages/llm-worker/src/tool.ts", "const remedy = `Write: 16384`;"],
    ],
    kept: [
      ["packages/tool-output-cap/src/limits.ts", "const limit = 16_384;"],
      ["packages/manifest/src/schema.ts", "// the default is 16384\nconst size = 16 * 1000;"],
    ],
  },
  {
    name: "packages print nothing",
    applies: inPackageSource,
    find: (source) => {
      const found = findImports(source).flatMap(({ specifier, names }) =>
        /^(node:)?console$/.test(specifier) || (names !== "all" && names.some((name) => /^std(out|err)$/.test(name)))
          ? [`imports ${specifier}`]
          : [],
      );
      visit(source, {
        MemberExpression: (node) => {
          const text = source.text.slice(node.start, node.end);
          if (/^(globalThis\.)?console\b/.test(text) || /^(globalThis\.)?process\.std(out|err)$/.test(text))
            found.push(text);
        },
      });
      return found;
    },
    broken: [
      ["packages/manifest/src/schema.ts", `console.warn("careful");`],
      ["packages/manifest/src/schema.ts", `globalThis.console.warn("careful");`],
      ["packages/manifest/src/schema.ts", `process.stdout.write("careful");`],
      ["packages/manifest/src/schema.ts", `import { stderr } from "node:process"; stderr.write("careful");`],
      ["packages/manifest/src/schema.ts", `import console from "node:console";`],
    ],
    kept: [
      ["apps/demo/src/main.ts", `console.log("a table");`],
      ["packages/manifest/src/schema.ts", `// console.log("a comment")\nconst text = "console.log(1)";`],
    ],
  },
  {
    name: "every test runs",
    applies: anywhere,
    find: (source) => {
      const found: string[] = [];
      visit(source, {
        MemberExpression: (node) => {
          const text = source.text.slice(node.start, node.end);
          if (/^(it|test|describe)\b.*\.(skip|only|todo|skipIf|runIf|fails)$/s.test(text)) found.push(text);
        },
        CallExpression: (node) => {
          const text = source.text.slice(node.callee.start, node.callee.end);
          if (/^(xit|xtest|xdescribe|fit|fdescribe|context\.skip|ctx\.skip)$/.test(text)) found.push(text);
        },
      });
      return found;
    },
    broken: [
      ["packages/manifest/test/schema.test.ts", `it.skip("M1: parses", () => {});`],
      ["packages/manifest/test/schema.test.ts", `describe.only("M1: parses", () => {});`],
      ["packages/manifest/test/schema.test.ts", `it.concurrent.todo("M1: parses");`],
      ["packages/manifest/test/schema.test.ts", `it.skipIf(slow)("M1: parses", () => {});`],
      ["packages/manifest/test/schema.test.ts", `xit("M1: parses", () => {});`],
    ],
    kept: [["packages/manifest/test/schema.test.ts", `it("M1: skips", () => { reader.skip(); array.only; });`]],
  },
  {
    name: "types are not talked round: no any, no double assertion, no silenced checker, no non-null",
    applies: anywhere,
    find: (source) => {
      // A test of types says with @ts-expect-error what must not compile.
      const silencer = inSource(source.path) ? /^@ts-/ : /^@ts-(ignore|nocheck)/;
      const found = source.comments.map(({ value }) => value.trim()).filter((comment) => silencer.test(comment));
      const report = (node: ESTree.Span) => found.push(source.text.slice(node.start, node.end));
      visit(source, {
        TSAnyKeyword: report,
        TSNonNullExpression: report,
        TSAsExpression: (node) => {
          if (node.expression.type === "TSAsExpression") report(node);
        },
      });
      return found;
    },
    broken: [
      ["packages/manifest/src/schema.ts", "const value: any = 1;"],
      ["packages/manifest/src/schema.ts", "const value = read() as unknown as Limit;"],
      ["packages/manifest/src/schema.ts", "const value = limits[0]!;"],
      ["packages/manifest/src/schema.ts", "// @ts-ignore\nconst value = limits.none;"],
      ["packages/manifest/src/schema.ts", "// @ts-expect-error\nconst value = limits.none;"],
      ["packages/manifest/test/schema.test.ts", "/* @ts-nocheck */"],
    ],
    kept: [
      ["packages/manifest/src/schema.ts", `// any text!\nconst any = "as unknown as" as const; const not = !any;`],
    ],
  },
  {
    name: "an index.ts holds named re-exports and nothing else",
    applies: (path) => inSource(path) && path.endsWith("/index.ts"),
    find: (source) =>
      source.program.body
        .filter((node) => node.type !== "ExportNamedDeclaration" || node.source === null)
        .map((node) => source.text.slice(node.start, node.end)),
    broken: [
      ["packages/manifest/src/index.ts", `export * from "./schema.js";`],
      ["packages/manifest/src/index.ts", "export const limit = 1;"],
      ["packages/manifest/src/index.ts", `import { schema } from "./schema.js"; export { schema };`],
    ],
    kept: [["packages/manifest/src/index.ts", `export { type Manifest, parseManifest } from "./parse-manifest.js";`]],
  },
  {
    name: "a source file has at most 200 lines",
    applies: inSource,
    find: ({ text }) => {
      const lines = text.trimEnd().split("\n").length;
      return lines > 200 ? [`${lines} lines`] : [];
    },
    broken: [["packages/manifest/src/schema.ts", "limit();\n".repeat(201)]],
    kept: [["packages/manifest/src/schema.ts", "limit();\n".repeat(200)]],
  },
  {
    name: "a file is named after what it exports",
    applies: anywhere,
    find: ({ path }) => {
      const stem = path.split("/").at(-1)?.split(".")[0] ?? "";
      const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem);
      return !kebab || /^(utils?|helpers?|types?|common|shared|misc)$/.test(stem) ? [stem] : [];
    },
    broken: [
      ["packages/manifest/src/utils.ts", ""],
      ["packages/manifest/test/helpers.ts", ""],
      ["packages/manifest/src/types.ts", ""],
      ["packages/manifest/src/parseManifest.ts", ""],
    ],
    kept: [["packages/manifest/src/parse-manifest.ts", ""]],
  },
  {
    name: "C11: content is no replacement string, and no text goes through Intl.Segmenter",
    applies: (path) => inPackageSource(path) && /^packages\/(tool-output-cap|llm-worker)\//.test(path),
    find: (source) => {
      const found: string[] = [];
      visit(source, {
        CallExpression: (node) => {
          const { callee } = node;
          if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
          const replacement = node.arguments[1];
          const fixed = replacement?.type === "Literal" || replacement?.type === "ArrowFunctionExpression";
          if (/^replace(All)?$/.test(callee.property.name) && !fixed)
            found.push(source.text.slice(node.start, node.end));
        },
        Identifier: (node) => {
          if (node.name === "Segmenter") found.push("Intl.Segmenter");
        },
      });
      return found;
    },
    broken: [
      ["packages/tool-output-cap/src/marker.ts", `template.replace("{text}", content);`],
      ["packages/llm-worker/src/draft.ts", "template.replaceAll(/x/g, `(content)`);"],
      ["packages/tool-output-cap/src/cap-text.ts", `new Intl.Segmenter("en").segment(text);`],
    ],
    kept: [["packages/llm-worker/src/draft.ts", `text.replace("a", "b"); text.replace(/a/g, () => content);`]],
  },
];

function visit(source: SourceFile, visitor: VisitorObject): void {
  new Visitor(visitor).visit(source.program);
}

function isCap(name: string): boolean {
  return name === "capText" || name === "capToolResult";
}

/** The value of a number, or of an operation on two. */
function constantOf(node: ESTree.Expression | ESTree.PrivateIdentifier): number | undefined {
  if (node.type === "Literal") return typeof node.value === "number" ? node.value : undefined;
  if (node.type !== "BinaryExpression") return undefined;
  const [left, right] = [constantOf(node.left), constantOf(node.right)];
  if (left === undefined || right === undefined) return undefined;
  if (node.operator === "*") return left * right;
  if (node.operator === "**") return left ** right;
  return node.operator === "<<" ? left << right : undefined;
}
