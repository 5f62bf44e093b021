import { readFile } from "node:fs/promises";
import type { Replay } from "./replay.js";
import { html } from "./report-page/html.js";
import { formatPlot } from "./report-page/plot.js";
import { formatRunSection } from "./report-page/run-table.js";
import { formatHeadline } from "./report-page/tell-replay.js";
import { formatCount } from "./request-cells.js";

const STYLE_FILE = new URL("report-page/style.css", import.meta.url);

/**
 * A replay as one page of HTML: a picture, and the same figures as tables. The page is whole: it runs no script, and loads
 * nothing. `facts` say what in it is real.
 */
export async function formatReportPage(replay: Replay, facts: readonly string[]): Promise<string> {
  const { limitTokensPerMinute, runs } = replay;
  const headline = formatHeadline(replay);
  const style = await readFile(STYLE_FILE, "utf8");
  const beforeStyle = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${headline}</title>
<link rel="icon" href="data:,">
<style>`;
  const afterStyle = html`</style>
</head>
<body>
<main>
<header>
<p class="eyebrow">The incident, replayed</p>
<h1>${headline}</h1>
<p class="lede">An agent sends its whole history with every request, so a tool result that is too large is too large again in every retry.
${limitTokensPerMinute === null ? "The account states no limit." : `An account of ${formatCount(limitTokensPerMinute)} input tokens a minute never lets a request above that line through, however long the agent waits.`}</p>
</header>
<figure aria-labelledby="plot-caption">
<div class="frame">${formatPlot(replay)}</div>
<figcaption id="plot-caption">Input tokens of each request. A cross is a request that was refused.</figcaption>
</figure>
<div class="runs">
${runs.map((run) => formatRunSection(run, limitTokensPerMinute))}</div>
<footer>
${facts.map((fact) => html`<p>${fact}</p>`)}
</footer>
</main>
</body>
</html>
`;
  return `${beforeStyle}${style}${afterStyle}`;
}
