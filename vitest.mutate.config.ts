import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { conditions } from "./vitest.config.js";

/** Examples before laws: most mutants fail in the first second. */
class CheapFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLaw = ({ moduleId }: TestSpecification) => Number(/property/.test(moduleId));
    return files.toSorted((left, right) => isLaw(left) - isLaw(right) || left.moduleId.localeCompare(right.moduleId));
  }
}

/** The tests of the cap as Stryker runs them, once for each mutant that they reach: `npm run mutate`, in docs/testing.md. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: "tool-output-cap",
    root: fileURLToPath(new URL("packages/tool-output-cap", import.meta.url)),
    include: ["test/*.test.ts", "test/stream/*.test.ts"],
    // What is held alive, and what a browser does, take processes of their own.
    exclude: ["test/**/*.browser.test.ts", "test/memory.test.ts", "test/stream/memory.test.ts"],
    setupFiles: [fileURLToPath(new URL("./vitest.setup.ts", import.meta.url))],
    sequence: { sequencer: CheapFirst },
    testTimeout: 60_000,
    env: { POD_LAW_RUNS: "200" },
  },
});
