import { describe, expect, it } from "vitest";
import { findUnshown, type Report } from "../src/report.js";
import { formatTable } from "../src/table.js";

const SMALL = { bytes: 1000, inputTokens: 500, status: 200 };
const HUGE = { bytes: 125_000, inputTokens: 70_000, status: 429 };
const SHOWN: Report = {
  limitTokensPerMinute: 30_000,
  runs: [
    { name: "uncapped", outcome: "rate-limited", requests: [SMALL, HUGE] },
    { name: "capped", outcome: "finished", requests: [SMALL, SMALL, SMALL] },
  ],
};

function reportWith(change: { uncapped?: object; capped?: object }): Report {
  const [uncapped, capped] = SHOWN.runs;
  if (uncapped === undefined || capped === undefined) throw new Error("expected two runs");
  return {
    ...SHOWN,
    runs: [
      { ...uncapped, ...change.uncapped },
      { ...capped, ...change.capped },
    ],
  };
}

describe("what the demo asserts of itself", () => {
  it("D1: has nothing to say of a report that shows the incident", () => {
    expect(findUnshown(SHOWN)).toEqual([]);
  });

  it.each<[claim: string, change: Parameters<typeof reportWith>[0]]>([
    ["the uncapped run ends in 429", { uncapped: { outcome: "finished" } }],
    ["the uncapped run ends in 429", { uncapped: { requests: [SMALL, { ...HUGE, status: 200 }] } }],
    ["its last request alone exceeds the limit", { uncapped: { requests: [{ ...HUGE, inputTokens: 30_000 }] } }],
    ["the capped run finishes", { capped: { outcome: "max-turns" } }],
    ["it takes three requests or more", { capped: { requests: [SMALL, SMALL] } }],
    ["each of them is under the limit", { capped: { requests: [SMALL, SMALL, { ...SMALL, inputTokens: 30_000 }] } }],
    ["none of them is refused", { capped: { requests: [SMALL, SMALL, { ...SMALL, status: 429 }] } }],
  ])("D1: misses that %s", (claim, change) => {
    expect(findUnshown(reportWith(change))).toEqual([claim]);
  });
});

describe("the table", () => {
  it("D1: aligns numbers to the right and runs of different length side by side", () => {
    const table = formatTable({
      limitTokensPerMinute: 30_000,
      runs: [
        {
          name: "uncapped",
          outcome: "rate-limited",
          detail: "",
          requests: [
            { ...SMALL, answer: "Glob *" },
            { ...HUGE, answer: "429, gives up" },
          ],
        },
        { name: "capped", outcome: "finished", detail: "", requests: [{ ...SMALL, answer: "done" }] },
      ],
    });
    expect(table.split("\n")).toEqual([
      "     uncapped                                   capped",
      "       bytes  tokens  of limit  answer          bytes  tokens  of limit  answer",
      " 1     1,000     500       2 %  Glob *          1,000     500       2 %  done",
      " 2   125,000  70,000     233 %  429, gives up",
    ]);
  });
});
