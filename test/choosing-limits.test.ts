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

  // Mutants seen to fail: 43,200 written as 43,000; a row for 2 batches under the heading of 4.
  it("counts right in the table of turn budgets, and shows one of them as a manifest", () => {
    const [headings = [], , ...budgets] = readTable(text, "| taken |");
    const batches = headings.slice(2).map((heading) => Number(/for (\d) batch/.exec(heading)?.[1]));
    expect(batches).toEqual([1, 2, 4]);
    expect(budgets.length).toBe(4);
    for (const [taken, left, ...cells] of budgets) {
      expect(readNumber(left)).toBe(30_000 - readNumber(taken));
      expect(cells).toEqual(batches.map((count) => write(Math.floor((readNumber(left) / count) * 1.8))));
    }
    const written = /^turn_max_bytes = (\d+)$/m.exec(text)?.[1];
    expect(budgets.find(([taken]) => taken === "12,000")?.[2]).toBe(write(Number(written)));
  });

  it("counts right in its example of a turn budget", () => {
    expect(text).toContain(`eight dense results of 16,384 bytes, ${write(8 * Math.ceil(16_384 / 1.8))} tokens`);
    expect(text).toContain(`arrive as ${write(Math.ceil(32_400 / 1.8))}: with the ${write(30_000 - 32_400 / 1.8)} the`);
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

/** The cells of the table that begins with a text, headings and the line under them included. */
function readTable(markdown: string, start: string): readonly (readonly string[])[] {
  const lines = markdown.slice(markdown.indexOf(start)).split("\n");
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function readNumber(digits = ""): number {
  return Number(digits.replaceAll(",", ""));
}

function write(number: number): string {
  return number.toLocaleString("en-US");
}
