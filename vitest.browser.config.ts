import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { conditions } from "./vitest.config.js";

/** The tests that need Debian's chromium, which a new machine does not have: `npm run test:browser`. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: "browser",
    include: ["{apps,packages}/*/test/**/*.browser.test.ts"],
    setupFiles: [fileURLToPath(new URL("./vitest.setup.ts", import.meta.url))],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
