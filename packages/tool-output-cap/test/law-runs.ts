/** Texts a law: what `POD_LAW_RUNS` says, else 10,000 where the environment has `CI`, else 1,000. */
export const lawRuns: { readonly numRuns: number } = {
  numRuns: Number(process.env.POD_LAW_RUNS ?? (process.env.CI ? 10_000 : 1_000)),
};
