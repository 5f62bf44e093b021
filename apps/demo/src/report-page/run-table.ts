import { cellsOf, REQUEST_HEADS } from "../request-cells.js";
import type { RunRecord } from "../run-record.js";
import { type Html, html } from "./html.js";
import { formatKey } from "./plot.js";
import { RUN_TITLES, tellRun } from "./tell-replay.js";

/** One run: how it ended, and the figures of the plot, a row for each request. */
export function formatRunSection(run: RunRecord, limitTokensPerMinute: number | null): Html {
  const id = `run-${run.name}`;
  return html`<section class="run-section ${run.name}" aria-labelledby="${id}">
<h2 id="${id}">${formatKey(run.name)} ${RUN_TITLES[run.name]}</h2>
<p class="told">${tellRun(run, limitTokensPerMinute)}</p>
<div class="scroll" role="region" aria-labelledby="${id}" tabindex="0">
<table aria-labelledby="${id}">
<thead><tr><th scope="col"><abbr title="request">#</abbr></th>${REQUEST_HEADS.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${run.requests.map(
  (
    request,
    place,
  ) => html`<tr${request.status === 200 ? "" : html` class="refused"`}><th scope="row">${place + 1}</th>${cellsOf(request, limitTokensPerMinute).map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody>
</table>
</div>
</section>
`;
}
