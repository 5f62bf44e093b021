import type { TomlTable } from "smol-toml";
import { formatFinding } from "./format-finding.js";
import type { Manifest, ManifestWarning, ManifestWarningCode } from "./manifest.js";
import { isNearMiss, nearestName } from "./nearest-name.js";
import { quoteKey, quotePath } from "./quote-text.js";
import { isTable } from "./read-toml.js";

const SECTION = "worker.tool_output";

// The marker with its newlines takes about 55 bytes; a mebibyte of paths is some 600,000 tokens.
const MIN_USUAL_BYTES = 128;
const MAX_USUAL_BYTES = 1_048_576;

/** What the reader of a valid manifest should be told. */
export function findWarnings(
  tables: TomlTable,
  manifest: Manifest,
  file: string | undefined,
): readonly ManifestWarning[] {
  const worker = isTable(tables.worker) ? tables.worker : {};
  const section = isTable(worker.tool_output) ? worker.tool_output : {};
  return [
    ...Object.keys(tables).flatMap((key) => findNearMiss([key], file)),
    ...Object.keys(worker).flatMap((key) => findNearMiss(["worker", key], file)),
    ...Object.keys(section).flatMap((key) => findUnknownKey(key, file)),
    ...findUnusualLimits(manifest, file),
  ];
}

function findNearMiss(keys: readonly string[], file: string | undefined): ManifestWarning[] {
  const path = quotePath(keys);
  if (path === "worker" || path === SECTION) return [];
  const key = keys.at(-1) ?? "";
  const isNearWorker = keys.length === 1 && isNearMiss(key, "worker");
  if (!isNearWorker && !isNearMiss(key, "tool_output") && !isNearMiss(key, SECTION)) return [];
  const nearest = isNearWorker ? "worker" : SECTION;
  const received = "a key that is nearly the same, and is ignored";
  return [
    createWarning({ code: "near-miss", file, path, expected: nearest, received, remedy: `[${SECTION}]`, nearest }),
  ];
}

function findUnknownKey(key: string, file: string | undefined): ManifestWarning[] {
  if (key === "default_max_bytes" || key === "per_tool") return [];
  const name = nearestName(key, ["default_max_bytes", "per_tool"]);
  return [
    createWarning({
      code: "unknown-key",
      file,
      path: `${SECTION}.${quoteKey(key)}`,
      expected: "default_max_bytes or per_tool",
      received: "an unknown key, which is ignored",
      remedy: name,
      nearest: `${SECTION}.${name}`,
    }),
  ];
}

function findUnusualLimits(manifest: Manifest, file: string | undefined): ManifestWarning[] {
  const { defaultMaxBytes, perTool } = manifest.worker.toolOutput;
  return [
    ...findUnusualLimit("default_max_bytes", `${SECTION}.default_max_bytes`, defaultMaxBytes, file),
    ...Object.entries(perTool).flatMap(([name, limit]) => {
      const maxBytes = typeof limit === "number" ? limit : limit.maxBytes;
      return findUnusualLimit(quoteKey(name), `${SECTION}.per_tool.${quoteKey(name)}`, maxBytes, file);
    }),
  ];
}

function findUnusualLimit(key: string, path: string, maxBytes: number, file: string | undefined): ManifestWarning[] {
  const finding = { file, path, received: String(maxBytes) };
  if (maxBytes < MIN_USUAL_BYTES) {
    const expected = `at least ${MIN_USUAL_BYTES} bytes, since little more than the marker fits`;
    return [createWarning({ ...finding, code: "small-limit", expected, remedy: `${key} = ${MIN_USUAL_BYTES}` })];
  }
  if (maxBytes > MAX_USUAL_BYTES) {
    const expected = `at most ${MAX_USUAL_BYTES} bytes, since a model reads no more`;
    return [createWarning({ ...finding, code: "large-limit", expected, remedy: `${key} = ${MAX_USUAL_BYTES}` })];
  }
  return [];
}

function createWarning(warning: {
  readonly code: ManifestWarningCode;
  readonly file: string | undefined;
  readonly path: string;
  readonly expected: string;
  readonly received: string;
  readonly remedy: string;
  readonly nearest?: string;
}): ManifestWarning {
  const { code, path, nearest } = warning;
  const message = formatFinding({ severity: "warning", ...warning });
  return nearest === undefined ? { code, path, message } : { code, path, message, nearest };
}
