import { writeFile } from "node:fs/promises";
import { loadManifest, parseManifest } from "@pod/manifest";
import { describeSetting } from "./describe-setting.js";
import { type Arguments, readArguments, USAGE } from "./read-arguments.js";
import { type Replay, replayIncident } from "./replay.js";
import { findUnshown, reportOf } from "./report.js";
import { formatReportPage } from "./report-page.js";
import { formatTable } from "./table.js";

process.exitCode = await main(process.argv.slice(2));

/** Resolves to the exit code: 1 where the replay does not show the incident, 2 for a mistake on the command line. */
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
  const replay = await replayIncident(parsed);
  for (const warning of [...parsed.warnings, ...replay.warnings]) process.stderr.write(`${warning}\n`);
  const report = reportOf(replay);
  process.stdout.write(
    parsed.output === "json" ? `${JSON.stringify(report, undefined, 2)}\n` : describe(parsed, replay),
  );
  if (parsed.reportFile !== undefined) await writeReport(parsed.reportFile, parsed, replay);
  const unshown = parsed.isAsShipped ? findUnshown(report) : [];
  for (const claim of unshown) process.stderr.write(`not shown: ${claim}\n`);
  return unshown.length === 0 ? 0 : 1;
}

/** What the user asked for, or what is wrong with it. */
async function readInput(args: readonly string[]) {
  try {
    // npm runs the script in the package's directory, and says where the user was.
    const parsed = readArguments(args, process.env.INIT_CWD ?? process.cwd());
    const file = parsed.manifestFile;
    const { manifest, warnings } = file === undefined ? parseManifest("") : await loadManifest({ file });
    return { ...parsed, toolOutput: manifest.worker.toolOutput, warnings: warnings.map(({ message }) => message) };
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

async function writeReport(file: string, { root }: Arguments, replay: Replay): Promise<void> {
  await writeFile(file, await formatReportPage(replay, [`The files are those of ${root}.`, ...describeSetting()]));
  process.stderr.write(`The report is in ${file}\n`);
}

function describe({ root }: Arguments, replay: Replay): string {
  const [uncapped, capped] = replay.runs;
  return `The incident, replayed over the files of ${root}
${describeSetting().join("\n")}

${formatTable(replay)}

uncapped: ${uncapped.outcome}. ${uncapped.detail}
capped:   ${capped.outcome}. ${capped.detail}
`;
}
