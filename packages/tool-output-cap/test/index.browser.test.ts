import { corpus } from "@pod/test-harness/laws";
import { type Browser, chromium, type Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import type * as surface from "../src/index.js";
import { capText } from "../src/index.js";
import type * as laws from "./browser-laws.js";
import { EXACT_VALUES } from "./exact-values.js";

type PageGlobals = typeof globalThis & { readonly cap: typeof surface; readonly laws: typeof laws };

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env.POD_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
  });
  page = await browser.newPage();
  await page.addScriptTag({ content: await bundleForBrowsers("../src/index.ts", "cap") });
  await page.addScriptTag({ content: await bundleForBrowsers("./browser-laws.ts", "laws") });
});

afterAll(() => browser.close());

it("P1: loads in a browser, where there is no Buffer and no process", async () => {
  expect(await page.evaluate("[typeof Buffer, typeof process, typeof require]")).toEqual(Array(3).fill("undefined"));
  expect(await page.evaluate("Object.keys(cap).includes('capText')")).toBe(true);
});

// Mutant seen to fail: `imports` gives the file for Node to everyone.
it.each(EXACT_VALUES)(
  "C2: in a browser, %i bytes at a limit of %i keep %i and drop %i",
  async (originalBytes, maxBytes, keptBytes, droppedBytes) => {
    const capped = await capInPage("a".repeat(originalBytes), maxBytes);
    expect(capped).toEqual({
      text: `${"a".repeat(keptBytes)}\n\n[truncated: ${droppedBytes} bytes dropped, refine your query]`,
      truncation: { maxBytes, originalBytes, keptBytes, droppedBytes },
    });
  },
);

it("C1: in a browser, 16,384 bytes at a limit of 16,384 come back as they are", async () => {
  const text = "a".repeat(16_384);
  expect(await capInPage(text, 16_384)).toEqual({ text });
});

it.each(corpus().map(({ name, text }) => [name, text] as const))(
  "C2: a browser cuts %s as Node does",
  async (_name, text) => {
    for (const maxBytes of [64, 4_097, 65_536]) {
      expect(await capInPage(text, maxBytes)).toEqual(capText(text, { maxBytes }));
    }
  },
);

// Mutant seen to fail: the portable fitSuffix takes every character for a pair.
it.each(["head", "tail", "ends"] as const)(
  "C1 C2 C3 C4 C5 C7 C8: the laws hold in a browser, keep: %s",
  async (keep) => {
    const numRuns = process.env.CI ? 2_000 : 200;
    const broken = await page.evaluate(
      ({ keep, numRuns }) => (globalThis as PageGlobals).laws.findBrokenLaws(keep, numRuns),
      { keep, numRuns },
    );
    expect(broken).toEqual([]);
  },
);

/** As JSON, whose escapes carry a lone surrogate to the browser. */
function capInPage(text: string, maxBytes: number): Promise<surface.CappedText> {
  return page.evaluate(
    ({ json, maxBytes }) => (globalThis as PageGlobals).cap.capText(JSON.parse(json), { maxBytes }),
    { json: JSON.stringify(text), maxBytes },
  );
}

/** What a bundler makes of the package for a page: `#utf8` is resolved as package.json says, without `node`. */
async function bundleForBrowsers(entry: string, name: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    resolve: {
      conditions: ["@pod/source", "browser"],
      alias: {
        "node:assert/strict": new URL("./browser-assert.ts", import.meta.url).pathname,
        vitest: new URL("./browser-assert.ts", import.meta.url).pathname,
      },
    },
    build: {
      write: false,
      lib: { entry: new URL(entry, import.meta.url).pathname, formats: ["iife"], name, fileName: name },
    },
  });
  const [bundle] = Array.isArray(result) ? result : [result];
  if (bundle === undefined || !("output" in bundle)) throw new Error("vite made no bundle");
  return bundle.output[0].code;
}
