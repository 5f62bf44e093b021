import { defineConfig } from "vitest/config";

const conditions = ["@pod/source", "module", "node", "development|production"];
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
};

function project(name: string, root: string) {
  return {
    ...shared,
    test: {
      name,
      root,
      include: ["test/**/*.test.ts"],
      setupFiles: [new URL("./vitest.setup.ts", import.meta.url).pathname],
      testTimeout: 60_000,
    },
  };
}

export default defineConfig({
  test: {
    projects: [
      project("tool-output-cap", "packages/tool-output-cap"),
      project("manifest", "packages/manifest"),
      project("llm-worker", "packages/llm-worker"),
      project("test-harness", "packages/test-harness"),
      project("demo", "apps/demo"),
      project("repository", "."),
    ],
  },
});
