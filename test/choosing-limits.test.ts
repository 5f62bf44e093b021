import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "./source-file.js";

const text = readFileSync(join(repositoryRoot, "docs/choosing-limits.md"), "utf8");
const DENSITIES = [1.8, 3, 4.6];
const rows = readRows(text);

describe("docs/choosing-limits.md", () => {
  it("has its three rows", () => {
    expect(rows.map(({ budget }) => budget)).toEqual(["30,000 tokens a minute", "200k window", "1M window"]);
  });

  // Mutants seen to fail: 5,462 written as 5,461; a `default_max_bytes` that no row has; 36,408 for 36,412.
  it.each(rows)("counts right for $budget", ({ tokens, maxBytes, cells }) => {
    expect(cells).toEqual(
      DENSITIES.map((density) => {
        const cost = Math.ceil(maxBytes / density);
        return `${write(cost)} tokens, ${Math.floor(tokens / cost)} fit`;
      }),
    );
  });

  it("shows a manifest for each row", () => {
    const written = Array.from(text.matchAll(/^default_max_bytes = (\d+)$/gm), ([, bytes]) => Number(bytes));
    expect(written).toEqual(rows.map(({ maxBytes }) => maxBytes));
  });

  it("counts right in its sentences", () => {
    expect(text).toContain(`Four dense results of 16,384 bytes are ${write(4 * Math.ceil(16_384 / 1.8))} tokens`);
    expect(text).toContain(`${write(2 ** 20)} (1 MiB) | ${write(Math.ceil(2 ** 20 / 1.8))} tokens at 1.8`);
    for (const [tokens, parts] of [
      [30_000, 3],
      [200_000, 10],
      [1_000_000, 10],
    ] as const) {
      const bytes = Math.round((tokens / parts) * 1.8);
      expect(text).toContain(`${write(tokens)} / ${parts} × 1.8 = ${write(bytes)} bytes`);
      expect(rows.find((row) => row.tokens === tokens)?.maxBytes).toBe(2 ** Math.floor(Math.log2(bytes)));
    }
  });
});

function readRows(markdown: string) {
  const lines = markdown.split("\n").filter((line) => /^\|.*\d fit \|$/.test(line));
  return lines.map((line) => {
    const [budget = "", tokens, maxBytes, ...cells] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { budget, tokens: readNumber(tokens), maxBytes: readNumber(maxBytes), cells };
  });
}

function readNumber(digits = ""): number {
  return Number(digits.replaceAll(",", ""));
}

function write(number: number): string {
  return number.toLocaleString("en-US");
}
