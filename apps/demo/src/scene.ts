import type { LlmClient } from "@pod/llm-worker";
import type { ToolOutputLimits } from "./replay.js";
import type { Agent, Ending, RunRecord } from "./run-record.js";
import { createSimulatedStage, type ScriptedModel } from "./simulated-stage.js";

/** What else could happen, played like the incident: some agents, one after the other, before the same provider. */
export interface Scene {
  /** Stands where the model would. */
  readonly model: ScriptedModel;
  readonly task: string;
  readonly runs: readonly SceneRun[];
  /** What a text is charged, where it is not the simulated count of the incident. */
  readonly countTokens?: (text: string) => number;
  /** What in it is real, besides what always is. */
  readonly facts?: readonly string[];
  /** What it must show and did not, as claims. */
  findUnshown(played: Pick<PlayedScene, "limitTokensPerMinute" | "runs">): string[];
}

export interface SceneRun {
  readonly name: string;
  readonly play: (client: LlmClient, sleep: Parameters<Agent>[1], warnings: string[]) => Promise<Ending>;
}

/** What a scene is made of. */
export interface SceneOptions {
  /** The directory that the tools read. */
  readonly root: string;
  readonly toolOutput: ToolOutputLimits;
  /** Where the limits are from, for a program that reads them itself. */
  readonly manifestFile?: string;
}

export interface PlayedScene {
  readonly limitTokensPerMinute: number | null;
  readonly runs: readonly RunRecord<string>[];
  readonly warnings: readonly string[];
  /** What in it is real, for people. */
  readonly facts: readonly string[];
}

export async function playScene({ model, task, runs, countTokens, facts = [] }: Scene): Promise<PlayedScene> {
  const stage = createSimulatedStage(task, model, countTokens);
  const warnings: string[] = [];
  const records: RunRecord<string>[] = [];
  for (const { name, play } of runs) {
    records.push(await stage.record(name, (client, sleep) => play(client, sleep, warnings)));
  }
  return {
    limitTokensPerMinute: stage.limitTokensPerMinute,
    runs: records,
    warnings: [...new Set(warnings)],
    facts: [...stage.facts, ...facts],
  };
}
