import { readFile } from "node:fs/promises";
import { inspect } from "node:util";
import { expect, it } from "vitest";
import { capText } from "../src/index.js";

it("C2: the README's example prints what the README says", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const { text, truncation } = capText("日本語😀".repeat(1_000), { maxBytes: 64 });
  expect(readme).toContain('capText("日本語😀".repeat(1_000), { maxBytes: 64 })');
  expect(readme).toContain(`\n${text}\n${inspect(truncation, { breakLength: 100 })}\n`);
});
