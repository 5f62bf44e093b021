import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { conditions } from "./vitest.config.js";

/** The packages as their users get them: built, packed, installed elsewhere. `npm run test:packages` builds first. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: "packages",
    include: ["test/packages/**/*.test.ts"],
    globalSetup: ["test/packages/install-packages.ts"],
    setupFiles: [fileURLToPath(new URL("./vitest.setup.ts", import.meta.url))],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
