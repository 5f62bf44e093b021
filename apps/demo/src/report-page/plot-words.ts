import type { Replay } from "../replay.js";
import type { RequestRecord, RunRecord } from "../run-record.js";
import { type Html, html } from "./html.js";
import type { Scale } from "./scale.js";
import { RUN_TITLES } from "./tell-replay.js";

/** Where the axis is, in pixels from the top. */
export const BOTTOM_PX = 336;

/** Where the request of a place, from 0, stands: per cent from the left. */
export type Across = (place: number) => number;

/** More marks than that leave no room for words at each. */
const MOST_WORDS = 8;
/** Less than that between the ends of the runs leaves no room for their names. */
const NAMES_PX = 60;

/** What became of a request that was refused: above its mark in one run, below it in the other. */
export function formatRefusal(
  { inputTokens, status, waitMs }: RequestRecord,
  { run, scale }: { run: RunRecord; scale: Scale },
): Html {
  const isBelow = run.name === "capped";
  const hasRoom = run.requests.length <= MOST_WORDS && !(isBelow && scale.toPx(inputTokens) + 42 > BOTTOM_PX);
  if (status === 200 || !hasRoom) return html``;
  const became =
    waitMs === undefined
      ? html`<tspan class="where-wide">gives up</tspan><tspan class="where-narrow">ends</tspan>`
      : html`<tspan class="where-wide">waits </tspan>${Math.ceil(waitMs / 1000)} s`;
  return html`<text class="refusal" y="${isBelow ? 24 : -30}"><tspan class="status">${status === 0 ? "none" : status}</tspan><tspan x="0" dy="15">${became}</tspan></text>`;
}

/** The names of the runs, at their last marks: above the higher one, and below the lower one where there is room. */
export function formatNames(runs: Replay["runs"], { toPx }: Scale, across: Across): readonly Html[] {
  const ends = runs.flatMap(({ name, requests }) => {
    const last = requests.at(-1);
    if (last === undefined) return [];
    return [{ name, x: across(requests.length - 1), y: toPx(last.inputTokens), isAnswered: last.status === 200 }];
  });
  const [higher, lower] = ends.sort((one, other) => one.y - other.y);
  if (higher === undefined || (lower !== undefined && lower.y - higher.y < NAMES_PX)) return [];
  const names = [{ ...higher, y: higher.y - (higher.isAnswered ? 16 : 52) }];
  if (lower !== undefined) names.push({ ...lower, y: lower.y + 28 < BOTTOM_PX ? lower.y + 28 : lower.y - 16 });
  return names.map(
    ({
      name,
      x,
      y,
    }) => html`<text class="name to-the-left ${name}" x="${x}%" dx="20" y="${y}">${RUN_TITLES[name]}</text>
`,
  );
}
