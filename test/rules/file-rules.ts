import { anywhere, inSource, type SourceRule } from "./source-rule.js";

export const fileRules: readonly SourceRule[] = [
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
];
