import type { ToolOutputLimits } from "@pod/tool-output-cap";
import { describeArgument } from "./check-options.js";
import { createFault, createWarning } from "./create-finding.js";
import { EXPECTED_BUDGET, EXPECTED_LIMIT, guessLimit, suggestBudget } from "./find-faults.js";
import type { Layer, LayerSource, StatedBudget, StatedLimit } from "./layer.js";
import type { ManifestWarning } from "./manifest.js";
import { ManifestError, type ManifestFault } from "./manifest-error.js";
import { joinNames, nearestName } from "./nearest-name.js";
import { quoteText } from "./quote-text.js";
import { isMaxBytes, isTurnMaxBytes } from "./schema.js";

/** Limits that code sets over those of the files; either part may be left out. */
export type ManifestOverrides = Partial<ToolOutputLimits>;

const SOURCE: LayerSource = { layer: "override", shownFile: "<code>" };

/** Checks overrides as strictly as a file: faults are told together with those of the files. */
export function readOverrides(overrides: object): Layer {
  const faults: ManifestFault[] = [];
  const warnings: ManifestWarning[] = [];
  const limits: StatedLimit[] = [];
  let budget: StatedBudget | undefined;
  const addLimit = (toolName: string | undefined, path: string, key: string, value: unknown) => {
    const assign = (maxBytes: number) => `${quoteProperty(key)}: ${maxBytes}`;
    if (isMaxBytes(value)) limits.push({ toolName, maxBytes: value, path, assign });
    else faults.push(createLimitFault(path, value, assign(guessLimit(value))));
  };

  for (const [key, value] of Object.entries(overrides)) {
    const path = joinPath("overrides", key);
    if (key === "defaultMaxBytes") {
      if (value !== undefined) addLimit(undefined, path, key, value);
    } else if (key === "turnMaxBytes") {
      if (isTurnMaxBytes(value))
        budget = { maxBytes: value, path, assignDefault: (bytes) => `defaultMaxBytes: ${bytes}` };
      else if (value !== undefined) faults.push(createBudgetFault(path, value));
    } else if (key !== "perTool") {
      warnings.push(createUnknownKey(path, key, "overrides", ["defaultMaxBytes", "turnMaxBytes", "perTool"]));
    } else if (isPlain(value)) {
      for (const [toolName, limit] of Object.entries(value)) {
        const toolPath = joinPath(path, toolName);
        const maxBytes = readEntry(limit, toolPath, warnings);
        addLimit(toolName, toolPath, toolName, maxBytes);
      }
    } else if (value !== undefined) {
      const received = describe(value);
      const details = { path, expected: "an object of limits by tool name", received, remedy: "perTool: {}" };
      faults.push(createFault(SOURCE, "invalid-value", details));
    }
  }
  const error = faults.length === 0 ? undefined : new ManifestError("invalid-value", faults);
  return { ...SOURCE, limits, budget, warnings, error };
}

/** The bytes of an entry: a number, or an object with `maxBytes`, which other code's limits may be. */
function readEntry(entry: unknown, path: string, warnings: ManifestWarning[]): unknown {
  if (!isPlain(entry) || !Object.hasOwn(entry, "maxBytes")) return entry;
  const { maxBytes, ...others } = { maxBytes: undefined, ...entry };
  for (const key of Object.keys(others)) {
    warnings.push(createUnknownKey(joinPath(path, key), key, path, ["maxBytes"]));
  }
  return maxBytes;
}

function createLimitFault(path: string, value: unknown, remedy: string): ManifestFault {
  return createFault(SOURCE, "invalid-value", { path, expected: EXPECTED_LIMIT, received: describe(value), remedy });
}

function createBudgetFault(path: string, value: unknown): ManifestFault {
  const remedy = suggestBudget(value, (maxBytes) => `turnMaxBytes: ${maxBytes}`);
  return createFault(SOURCE, "invalid-value", { path, expected: EXPECTED_BUDGET, received: describe(value), remedy });
}

function createUnknownKey(
  path: string,
  key: string,
  parent: string,
  known: readonly [string, ...string[]],
): ManifestWarning {
  const name = nearestName(key, known);
  const received = "an unknown key, which is ignored";
  return createWarning(
    SOURCE,
    "unknown-key",
    { path, expected: joinNames(known), received, remedy: name },
    joinPath(parent, name),
  );
}

// A Map or an array has no own property by a tool's name: it would silently mean "no limits".
function isPlain(value: unknown): value is object {
  return Object.prototype.toString.call(value) === "[object Object]";
}

function describe(value: unknown): string {
  if (typeof value === "string") return quoteText(value);
  return typeof value === "bigint" ? `${describeArgument(value)}n` : describeArgument(value);
}

function joinPath(parent: string, key: string): string {
  return isIdentifier(key) ? `${parent}.${key}` : `${parent}[${quoteText(key)}]`;
}

function quoteProperty(key: string): string {
  return isIdentifier(key) ? key : quoteText(key);
}

function isIdentifier(key: string): boolean {
  return /^[A-Za-z_$][\w$]{0,79}$/.test(key);
}
