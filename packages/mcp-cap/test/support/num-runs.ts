/** Runs of a law: all of them in CI, a tenth elsewhere. */
export function numRuns(inCi: number): number {
  return process.env.CI ? inCi : Math.ceil(inCi / 10);
}
