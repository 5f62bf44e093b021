// Holds the demo's --json report against what the incident must show.
import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const limit = report.limitTokensPerMinute;
const [uncapped, capped] = ["uncapped", "capped"].map((name) => report.runs.find((run) => run.name === name));

const claims = {
  "the limit is 30,000 tokens a minute": limit === 30_000,
  "the uncapped run ends in 429": uncapped?.requests.at(-1)?.status === 429,
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
