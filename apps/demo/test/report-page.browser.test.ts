import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../src/report.js";
import { formatReportPage } from "../src/report-page.js";
import { madeReplay, madeRequest, REFUSED } from "./made-replay.js";
import { type OpenPage, startBrowser, withPage } from "./open-page.js";
import { findOverlaps, readColors, readMarks } from "./read-plot.js";
import { runDemo } from "./run-demo.js";

const WIDE = { viewport: { width: 1100, height: 900 } };
const NARROW = { viewport: { width: 360, height: 740 } };

let browser: Browser;
let directory: string;
let file: string;
let report: Report;

beforeAll(async () => {
  browser = await startBrowser();
  directory = await mkdtemp(join(tmpdir(), "pod-report-"));
  file = join(directory, "report.html");
  const { code, stdout } = await runDemo(["--json", "--report", file]);
  expect(code).toBe(0);
  report = JSON.parse(stdout);
});

afterAll(async () => {
  await browser.close();
  await rm(directory, { recursive: true, force: true });
});

function openReport<T>(
  options: Parameters<Browser["newContext"]>[0],
  use: (opened: OpenPage) => Promise<T>,
): Promise<T> {
  return withPage(browser, { ...options, file }, use);
}

describe.each([
  ["wide", WIDE],
  ["narrow", NARROW],
])("the report of the demo as shipped, on a %s screen", (_size, options) => {
  // Mutant seen to fail: a mark 1 px lower than its value; the limit line at the tick next to it.
  it("D2: the marks and the limit stand where the figures of --json are", () =>
    openReport(options, async ({ page }) => {
      const { marks, limitTokensPerMinute } = await readMarks(page);
      expect(limitTokensPerMinute).toBe(report.limitTokensPerMinute);
      for (const { name, requests } of report.runs) {
        const own = marks.filter(({ run }) => run === name);
        expect(own.map(({ inputTokens }) => inputTokens)).toEqual(requests.map(({ inputTokens }) => inputTokens));
        expect(own.map(({ left }) => left)).toEqual(own.map(({ left }) => left).sort((one, other) => one - other));
        const answered = name === "capped" ? "circle" : "rect";
        expect(own.map(({ shape }) => shape)).toEqual(
          requests.map(({ status }) => (status === 200 ? answered : "path")),
        );
      }
    }));

  it("D2: it asks for nothing but itself, and its console stays silent", () =>
    openReport(options, async ({ url, requested, said }) => {
      expect({ requested, said }).toEqual({ requested: [url], said: [] });
    }));

  it("D2: no text lies on another, and nothing sticks out of the screen", () =>
    openReport(options, async ({ page }) => {
      expect(await findOverlaps(page)).toEqual([]);
      expect(await page.locator("html").evaluate(({ scrollWidth }) => scrollWidth)).toBe(options.viewport.width);
    }));
});

describe("the page", () => {
  it("D2: is read without seeing it: one picture with the figures as its description, and two tables", () =>
    openReport(WIDE, async ({ page }) => {
      const picture = page.getByRole("img", { name: "Input tokens of each request, against the limit of the account" });
      expect(await picture.getAttribute("aria-labelledby")).toBe("plot-title plot-description");
      expect(await page.locator("#plot-description").textContent()).toContain("The limit is 30,000 input tokens");
      for (const [name, rows] of [
        ["Without the cap", report.runs[0]?.requests.length],
        ["With the cap", report.runs[1]?.requests.length],
      ] as const) {
        const table = page.getByRole("table", { name });
        expect(await table.getByRole("rowheader").count()).toBe(rows);
        expect(await table.getByRole("columnheader").allTextContents()).toEqual([
          "#",
          "bytes",
          "tokens",
          "of limit",
          "answer",
        ]);
      }
    }));

  it.each([
    ["dark", "screen", "rgb(21, 22, 25)"],
    ["light", "screen", "rgb(251, 250, 248)"],
    ["dark", "print", "rgb(255, 255, 255)"],
  ] as const)("D2: in a %s world on %s, its paper is %s and its text stands out", (colorScheme, media, paper) =>
    openReport({ ...WIDE, colorScheme }, async ({ page }) => {
      await page.emulateMedia({ media, colorScheme });
      const { background, ink } = await readColors(page);
      expect(background).toBe(paper);
      expect(ink).toBe(colorScheme === "dark" && media === "screen" ? "rgb(236, 235, 231)" : "rgb(28, 27, 25)");
    }),
  );

  it("D2: what a file or a model is called is shown, and does nothing", async () => {
    const hostile = `"><img src="http://127.0.0.1:9/x" onerror="console.log('run')"><script>console.log('run')</script>`;
    const replay = madeReplay({ capped: { outcome: hostile, requests: [madeRequest({ answer: hostile })] } });
    const page = join(directory, "hostile.html");
    await writeFile(page, await formatReportPage(replay, [hostile]));
    await withPage(browser, { ...WIDE, file: page }, async ({ page, url, requested, said }) => {
      expect({ requested, said }).toEqual({ requested: [url], said: [] });
      expect(await page.locator("footer p").textContent()).toBe(hostile);
      expect(await page.getByRole("cell", { name: hostile }).count()).toBe(1);
    });
  });

  it.each([
    ["no request at all", madeReplay({ uncapped: { requests: [] }, capped: { requests: [] } })],
    ["both runs at one point", madeReplay({ uncapped: { requests: [REFUSED] }, capped: { requests: [REFUSED] } })],
    ["a limit far above", madeReplay({ limitTokensPerMinute: 4_000_000 })],
    ["no limit", madeReplay({ limitTokensPerMinute: null })],
    [
      "many requests",
      madeReplay({
        uncapped: { requests: Array.from({ length: 20 }, (_, place) => (place % 3 === 0 ? madeRequest() : REFUSED)) },
      }),
    ],
  ])("D2: is readable with %s", async (what, replay) => {
    const page = join(directory, `${what.replaceAll(" ", "-")}.html`);
    await writeFile(page, await formatReportPage(replay, []));
    await withPage(browser, { ...NARROW, file: page }, async ({ page, said }) => {
      expect(said).toEqual([]);
      expect(await findOverlaps(page)).toEqual([]);
      const { marks } = await readMarks(page);
      const figures = replay.runs.flatMap(({ requests }) => requests.map(({ inputTokens }) => inputTokens));
      // Where a pixel is 20,000 tokens, the browser's own arithmetic is a token wide.
      const misread = figures.filter((figure, place) => Math.abs((marks[place]?.inputTokens ?? 0) - figure) > 1);
      expect({ misread, marks: marks.length }).toEqual({ misread: [], marks: figures.length });
    });
  });
});
