import fc from "fast-check";
import { type Browser, chromium, type Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CappedText, capText } from "../../src/index.js";
import type * as surface from "../../src/stream.js";
import { byteChunks, type ChunksAndLimit, mixedChunks, withLimit } from "./arbitrary-chunks.js";
import { joinNaively } from "./join-naively.js";

type PageGlobals = typeof globalThis & { readonly stream: typeof surface };

/** What goes to the page in one go: a case is small, and the way there is long. */
const CASES_AT_ONCE = 500;
const cases = process.env.CI ? 20_000 : 2_000;

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env.POD_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
  });
  page = await browser.newPage();
  await page.addScriptTag({ content: await bundleForBrowsers() });
});

afterAll(() => browser.close());

it("P1: /stream loads in a browser, where there is no Buffer and no process", async () => {
  expect(await page.evaluate("[typeof Buffer, typeof process, typeof require]")).toEqual(Array(3).fill("undefined"));
  expect(await page.evaluate("Object.keys(stream)")).toEqual(["captureStream", "createOutputCapture"]);
});

it.each([
  ["bytes in any chunking", byteChunks()],
  ["bytes and strings", mixedChunks()],
] as const)(
  "C13: a browser captures %s as Node caps the whole",
  async (_what, chunks) => {
    const property = fc.asyncProperty(
      fc.array(withLimit(chunks), { minLength: CASES_AT_ONCE, maxLength: CASES_AT_ONCE, size: "max" }),
      async (batch) => {
        const expected = batch.map((each) => capText(joinNaively(each.chunks), each.limit));
        expect(await captureInPage(batch)).toEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: cases / CASES_AT_ONCE });
  },
  300_000,
);

it.each(["head", "tail", "ends"] as const)("C13: a browser captures the body of a response, keep: %s", async (keep) => {
  const text = "日本語😀\uFFFD".repeat(50_000);
  const limit = { maxBytes: 1_000, keep };
  const captured = page.evaluate(
    async ({ text, limit }) => {
      const { captureStream } = (globalThis as PageGlobals).stream;
      const asInSafari = new Response(text).body ?? new ReadableStream();
      Object.defineProperty(asInSafari, Symbol.asyncIterator, { value: undefined });
      const body = new Response(text).body ?? new ReadableStream();
      return [await captureStream(body, limit), await captureStream(asInSafari, limit)];
    },
    { text, limit },
  );
  expect(await captured).toEqual([capText(text, limit), capText(text, limit)]);
});

/** As JSON, whose escapes carry a lone surrogate to the browser. */
function captureInPage(batch: readonly ChunksAndLimit[]): Promise<readonly CappedText[]> {
  const json = JSON.stringify(
    batch.map(({ chunks, limit }) => ({
      chunks: chunks.map((chunk) => (typeof chunk === "string" ? chunk : Array.from(chunk))),
      limit,
    })),
  );
  return page.evaluate((json) => {
    const batch: { readonly chunks: readonly (string | number[])[]; readonly limit: surface.OutputLimit }[] =
      JSON.parse(json);
    return batch.map(({ chunks, limit }) => {
      const capture = (globalThis as PageGlobals).stream.createOutputCapture(limit);
      for (const chunk of chunks) capture.write(typeof chunk === "string" ? chunk : Uint8Array.from(chunk));
      return capture.finish();
    });
  }, json);
}

/** What a bundler makes of the entry for a page: the `imports` of package.json are resolved without `node`. */
async function bundleForBrowsers(): Promise<string> {
  const entry = new URL("../../src/stream.ts", import.meta.url).pathname;
  const result = await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["@pod/source", "browser"] },
    build: { write: false, lib: { entry, formats: ["iife"], name: "stream", fileName: "stream" } },
  });
  const [bundle] = Array.isArray(result) ? result : [result];
  if (bundle === undefined || !("output" in bundle)) throw new Error("vite made no bundle");
  return bundle.output[0].code;
}
