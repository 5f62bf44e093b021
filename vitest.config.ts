import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export const conditions = ["@pod/source", "module", "node", "development|production"];

function project(name: string, root: string) {
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      root,
      include: ["test/**/*.test.ts"],
      exclude: ["test/**/*.browser.test.ts", "test/packages/**"],
      setupFiles: [fileURLToPath(new URL("./vitest.setup.ts", import.meta.url))],
      testTimeout: 60_000,
    },
  };
}

/** The cap once more, with the files that browsers and edge runtimes get: vitest itself always resolves as Node. */
function portableCap() {
  const { test, ...rest } = project("tool-output-cap-portable", "packages/tool-output-cap");
  const utf8 = new URL("./packages/tool-output-cap/src/utf8.ts", import.meta.url).pathname;
  const isUtf8 = new URL("./packages/tool-output-cap/src/stream/is-utf8.ts", import.meta.url).pathname;
  return {
    ...rest,
    resolve: { conditions, alias: { "#utf8": utf8, "#is-utf8": isUtf8 } },
    test: { ...test, exclude: [...test.exclude, "test/**/memory.test.ts"], env: { POD_RUNTIME: "portable" } },
  };
}

export default defineConfig({
  test: {
    projects: [
      project("tool-output-cap", "packages/tool-output-cap"),
      portableCap(),
      project("token-counter", "packages/token-counter"),
      project("manifest", "packages/manifest"),
      project("mcp-cap", "packages/mcp-cap"),
      project("llm-worker", "packages/llm-worker"),
      project("test-harness", "packages/test-harness"),
      project("demo", "apps/demo"),
      project("repository", "."),
    ],
  },
});
