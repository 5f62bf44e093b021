import type { OutputLimit, ToolOutputLimits } from "@pod/tool-output-cap";
import { createFault, createWarning } from "./create-finding.js";
import { describeOverride, isPlain, joinPath, OVERRIDE_SOURCE, quoteProperty } from "./describe-override.js";
import { EXPECTED_KEEP, expectBudget, expectLimit } from "./expectations.js";
import { guessKeep, guessLimit, suggestBudget } from "./guess-meaning.js";
import type { Layer, StatedKeep, StatedLimit } from "./layer.js";
import { isKeep, isLimitNumber, isTurnNumber, type LimitUnit } from "./limit-values.js";
import type { ManifestWarning } from "./manifest.js";
import { ManifestError, type ManifestFault } from "./manifest-error.js";
import { joinNames, nearestName } from "./nearest-name.js";
import { completeOverrides, type OverrideNumbers } from "./override-numbers.js";
import { readOverrideEntry } from "./read-override-entry.js";

/**
 * Limits that code sets over those of the files; each part may be left out, and each part of a tool's entry too. They are
 * written as {@link ToolOutputLimits}: bytes beside tokens are their ceiling, four bytes a token where they are left out,
 * and never more. A bare number in `perTool` is bytes, and an error where anything in the overrides is in tokens.
 */
export interface ManifestOverrides extends Partial<Omit<ToolOutputLimits, "perTool">> {
  readonly perTool?: Readonly<Record<string, number | Partial<OutputLimit>>>;
}

/** Checks overrides as strictly as a file: faults are told together with those of the files. */
export function readOverrides(overrides: object): Layer {
  const faults: ManifestFault[] = [];
  const warnings: ManifestWarning[] = [];
  const tools: StatedLimit[] = [];
  const bareNumbers: StatedLimit[] = [];
  const numbers: { -readonly [Key in keyof OverrideNumbers]: number } = {};
  let namesTokens = false;
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
    else if (key === "defaultMaxBytes" || key === "defaultMaxTokens") {
      const unit = unitOfKey(key);
      namesTokens ||= unit === "tokens";
      if (isLimitNumber(value)) numbers[key] = value;
      else addFault(path, value, expectLimit(unit), `${key}: ${guessLimit(value, unit)}`);
    } else if (key === "turnMaxBytes" || key === "turnMaxTokens") {
      const unit = unitOfKey(key);
      namesTokens ||= unit === "tokens";
      if (isTurnNumber(value, unit)) numbers[key] = value;
      else
        addFault(
          path,
          value,
          expectBudget(unit),
          suggestBudget(value, unit, (count) => `${key}: ${count}`),
        );
    } else if (key === "keep") {
      // Whoever writes a number means how much, not which part.
      const remedy = isLimitNumber(value) ? `defaultMaxBytes: ${value}` : `${key}: "${guessKeep(value)}"`;
      if (isKeep(value)) keep = { keep: value, path };
      else addFault(path, value, EXPECTED_KEEP, remedy);
    } else if (isPlain(value)) {
      for (const [toolName, entry] of Object.entries(value)) {
        const read = readOverrideEntry(toolName, entry, joinPath(path, toolName));
        if ("faults" in read) {
          faults.push(...read.faults);
          namesTokens ||= isPlain(entry) && Object.hasOwn(entry, "maxTokens");
        } else {
          tools.push(read);
          namesTokens ||= read.maxTokens !== undefined;
          if (typeof entry === "number") bareNumbers.push(read);
        }
      }
    } else addFault(path, value, "an object of limits by tool name", "perTool: {}");
  }
  if (namesTokens) faults.push(...bareNumbers.map(createBareFault));
  const error = faults.length === 0 ? undefined : new ManifestError("invalid-value", faults);
  const { limits, budget } = completeOverrides(numbers);
  return { ...OVERRIDE_SOURCE, limits: [...limits, ...tools], budget, keep, warnings, error };
}

const KNOWN_KEYS = ["defaultMaxBytes", "defaultMaxTokens", "turnMaxBytes", "turnMaxTokens", "keep", "perTool"] as const;

function isKnown(key: string): key is (typeof KNOWN_KEYS)[number] {
  return KNOWN_KEYS.some((name) => name === key);
}

function unitOfKey(key: keyof OverrideNumbers): LimitUnit {
  return key.endsWith("Tokens") ? "tokens" : "bytes";
}

/** A file's bare number would be in tokens here, and one of `ToolOutputLimits` in bytes: nobody can tell which is meant. */
function createBareFault({ toolName = "", path, maxBytes }: StatedLimit): ManifestFault {
  const expected = "an object with maxTokens or maxBytes, since these overrides name tokens";
  const remedy = `${quoteProperty(toolName)}: { maxTokens: ${maxBytes} }`;
  const details = { path, expected, received: String(maxBytes), remedy };
  return createFault(OVERRIDE_SOURCE, "invalid-value", details);
}

function createUnknownKey(path: string, key: string): ManifestWarning {
  const name = nearestName(key, ["perTool", ...KNOWN_KEYS]);
  const received = "an unknown key, which is ignored";
  const details = { path, expected: joinNames(KNOWN_KEYS), received, remedy: name };
  return createWarning(OVERRIDE_SOURCE, "unknown-key", details, joinPath("overrides", name));
}
