import { resolve } from "node:path";
import type { Environment } from "./find-manifest-files.js";
import { isLimitNumber, MAX_LIMIT } from "./limit-values.js";
import { escapeUnprintable } from "./quote-text.js";

/** The option `file` of a public function, or a TypeError that names what is wrong with it. */
export function checkFile(options: unknown): string | undefined {
  return checkPath(checkOptions(options).file, "file", '"pod.toml"');
}

/** The options of `loadManifest` as they were found right, each read once. */
export interface CheckedLoadOptions {
  readonly file: string | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly overrides: object | undefined;
  readonly ceiling: number | undefined;
  readonly env: Environment;
}

/** The options of `loadManifest`, or a TypeError or RangeError that names what is wrong with one. */
export function checkLoadOptions(options: unknown): CheckedLoadOptions {
  const { file, cwd, overrides, ceiling, env } = checkOptions(options);
  return {
    file: checkPath(file, "file", '"pod.toml"'),
    cwd: resolve(checkPath(cwd, "cwd", "process.cwd()") ?? ""),
    overrides: checkObject(overrides, "overrides", "{ defaultMaxBytes: 8192 }"),
    ceiling: checkCeiling(ceiling),
    env: checkEnvironment(env),
  };
}

/** A wrong argument as an error shows it: at most 80 characters, and objects by kind, since they may hold a manifest. */
export function describeArgument(value: unknown): string {
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return "an object";
  return escapeUnprintable(String(value).slice(0, 80));
}

function checkOptions(options: unknown): Readonly<Record<string, unknown>> {
  const checked = checkObject(options, "options", '{ file: "pod.toml" }');
  if (checked !== undefined) return { ...checked };
  throw new TypeError('options: expected an object, received undefined. Write: { file: "pod.toml" }');
}

function checkPath(value: unknown, name: string, example: string): string | undefined {
  if (value === undefined || (typeof value === "string" && value !== "")) return value;
  throw new TypeError(`${name}: expected a path, received ${describeArgument(value)}. Write: { ${name}: ${example} }`);
}

function checkObject(value: unknown, name: string, example: string): object | undefined {
  if (value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value))) return value;
  throw new TypeError(`${name}: expected an object, received ${describeArgument(value)}. Write: ${example}`);
}

function checkCeiling(value: unknown): number | undefined {
  if (value === undefined || isLimitNumber(value)) return value;
  throw new RangeError(
    `ceiling: expected an integer from 1 to ${MAX_LIMIT} (bytes), received ${describeArgument(value)}. Write: { ceiling: 65536 }`,
  );
}

function checkEnvironment(value: unknown): Environment {
  const env: object = checkObject(value, "env", "{ env: process.env }") ?? process.env;
  return Object.fromEntries(Object.entries(env).filter(([, text]) => typeof text === "string"));
}
