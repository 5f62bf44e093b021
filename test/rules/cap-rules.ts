import type { ESTree } from "vite";
import { inPackageSource, inSource, type SourceRule, visit } from "./source-rule.js";

// The core owns the number. The harness owns none of it: its laws try this limit among others, and it may import nothing.
const ownsTheDefault = (path: string) => /^packages\/(tool-output-cap|test-harness)\//.test(path);

export const capRules: readonly SourceRule[] = [
  {
    name: "no number switches the cap off or repeats its default outside tool-output-cap",
    applies: (path) => inSource(path) && !ownsTheDefault(path),
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
