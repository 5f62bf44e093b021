// Prints the last line of .ci/run and sets its exit code: the tests of vitest's JSON report, and the failed steps.
import { readFileSync } from "node:fs";

const [reportFile, ...failedSteps] = process.argv.slice(2);
let passed = 0;
let failed = 0;

try {
  const report = JSON.parse(readFileSync(reportFile, "utf8"));
  passed = report.numPassedTests;
  // A test that did not run is not a test that passed.
  failed = report.numTotalTests - passed;
} catch (error) {
  console.log(`no test report: ${error.message}`);
}
if (passed + failed === 0 && !failedSteps.includes("tests")) failedSteps.push("tests");

// Failed tests are counted one by one, so their step is not counted again.
const otherSteps = failedSteps.filter((step) => step !== "tests" || failed === 0);
if (failedSteps.length > 0) console.log(`\nfailed: ${failedSteps.join(", ")}`);
failed += otherSteps.length;

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
