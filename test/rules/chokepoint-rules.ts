import type { ESTree } from "vite";
import { findImports } from "../find-imports.js";
import type { SourceFile } from "../source-file.js";
import { type SourceRule, visit } from "./source-rule.js";

const chokepoint = "packages/llm-worker/src/tool-result.ts";
const beside = "packages/llm-worker/src/run-worker.ts";

const aroundChokepoint = (path: string) => path.startsWith("packages/llm-worker/src/") && path !== chokepoint;

export const chokepointRules: readonly SourceRule[] = [
  {
    name: "W1: only tool-result.ts of the worker caps",
    applies: aroundChokepoint,
    find: (source) =>
      findImports(source)
        .filter(
          ({ specifier, names }) => specifier === "@pod/tool-output-cap" && (names === "all" || names.some(isCap)),
        )
        .map(({ specifier }) => `imports the cap from ${specifier}`),
    broken: [
      [beside, `import { capToolResult } from "@pod/tool-output-cap";`],
      [beside, `import { capText as shorten } from "@pod/tool-output-cap";`],
      [beside, `import * as cap from "@pod/tool-output-cap";`],
      [beside, `const cap = await import("@pod/tool-output-cap");`],
      ["packages/llm-worker/src/index.ts", `export { capText } from "@pod/tool-output-cap";`],
      ["packages/llm-worker/src/index.ts", `export * from "@pod/tool-output-cap";`],
    ],
    kept: [
      [beside, `import { resolveLimit, type Truncation } from "@pod/tool-output-cap";`],
      [chokepoint, `import { capToolResult } from "@pod/tool-output-cap";`],
    ],
  },
  {
    name: "W1: only makeToolResult makes a tool result",
    applies: aroundChokepoint,
    find: findMadeResults,
    broken: [
      [beside, `const result: ToolResult = { ...draft };`],
      [beside, `const results: readonly ToolResult[] = [{ ...draft }];`],
      [beside, `append({ role: "tool", results: [draft as ToolResult] });`],
      [beside, `append({ role: "tool", results: [{ ...draft } satisfies ToolResult] });`],
      [beside, `append({ role: "tool", results: [draft] } as Message);`],
      [beside, `function shorten(draft: ToolResultDraft): ToolResult { return { ...draft }; }`],
      [beside, `function shorten(draft: ToolResultDraft): ToolResult { return Object.freeze(draft); }`],
      [
        beside,
        `function shorten(draft: ToolResultDraft): ToolResult { if (ok) return makeToolResult(draft, limit); return draft; }`,
      ],
      [beside, `const shorten = async (draft: ToolResultDraft): Promise<ToolResult> => draft;`],
      [beside, `class Maker { make(draft: ToolResultDraft): ToolResult | undefined { return draft; } }`],
    ],
    kept: [
      [beside, `const results: readonly ToolResult[] = await executeTools(calls, options);`],
      [beside, `function make(draft: ToolResultDraft): ToolResult { return makeToolResult(draft, limit); }`],
      [beside, `function lower(result: ToolResult): ToolResult { return lowerToolResult(result, limit); }`],
      [
        beside,
        `const make = async (): Promise<ToolResult> => { run(() => { return draft; }); return makeToolResult(draft, limit); };`,
      ],
      [chokepoint, `const result: ToolResult = { ...draft };`],
    ],
  },
];

// A draft would pass for a tool result by its shape. So whoever claims to have one must have it from the chokepoint.
function findMadeResults(source: SourceFile): readonly string[] {
  const found: string[] = [];
  const textOf = (node: ESTree.Span) => source.text.slice(node.start, node.end);
  const report = (node: ESTree.Span) => found.push(textOf(node));
  const functions: (ESTree.Function | ESTree.ArrowFunctionExpression)[] = [];
  const enter = (node: ESTree.Function | ESTree.ArrowFunctionExpression) => functions.push(node);
  const exit = () => functions.pop();
  const checkReturned = (returned: ESTree.Expression | null) => {
    const type = functions.at(-1)?.returnType;
    if (!type || !/^: *(Promise<)?ToolResult\b(?!\[)/.test(textOf(type)) || returned === null) return;
    if (!/^(make|lower)ToolResult\(/.test(textOf(returned))) report(returned);
  };
  visit(source, {
    VariableDeclarator: ({ id, init }) => {
      if (id.type !== "Identifier" || !id.typeAnnotation || init === null) return;
      const isLiteral = init.type === "ObjectExpression" || init.type === "ArrayExpression";
      if (isLiteral && /\bToolResult\b/.test(textOf(id.typeAnnotation))) report(init);
    },
    TSAsExpression: (node) => {
      if (/\b(ToolResult|Message)\b/.test(textOf(node.typeAnnotation))) report(node);
    },
    TSSatisfiesExpression: (node) => {
      if (/\b(ToolResult|Message)\b/.test(textOf(node.typeAnnotation))) report(node);
    },
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": exit,
    FunctionExpression: enter,
    "FunctionExpression:exit": exit,
    ArrowFunctionExpression: (node) => {
      enter(node);
      if (node.body.type !== "BlockStatement") checkReturned(node.body);
    },
    "ArrowFunctionExpression:exit": exit,
    ReturnStatement: (node) => checkReturned(node.argument),
  });
  return found;
}

function isCap(name: string): boolean {
  return name === "capText" || name === "capToolResult";
}
