import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** A page that is open, and what it did meanwhile. */
export interface OpenPage {
  readonly page: Page;
  /** The address of the page's own file. */
  readonly url: string;
  /** Every address that it asked for, its own first. */
  readonly requested: readonly string[];
  /** Every line of its console, and every error. */
  readonly said: readonly string[];
}

/** Debian's, unless the environment says otherwise. */
const EXECUTABLE = process.env.POD_CHROMIUM ?? "/usr/bin/chromium";
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A browser without a window. Whoever starts it closes it. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS });
}

/** Opens a file from disk where there is no network, hands the page to `use`, and closes it. */
export async function withPage<T>(
  browser: Browser,
  { file, ...options }: BrowserContextOptions & { readonly file: string },
  use: (opened: OpenPage) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ ...options, offline: true });
  try {
    const page = await context.newPage();
    const requested: string[] = [];
    const said: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (error) => said.push(error.message));
    const url = pathToFileURL(file).href;
    await page.goto(url, { waitUntil: "networkidle" });
    return await use({ page, url, requested, said });
  } finally {
    await context.close();
  }
}
