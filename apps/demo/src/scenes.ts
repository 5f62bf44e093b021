import type { SceneName } from "./read-arguments.js";
import type { PlayedScene, Scene, SceneOptions } from "./scene.js";
import { buildLogScene } from "./scenes/build-log.js";
import { parallelScene } from "./scenes/parallel.js";
import { formatTable } from "./table.js";

export function createScene(name: SceneName, options: SceneOptions): Promise<Scene> {
  switch (name.type) {
    case "parallel":
      return parallelScene(name.count, options);
    case "build-log":
      return buildLogScene(options);
  }
}

/** A scene for people: a table for each run, since three do not fit beside each other. */
export function formatScene({ limitTokensPerMinute, runs, facts }: PlayedScene): string {
  const tables = runs.map(
    (run) => `${formatTable({ limitTokensPerMinute, runs: [run] })}\n\n${run.outcome}. ${run.detail}\n`,
  );
  return `${facts.join("\n")}\n\n${tables.join("\n")}`;
}
