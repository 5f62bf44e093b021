import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { repositoryRoot } from "./source-file.js";

/** A block of code in a README, and what it says it prints, by {@link readWords}. */
export interface Example {
  readonly code: string;
  readonly prints: string;
}

export interface Ran {
  readonly exitCode: number | null;
  readonly prints: string;
  readonly errors: string;
}

/** The blocks marked `ts`, in order. What they print stands after `// → `, or in an unmarked block that follows. */
export function extractExamples(markdown: string): readonly Example[] {
  const blocks = markdown.matchAll(/^```ts\n(.*?)^```$(?:\n\n```\n(.*?)^```$)?/gms);
  return Array.from(blocks, ([, code = "", output]) => ({
    code,
    prints: readWords(output ?? Array.from(code.matchAll(/\/\/ → (.*)$/gm), ([, line]) => line).join("\n")),
  }));
}

/** Holds the examples against the compiler. Resolves to what it complains about, or to an empty text. */
export async function checkTypes(examples: readonly Example[], directory: string): Promise<string> {
  writeExamples(examples, directory);
  const config = {
    extends: join(repositoryRoot, "tsconfig.base.json"),
    compilerOptions: { types: ["node"], isolatedDeclarations: false },
    include: ["*.ts"],
  };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(config));
  const { exitCode, prints, errors } = await runNode(
    [join(repositoryRoot, "node_modules/typescript/bin/tsc")],
    directory,
    {},
  );
  return exitCode === 0 ? "" : `${prints}\n${errors}`;
}

/** Runs one example as a user would, but from source. */
export async function runExample(example: Example, directory: string, environment: NodeJS.ProcessEnv): Promise<Ran> {
  writeExamples([example], directory);
  return runNode(["--import", "tsx", "--conditions=@pod/source", "example-1.ts"], directory, environment);
}

/** Runs node to its end, with the environment that is given and PATH. */
export async function runNode(args: readonly string[], cwd: string, environment: NodeJS.ProcessEnv): Promise<Ran> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [output, errors, exitCode] = await Promise.all([readAll(child.stdout), readAll(child.stderr), exit]);
  return { exitCode, prints: readWords(output), errors };
}

function writeExamples(examples: readonly Example[], directory: string): void {
  for (const [index, { code }] of examples.entries()) {
    // `export {}`: an example without imports is a module too.
    writeFileSync(join(directory, `example-${index + 1}.ts`), `${code}\nexport {};\n`);
  }
}

// Node breaks a long object over lines; a README need not.
function readWords(text: string): string {
  return text.split(/\s+/).join(" ").trim();
}
