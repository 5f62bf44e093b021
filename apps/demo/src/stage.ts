import type { Agent, RunRecord } from "./run-record.js";

/** Where both runs are played: what the agents are asked, and who answers their requests. */
export interface Stage {
  readonly task: string;
  /** What on it is real and what is not, for people. */
  readonly facts: readonly string[];
  /** The account's, as far as it is known by now; null where it states none. */
  readonly limitTokensPerMinute: number | null;
  /** Runs an agent to its end, and records every request. */
  record<Name extends string>(name: Name, agent: Agent): Promise<RunRecord<Name>>;
}
