import type { ESTree } from "vite";
import { findImports } from "../find-imports.js";
import { anywhere, inPackageSource, inSource, type SourceRule, visit } from "./source-rule.js";

export const languageRules: readonly SourceRule[] = [
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
    name: "packages make no code from text, which edge runtimes and strict hosts forbid",
    applies: inPackageSource,
    find: (source) => {
      const found: string[] = [];
      const check = (node: ESTree.CallExpression | ESTree.NewExpression) => {
        const callee = source.text.slice(node.callee.start, node.callee.end);
        if (/^(globalThis\.)?(eval|Function)$/.test(callee)) found.push(source.text.slice(node.start, node.end));
      };
      visit(source, { CallExpression: check, NewExpression: check });
      return found;
    },
    broken: [
      ["packages/llm-worker/src/check-input.ts", `const check = new Function("input", code);`],
      ["packages/llm-worker/src/check-input.ts", `globalThis.eval(code);`],
    ],
    kept: [["packages/llm-worker/src/check-input.ts", `const evaluate: Function = retrieval(code);`]],
  },
  {
    name: "no test waits for the clock or measures it",
    applies: (path) => /\/test\//.test(`/${path}`),
    find: (source) => {
      const found: string[] = [];
      visit(source, {
        CallExpression: (node) => {
          const callee = source.text.slice(node.callee.start, node.callee.end);
          const tells = /^(globalThis\.)?(setTimeout|setInterval|Date\.now|performance\.now)$/.test(callee);
          if (tells) found.push(source.text.slice(node.start, node.end));
        },
      });
      return found;
    },
    broken: [
      ["packages/llm-worker/test/retry.test.ts", `await new Promise((resolve) => setTimeout(resolve, 50));`],
      ["packages/llm-worker/test/retry.test.ts", `await setTimeout(50);`],
      ["test/retry.test.ts", `expect(performance.now() - start).toBeLessThan(100);`],
    ],
    kept: [
      [
        "packages/llm-worker/test/retry.test.ts",
        `vi.useFakeTimers(); await clock.sleep(50); const { setTimeout } = timers;`,
      ],
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
];
