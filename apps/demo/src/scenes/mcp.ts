import { fileURLToPath } from "node:url";
import { resolveLimit } from "@pod/tool-output-cap";
import { answerAsTheModel, TASK } from "../incident.js";
import { type LargestResult, withMcpTools } from "../mcp/mcp-tools.js";
import { runNaiveLoop } from "../naive-loop.js";
import { endingOf, MAX_TURNS } from "../replay.js";
import { formatCount } from "../request-cells.js";
import { describeRefusal } from "../run-record.js";
import type { PlayedScene, Scene, SceneOptions, SceneRun } from "../scene.js";

const FILE_SERVER = fileURLToPath(new URL("../mcp/file-server.ts", import.meta.url));
const MCP_CAP = fileURLToPath(import.meta.resolve("@pod/mcp-cap/bin/mcp-cap.js"));
const FILE_THAT_CAPS = "src/cap-tool-result.ts";

/**
 * The incident over MCP: the same tools, served by a process of their own to a client that caps nothing. It dies as the agent
 * of the incident did; with `mcp-cap` before the server's command, and no other change, it finishes.
 */
export async function mcpScene({ root, toolOutput, manifestFile }: SceneOptions): Promise<Scene> {
  const server = [...startFromSource(FILE_SERVER), root];
  const limits = manifestFile === undefined ? [] : ["--manifest", manifestFile];
  const capped = [...startFromSource(MCP_CAP), ...limits, "--", ...server];
  const largest = new Map<string, LargestResult>();

  const runWith = (name: string, commandLine: readonly string[]): SceneRun => ({
    name,
    play: (client, sleep) =>
      withMcpTools(commandLine, async (served) => {
        const run = runNaiveLoop(TASK, { client, tools: served.tools, sleep, maxTurns: MAX_TURNS });
        const { outcome, detail } = await run.then(endingOf, describeRefusal);
        largest.set(name, served.largest);
        return { outcome, detail: `${detail} ${describeLargest(served.largest)}` };
      }),
  });

  const maxBytes = Math.max(...["Glob", "Read", "Grep"].map((tool) => resolveLimit(toolOutput, tool).maxBytes));
  return {
    task: TASK,
    model: answerAsTheModel,
    facts: [
      "Real too: the MCP server, the client of @modelcontextprotocol/sdk and mcp-cap, each a process of its own. The agent has no worker, and caps nothing.",
      `Its one changed line: ${["node", "file-server.ts", root].join(" ")} became ${["mcp-cap", ...limits, "--", "node", "file-server.ts", root].join(" ")}`,
    ],
    runs: [runWith("direct", server), runWith("behind mcp-cap", capped)],
    findUnshown: (played) => findUnshown(played, largest, maxBytes),
  };
}

/** As the demo itself is started. */
function startFromSource(file: string): readonly string[] {
  return [process.execPath, "--import", import.meta.resolve("tsx"), "--conditions=@pod/source", file];
}

function describeLargest({ textBytes, structureBytes }: LargestResult): string {
  return `Its largest result was ${formatCount(textBytes)} bytes of text and ${formatCount(structureBytes)} of structure.`;
}

function findUnshown(
  { limitTokensPerMinute, runs }: Pick<PlayedScene, "limitTokensPerMinute" | "runs">,
  largest: ReadonlyMap<string, LargestResult>,
  maxBytes: number,
): string[] {
  const [direct, capped] = runs;
  const limit = limitTokensPerMinute ?? Number.POSITIVE_INFINITY;
  const sizesOf = (run: { readonly name: string } | undefined) => Object.values(largest.get(run?.name ?? "") ?? {});
  const claims: readonly [claim: string, isShown: boolean | undefined][] = [
    ["the direct run ends in 429", direct?.requests.at(-1)?.status === 429 && direct.outcome === "rate-limited"],
    ["its last request alone exceeds the limit", (direct?.requests.at(-1)?.inputTokens ?? 0) > limit],
    ["its server sends more than the limit in both forms", sizesOf(direct).every((bytes) => bytes > maxBytes)],
    ["the run behind mcp-cap finishes, with the file", capped?.detail.includes(FILE_THAT_CAPS)],
    ["it takes three requests or more", (capped?.requests.length ?? 0) >= 3],
    ["each of them is under the limit", capped?.requests.every(({ inputTokens }) => inputTokens < limit)],
    ["none of them is refused", capped?.requests.every(({ status }) => status === 200)],
    ["no result of it is over the limit in either form", sizesOf(capped).every((bytes) => bytes <= maxBytes)],
  ];
  return claims.filter(([, isShown]) => isShown !== true).map(([claim]) => claim);
}
