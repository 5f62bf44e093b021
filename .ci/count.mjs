// Prints the failed tests again, then the last line of .ci/run, and sets its exit code.
// count.mjs STEP=REPORT… -- FAILED_STEP…: vitest's JSON report of each step that runs tests, and the steps that failed.
import { readFileSync } from "node:fs";

const args = process.argv.slice(2);
const end = args.indexOf("--");
const failedSteps = new Set(args.slice(end + 1));
const countedSteps = new Set();
let passed = 0;
let failed = 0;

for (const [, step, file] of args.slice(0, end).map((arg) => /^([^=]*)=(.*)$/s.exec(arg))) {
  const [passedHere, totalHere] = readCounts(step, file);
  passed += passedHere;
  // A test that did not run is not a test that passed.
  failed += totalHere - passedHere;
  if (totalHere === 0) failedSteps.add(step);
  // Failed tests are counted one by one, so their step is not counted again.
  if (totalHere > passedHere) countedSteps.add(step);
}

if (failedSteps.size > 0) console.log(`\nfailed: ${[...failedSteps].join(", ")}`);
failed += [...failedSteps].filter((step) => !countedSteps.has(step)).length;

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function readCounts(step, file) {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    for (const failure of failuresOf(report)) console.log(`\nfailed in ${step}: ${failure}`);
    return [report.numPassedTests, report.numTotalTests];
  } catch (error) {
    console.log(`no report of ${step}: ${error.message}`);
    return [0, 0];
  }
}

/** Where a log keeps its end only, this is what says which test it was. */
function failuresOf({ testResults = [] }) {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status === "failed");
    if (tests.length === 0) return message ? [`${name}\n${message.slice(0, 2_000)}`] : [];
    return tests.map(
      ({ fullName, failureMessages }) => `${name}: ${fullName}\n${failureMessages.join("\n").slice(0, 2_000)}`,
    );
  });
}
