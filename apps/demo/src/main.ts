import { writeFile } from "node:fs/promises";
import { loadManifest, parseManifest } from "@pod/manifest";
import { createLiveStage } from "./live-stage.js";
import { type Arguments, readArguments, type SceneName, USAGE } from "./read-arguments.js";
import { type Replay, replayIncident, type ToolOutputLimits } from "./replay.js";
import { findUnshown, reportOf } from "./report.js";
import { formatReportPage } from "./report-page.js";
import { playScene } from "./scene.js";
import { createScene, formatScene } from "./scenes.js";
import { simulatedStage } from "./simulated-stage.js";
import type { Stage } from "./stage.js";
import { formatTable } from "./table.js";

type Input = Arguments & { readonly toolOutput: ToolOutputLimits; readonly warnings: readonly string[] };

process.exitCode = await main(process.argv.slice(2));

/** Resolves to the exit code: 1 where the replay does not show what it should, 2 for a mistake on the command line. */
async function main(args: readonly string[]): Promise<number> {
  const parsed = await readInput(args);
  if (typeof parsed === "string") {
    process.stderr.write(`${parsed}\n\n${USAGE}\n`);
    return 2;
  }
  if (parsed.output === "usage") {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (parsed.scene !== undefined) return showScene(parsed, parsed.scene);
  const stage = parsed.live === undefined ? simulatedStage : createLiveStage(parsed.live);
  if (parsed.live !== undefined) process.stderr.write(`Asking ${parsed.live.modelId}: this takes minutes.\n`);
  const replay = await replayIncident({ ...parsed, stage });
  for (const warning of [...parsed.warnings, ...replay.warnings]) process.stderr.write(`${warning}\n`);
  const report = reportOf(replay);
  process.stdout.write(
    parsed.output === "json" ? `${JSON.stringify(report, undefined, 2)}\n` : describe(parsed.root, stage, replay),
  );
  if (parsed.reportFile !== undefined) {
    const facts = [`The files are those of ${parsed.root}.`, ...stage.facts];
    await writeFile(parsed.reportFile, await formatReportPage(replay, facts));
    process.stderr.write(`The report is in ${parsed.reportFile}\n`);
  }
  const unshown = parsed.isAsShipped ? findUnshown(report) : [];
  const faults = [...unshown.map((claim) => `not shown: ${claim}`), ...findFailures(replay)];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length === 0 ? 0 : 1;
}

/** Plays another scene than the incident, and prints it. Resolves to the exit code. */
async function showScene({ output, isAsShipped, warnings, ...options }: Input, name: SceneName): Promise<number> {
  const scene = await createScene(name, options);
  const played = await playScene(scene);
  for (const warning of [...warnings, ...played.warnings]) process.stderr.write(`${warning}\n`);
  const report = reportOf(played);
  process.stdout.write(output === "json" ? `${JSON.stringify(report, undefined, 2)}\n` : formatScene(played));
  const unshown = isAsShipped ? scene.findUnshown(played) : [];
  for (const claim of unshown) process.stderr.write(`not shown: ${claim}\n`);
  return unshown.length === 0 ? 0 : 1;
}

/** What the user asked for, or what is wrong with it. */
async function readInput(args: readonly string[]): Promise<Input | string> {
  try {
    // npm runs the script in the package's directory, and says where the user was.
    const parsed = readArguments(args, { cwd: process.env.INIT_CWD ?? process.cwd(), env: process.env });
    const file = parsed.manifestFile;
    const { manifest, warnings } = file === undefined ? parseManifest("") : await loadManifest({ file });
    return { ...parsed, toolOutput: manifest.worker.toolOutput, warnings: warnings.map(({ message }) => message) };
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

/** Runs that tell nothing of the cap, because the provider did not play along. */
function findFailures({ runs }: Replay): string[] {
  return runs
    .filter(({ outcome }) => outcome === "refused" || outcome === "no-answer")
    .map(({ name, detail }) => `${name}: ${detail}`);
}

function describe(root: string, { facts }: Stage, replay: Replay): string {
  const [uncapped, capped] = replay.runs;
  return `The incident, replayed over the files of ${root}
${facts.join("\n")}

${formatTable(replay)}

uncapped: ${uncapped.outcome}. ${uncapped.detail}
capped:   ${capped.outcome}. ${capped.detail}
`;
}
