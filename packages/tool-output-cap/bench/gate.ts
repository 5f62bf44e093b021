// Holds capText to its ratios (DESIGN section 10) and exits with 1 where one is missed: `npm run bench:gate`.
import { describeLoad, describeMachine } from "./describe-machine.js";
import { findWrongValues } from "./find-wrong-values.js";
import { formatTable, formatVerdicts, readTableNotes } from "./format-table.js";
import { judgeRatios } from "./judge-ratios.js";
import { measureRounds } from "./measure-rounds.js";
import { makeTextCases } from "./text-cases.js";

const args = process.argv.slice(2);
const isSmoke = args.includes("--smoke");
const rounds = isSmoke ? 3 : 31;

console.log(`${describeMachine()}\nload average before: ${describeLoad()}\n`);
const wrong = findWrongValues();
const timings = measureRounds(makeTextCases(args), rounds);
const verdicts = timings.flatMap(judgeRatios);
console.log(formatTable(timings));
for (const note of readTableNotes()) console.log(note);
console.log(`\n${rounds} rounds, medians. Load average after: ${describeLoad()}`);
console.log(formatVerdicts(verdicts));

for (const line of wrong) console.error(`wrong: ${line}`);
// A few rounds say nothing of time, but the results have been compared.
const missed = isSmoke ? [] : verdicts.filter(({ holds }) => !holds);
if (wrong.length > 0 || missed.length > 0) process.exitCode = 1;
