// Holds the demo's --json report against what the incident must show: `check-demo.mjs FILE [NAME NAME]`, the names of the run
// without the cap and of the one with it.
import { readFileSync } from "node:fs";

const [file, ...names] = process.argv.slice(2);
const report = JSON.parse(readFileSync(file, "utf8"));
const limit = report.limitTokensPerMinute;
const [uncapped, capped] = (names.length > 0 ? names : ["uncapped", "capped"]).map((name) =>
  report.runs.find((run) => run.name === name),
);

const claims = {
  "the limit is 30,000 tokens a minute": limit === 30_000,
  "the uncapped run ends in 429": uncapped?.requests.at(-1)?.status === 429 && uncapped.outcome === "rate-limited",
  "its last request alone is over the limit": uncapped?.requests.at(-1)?.inputTokens > limit,
  "its retries are bounded": uncapped?.requests.length <= 20,
  "the capped run finishes": capped?.outcome === "finished",
  "in three requests or more": capped?.requests.length >= 3,
  "each of them under the limit": capped?.requests.every((request) => request.inputTokens < limit),
  "none of them refused": capped?.requests.every((request) => request.status === 200),
};

for (const [claim, holds] of Object.entries(claims)) console.log(`${holds ? "ok    " : "FAILED"} ${claim}`);
if (Object.values(claims).includes(false)) {
  console.log(JSON.stringify(report, undefined, 2));
  process.exitCode = 1;
}
