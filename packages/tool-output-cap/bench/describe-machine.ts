import { cpus, loadavg, totalmem } from "node:os";

/** The machine, as far as it explains the figures. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB of memory`;
  return `Node ${process.versions.node}, V8 ${process.versions.v8}, ${process.platform} ${process.arch}, ${cpus().length} x ${cpu?.model}, ${memory}`;
}

/** Processes that wanted to run, on average: of the last minute, of five, of fifteen. */
export function describeLoad(): string {
  return loadavg()
    .map((average) => average.toFixed(2))
    .join(", ");
}
