import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** What a process told before it ended. */
export interface Crash {
  /** Whether it was killed, and had not ended by itself before. */
  readonly wasKilled: boolean;
  /** The entries that were acknowledged, one JSON text each. */
  readonly acknowledged: readonly string[];
}

/** Runs a session in a process of its own on a log and kills it after so many acknowledgements, wherever it then is. */
export type CrashAfter = (acknowledgements: number, file: string, effects: string) => Promise<Crash>;

/** Bundles the program, since a plain script starts several times as fast as one that is compiled as it starts. */
export async function prepareCrashes(): Promise<CrashAfter> {
  const outDir = await mkdtemp(join(tmpdir(), "pod-crash-program-"));
  onTestFinished(() => rm(outDir, { recursive: true, force: true }));
  const ssr = fileURLToPath(new URL("./crash-program.ts", import.meta.url));
  // Imported here, since it takes a second to load.
  const { build } = await import("vite");
  const conditions = ["@pod/source", "module", "node"];
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    build: {
      ssr,
      outDir,
      minify: false,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "program.mjs" } },
    },
  });
  return (acknowledgements, file, effects) =>
    crashAfter(acknowledgements, [join(outDir, "program.mjs"), file, effects]);
}

async function crashAfter(acknowledgements: number, program: readonly string[]): Promise<Crash> {
  const child = spawn(process.execPath, program, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  const acknowledged: string[] = [];
  // The first line is that it begins.
  let told = -1;
  for await (const line of createInterface(child.stdout)) {
    told += 1;
    if (told > 0) acknowledged.push(line);
    if (told === acknowledgements) child.kill("SIGKILL");
  }
  await ended;
  if (child.exitCode !== null && child.exitCode !== 0) throw new Error(`the session failed: ${child.exitCode}`);
  return { wasKilled: child.signalCode === "SIGKILL", acknowledged };
}
