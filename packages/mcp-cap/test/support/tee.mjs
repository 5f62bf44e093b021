// Starts a program and writes down what goes in and out of it: `node tee.mjs LOG COMMAND ARGS…` makes LOG.in and LOG.out.
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";

const [log, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const [input, output] = ["in", "out"].map((end) => createWriteStream(`${log}.${end}`));
process.stdin.pipe(child.stdin);
process.stdin.pipe(input);
child.stdout.pipe(process.stdout);
child.stdout.pipe(output);
child.on("exit", (status) => {
  process.exitCode = status ?? 1;
  process.stdin.unpipe();
  process.stdin.destroy();
});
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal));
