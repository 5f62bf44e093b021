import type { OutputLimit, ToolOutputLimits } from "@pod/tool-output-cap";
import { createFault, createWarning } from "./create-finding.js";
import { describeOverride, isPlain, joinPath, OVERRIDE_SOURCE } from "./describe-override.js";
import { EXPECTED_BUDGET, EXPECTED_KEEP, EXPECTED_LIMIT } from "./expectations.js";
import { guessKeep, guessLimit, suggestBudget } from "./guess-meaning.js";
import type { Layer, StatedBudget, StatedKeep, StatedLimit } from "./layer.js";
import { isKeep, isMaxBytes, isTurnMaxBytes } from "./limit-values.js";
import type { ManifestWarning } from "./manifest.js";
import { ManifestError, type ManifestFault } from "./manifest-error.js";
import { joinNames, nearestName } from "./nearest-name.js";
import { readOverrideEntry } from "./read-override-entry.js";

/** Limits that code sets over those of the files; each part may be left out, and each part of a tool's entry too. */
export interface ManifestOverrides extends Partial<Omit<ToolOutputLimits, "perTool">> {
  readonly perTool?: Readonly<Record<string, number | Partial<OutputLimit>>>;
}

/** Checks overrides as strictly as a file: faults are told together with those of the files. */
export function readOverrides(overrides: object): Layer {
  const faults: ManifestFault[] = [];
  const warnings: ManifestWarning[] = [];
  const limits: StatedLimit[] = [];
  let budget: StatedBudget | undefined;
  let keep: StatedKeep | undefined;
  const addFault = (path: string, value: unknown, expected: string, remedy: string) => {
    const details = { path, expected, received: describeOverride(value), remedy };
    faults.push(createFault(OVERRIDE_SOURCE, "invalid-value", details));
  };

  for (const [key, value] of Object.entries(overrides)) {
    const path = joinPath("overrides", key);
    if (!isKnown(key)) warnings.push(createUnknownKey(path, key));
    // As if it were left out.
    else if (value === undefined) continue;
    else if (key === "defaultMaxBytes") {
      const assign = (maxBytes: number) => `${key}: ${maxBytes}`;
      if (isMaxBytes(value)) limits.push({ toolName: undefined, maxBytes: value, path, assign });
      else addFault(path, value, EXPECTED_LIMIT, assign(guessLimit(value)));
    } else if (key === "turnMaxBytes") {
      const assign = (maxBytes: number) => `${key}: ${maxBytes}`;
      const assignDefault = (maxBytes: number) => `defaultMaxBytes: ${maxBytes}`;
      if (isTurnMaxBytes(value)) budget = { maxBytes: value, path, assignDefault };
      else addFault(path, value, EXPECTED_BUDGET, suggestBudget(value, assign));
    } else if (key === "keep") {
      // Whoever writes a number means how much, not which part.
      const remedy = isMaxBytes(value) ? `defaultMaxBytes: ${value}` : `${key}: "${guessKeep(value)}"`;
      if (isKeep(value)) keep = { keep: value, path };
      else addFault(path, value, EXPECTED_KEEP, remedy);
    } else if (isPlain(value)) {
      for (const [toolName, entry] of Object.entries(value)) {
        const read = readOverrideEntry(toolName, entry, joinPath(path, toolName));
        if ("faults" in read) faults.push(...read.faults);
        else limits.push(read);
      }
    } else addFault(path, value, "an object of limits by tool name", "perTool: {}");
  }
  const error = faults.length === 0 ? undefined : new ManifestError("invalid-value", faults);
  return { ...OVERRIDE_SOURCE, limits, budget, keep, warnings, error };
}

const KNOWN_KEYS = ["defaultMaxBytes", "turnMaxBytes", "keep", "perTool"] as const;

function isKnown(key: string): key is (typeof KNOWN_KEYS)[number] {
  return KNOWN_KEYS.some((name) => name === key);
}

function createUnknownKey(path: string, key: string): ManifestWarning {
  const name = nearestName(key, KNOWN_KEYS);
  const received = "an unknown key, which is ignored";
  const details = { path, expected: joinNames(KNOWN_KEYS), received, remedy: name };
  return createWarning(OVERRIDE_SOURCE, "unknown-key", details, joinPath("overrides", name));
}
