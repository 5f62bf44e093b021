import type { Replay } from "../replay.js";
import { formatCount, formatShare, formatTokens } from "../request-cells.js";
import type { RequestRecord, RunRecord } from "../run-record.js";
import { type Html, html } from "./html.js";
import { type Across, BOTTOM_PX, formatNames, formatRefusal } from "./plot-words.js";
import { createScale, type Scale } from "./scale.js";
import { describePlot, RUN_TITLES } from "./tell-replay.js";

/** Pixels. Across, everything is in per cent, so that text keeps its size on every screen. */
const TOP_PX = 24;
const HEIGHT_PX = BOTTOM_PX + 52;
/** Room above the highest value, for what is written there. */
const HEADROOM = 1.3;
/** More numbers than that would touch on a narrow screen. */
const MOST_NUMBERS = 10;

interface Plotted {
  readonly run: RunRecord;
  readonly scale: Scale;
  readonly limitTokensPerMinute: number | null;
  readonly across: Across;
}

/** Input tokens of each request of both runs against the limit, as SVG. Each mark carries its figures as `data-` attributes. */
export function formatPlot(replay: Replay): Html {
  const { limitTokensPerMinute, runs } = replay;
  const values = runs.flatMap(({ requests }) => requests.map(({ inputTokens }) => inputTokens));
  const scale = createScale(Math.max(1, limitTokensPerMinute ?? 0, ...values) * HEADROOM, {
    topPx: TOP_PX,
    bottomPx: BOTTOM_PX,
  });
  const places = Math.max(1, ...runs.map(({ requests }) => requests.length));
  const across = (place: number) => ((place + 0.5) / places) * 100;
  return html`<svg class="plot" role="img" aria-labelledby="plot-title plot-description" height="${HEIGHT_PX}">
<title id="plot-title">Input tokens of each request, against the limit of the account</title>
<desc id="plot-description">${describePlot(replay)}</desc>
${limitTokensPerMinute === null ? "" : html`<rect class="beyond" x="0" y="0" width="100%" height="${scale.toPx(limitTokensPerMinute)}"/>`}
${formatAxes(scale, places, across)}
${limitTokensPerMinute === null ? "" : formatLimit(limitTokensPerMinute, scale)}
${runs.map((run) => formatRun({ run, scale, across, limitTokensPerMinute }))}
${formatNames(runs, scale, across)}</svg>`;
}

function formatAxes({ ticks, toPx }: Scale, places: number, across: Across): Html {
  return html`<g class="axes" aria-hidden="true">
<text x="0" dx="8" y="18">input tokens</text>
${ticks.map(
  (tick) => html`<line class="tick" data-value="${tick}" x1="0" y1="${toPx(tick)}" x2="100%" y2="${toPx(tick)}"/>
<text class="tick-value" x="-10" y="${toPx(tick) + 4}">${formatCount(tick)}</text>
`,
)}${Array.from({ length: places }, (_, place) => place)
  .filter((place) => place % Math.ceil(places / MOST_NUMBERS) === 0)
  .map((place) => html`<text class="place" x="${across(place)}%" y="${BOTTOM_PX + 22}">${place + 1}</text>`)}
<text class="to-the-left" x="100%" y="${BOTTOM_PX + 44}">requests, in order</text>
</g>`;
}

function formatLimit(limit: number, { toPx }: Scale): Html {
  const y = toPx(limit);
  return html`<g class="limit">
<line data-limit="${limit}" x1="0" y1="${y}" x2="100%" y2="${y}"/>
<text class="to-the-left" x="100%" dx="-8" y="${y - 8}">limit: ${formatCount(limit)} tokens a minute</text>
</g>`;
}

function formatRun(plotted: Plotted): Html {
  const { run, scale, across } = plotted;
  const points = run.requests.map((request, place) => ({ x: across(place), y: scale.toPx(request.inputTokens) }));
  const lines = points.slice(1).map((to, place) => ({ from: points[place] ?? to, to }));
  return html`<g class="run ${run.name}">
${lines.map(({ from, to }) => html`<line class="path" x1="${from.x}%" y1="${from.y}" x2="${to.x}%" y2="${to.y}"/>`)}
${run.requests.map((request, place) => formatMark(request, place, plotted))}
</g>
`;
}

function formatMark(request: RequestRecord, place: number, plotted: Plotted): Html {
  const { run, scale, across, limitTokensPerMinute } = plotted;
  const { bytes, inputTokens, status, answer } = request;
  const share = formatShare(inputTokens, limitTokensPerMinute);
  return html`<svg x="${across(place)}%" y="${scale.toPx(inputTokens)}">
<g class="mark" data-run="${run.name}" data-request="${place + 1}" data-bytes="${bytes}" data-input-tokens="${inputTokens}" data-status="${status}">
<title>${RUN_TITLES[run.name]}, request ${place + 1}: ${formatTokens(request)} input tokens, ${share} of the limit. ${answer}</title>
${formatShape(run.name, status)}
</g>
${formatRefusal(request, plotted)}</svg>
`;
}

/** What is refused is crossed out; else each run has a shape of its own. */
function formatShape(name: RunRecord["name"], status: number): Html {
  if (status !== 200) return html`<path class="refused" d="M-6-6 6 6M6-6-6 6"/>`;
  // Where both runs stand at one point, the corners look out from behind the circle.
  return name === "capped" ? html`<circle r="5.5"/>` : html`<rect x="-7" y="-7" width="14" height="14"/>`;
}

/** The mark and the line of a run, as they are in the plot. */
export function formatKey(name: RunRecord["name"]): Html {
  return html`<svg class="key run ${name}" width="44" height="16" aria-hidden="true"><line class="path" x1="0" y1="8" x2="44" y2="8"/><svg x="22" y="8"><g class="mark">${formatShape(name, 200)}</g></svg></svg>`;
}
