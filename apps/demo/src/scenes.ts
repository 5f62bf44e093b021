import type { SceneName } from "./read-arguments.js";
import type { PlayedScene, Scene, SceneOptions } from "./scene.js";
import { buildLogScene } from "./scenes/build-log.js";
import { parallelScene } from "./scenes/parallel.js";
import { formatTable } from "./table.js";

export async function createScene(name: SceneName, options: SceneOptions): Promise<Scene> {
  switch (name.type) {
    case "parallel":
      return parallelScene(name.count, options);
    case "build-log":
      return buildLogScene(options);
    case "tokens":
      // Loads the table of an encoding, which nothing else needs.
      return (await import("./scenes/tokens.js")).tokensScene(options);
    case "mcp":
      // Loads a whole SDK, which nothing else needs.
      return (await import("./scenes/mcp.js")).mcpScene(options);
  }
}

/** A scene for people: two runs side by side, and a table for each of three, which do not fit beside each other. */
export function formatScene({ limitTokensPerMinute, runs, facts }: PlayedScene): string {
  const groups = runs.length === 2 ? [runs] : runs.map((run) => [run]);
  const tables = groups.map((group) => {
    const endings = group.map(({ name, outcome, detail }) => `${name}: ${outcome}. ${detail}\n`);
    return `${formatTable({ limitTokensPerMinute, runs: group })}\n\n${endings.join("")}`;
  });
  return `${facts.join("\n")}\n\n${tables.join("\n")}`;
}
