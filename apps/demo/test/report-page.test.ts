import { describe, expect, it } from "vitest";
import { html } from "../src/report-page/html.js";
import { createScale } from "../src/report-page/scale.js";
import { formatReportPage } from "../src/report-page.js";
import { madeReplay, madeRequest, REFUSED } from "./made-replay.js";

function attributesOf(page: string, tag: RegExp): string[] {
  return Array.from(page.matchAll(tag), ([, value = ""]) => value);
}

describe("the page", () => {
  it("D2: is whole: no script, and nothing that a browser would load", async () => {
    const page = await formatReportPage(madeReplay(), ["All of it."]);
    expect(page).not.toMatch(/<(script|iframe|img|object|embed|base)\b|@import|url\(|\bsrc=|\bon\w+=/i);
    expect(attributesOf(page, /href="([^"]*)"/g)).toEqual(["data:,"]);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`);
    expect(page).toContain("<p>All of it.</p>");
  });

  // Mutant seen to fail: a mark 1 px lower than its value.
  it("D2: every mark stands where the axis has its figure, and carries the figures of its request", async () => {
    const replay = madeReplay();
    const page = await formatReportPage(replay, []);
    const [zero = 0, tick = 0] = attributesOf(page, /class="tick" data-value="\d+" x1="0" y1="([\d.]+)"/g).map(Number);
    const [, tickValue = 0] = attributesOf(page, /class="tick" data-value="(\d+)"/g).map(Number);
    const marks = page.matchAll(
      /<svg x="[\d.]+%" y="([\d.]+)">\s*<g class="mark" data-run="(\w+)" data-request="(\d+)" data-bytes="(\d+)" data-input-tokens="(\d+)" data-status="(\d+)">/g,
    );
    const read = Array.from(marks, ([, y, name, place, bytes, inputTokens, status]) => ({
      plotted: Math.round(((zero - Number(y)) / (zero - tick)) * tickValue),
      figures: [name, Number(place), Number(bytes), Number(inputTokens), Number(status)],
    }));
    const sent = replay.runs.flatMap(({ name, requests }) =>
      requests.map(({ bytes, inputTokens, status }, place) => ({
        plotted: inputTokens,
        figures: [name, place + 1, bytes, inputTokens, status],
      })),
    );
    expect(read).toEqual(sent);
  });

  it("D2: has both runs as tables with the figures of the plot", async () => {
    const page = await formatReportPage(madeReplay(), []);
    expect(page.match(/<table/g)).toHaveLength(2);
    expect(page).toContain(
      '<tr class="refused"><th scope="row">2</th><td>111,058</td><td>60,865</td><td>203 %</td><td>429, waits 15 s</td></tr>',
    );
    expect(page).toContain('<tr><th scope="row">3</th><td>1,412</td><td>14,777</td><td>49 %</td><td>done</td></tr>');
  });

  it.each([
    ["as the incident went", madeReplay(), "One large tool result ended the agent. Capped, it finished."],
    [
      "on an account that lets everything through",
      madeReplay({ uncapped: { outcome: "finished" } }),
      "Without the cap and with it, the agent finished.",
    ],
    [
      "any other way",
      madeReplay({ uncapped: { outcome: "finished" }, capped: { outcome: "request-too-large" } }),
      "Without the cap: finished. With the cap: ended at a request that is too large to send.",
    ],
    [
      "an outcome that has no words of its own",
      madeReplay({ capped: { outcome: "cancelled" } }),
      "Without the cap: refused with 429 until it gave up. With the cap: cancelled.",
    ],
  ])("D2: its title says what happened: %s", async (_what, replay, headline) => {
    const page = await formatReportPage(replay, []);
    expect(page).toContain(`<title>${headline}</title>`);
    expect(page).toContain(`<h1>${headline}</h1>`);
  });

  it("D2: a run without a request, an account without a limit and an estimate are told as such", async () => {
    const estimated = madeRequest({ ...REFUSED, isEstimate: true });
    const page = await formatReportPage(
      madeReplay({ uncapped: { requests: [estimated] }, capped: { requests: [] }, limitTokensPerMinute: null }),
      [],
    );
    expect(page).toContain("It sent no request.");
    expect(page).toContain("The account states no limit.");
    expect(page).toContain("<td>~60,865</td><td>–</td>");
    expect(page).not.toMatch(/class="limit"|class="beyond"|NaN|undefined|null/);
  });

  it("D2: what files and models are called is text, and never markup", async () => {
    const hostile = `</title></style><img src=x onerror="alert('1')">&lt;\ud800`;
    const answers = [madeRequest({ answer: hostile }), REFUSED];
    const page = await formatReportPage(
      madeReplay({ uncapped: { outcome: hostile, requests: answers }, capped: { requests: answers } }),
      [hostile],
    );
    expect(page).not.toContain("<img");
    expect(page.match(/<\/title>/g)).toHaveLength(6);
    expect(page).toContain("&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;&#38;lt;\ufffd");
    expect(page.isWellFormed()).toBe(true);
  });
});

describe("markup", () => {
  it("D2: is nested as it is, one by one or as a list, and everything else is escaped", () => {
    const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);
    expect(String(html`<ul title="${'"'}">${items}</ul>${html`<hr>`}${1}`)).toBe(
      '<ul title="&#34;"><li>a</li><li>&#60;b&#62;</li></ul><hr>1',
    );
  });
});

describe("the scale", () => {
  it.each([1, 2.4, 9, 10, 600, 30_000, 79_000, 1_999_999, 2_000_000])(
    "D2: has three to seven round ticks from 0 up to %d at most",
    (max) => {
      const { ticks, toPx } = createScale(max, { topPx: 20, bottomPx: 320 });
      expect([toPx(0), toPx(max)]).toEqual([320, 20]);
      expect(ticks.length).toBeGreaterThanOrEqual(3);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeLessThanOrEqual(max);
      const [, step = 0] = ticks;
      expect([1, 2, 2.5, 5]).toContain(Number((step / 10 ** Math.floor(Math.log10(step))).toPrecision(6)));
    },
  );
});
