import type { Keep } from "@pod/tool-output-cap";
import type { Position } from "./locate-keys.js";
import type { LimitLayer, ManifestWarning } from "./manifest.js";
import type { ManifestError } from "./manifest-error.js";

/** Where the text of a layer is from. */
export interface LayerSource {
  readonly layer: LimitLayer;
  /** As faults, warnings and origins name it; absent where there is no file. */
  readonly file?: string | undefined;
  /** As messages name it: the file from where the user stands, or `<toml>`. */
  readonly shownFile: string;
}

/** One layer: what it says of limits, and what is wrong or odd in it. */
export interface Layer extends LayerSource {
  readonly limits: readonly StatedLimit[];
  /** The turn budget, where the layer sets one. */
  readonly budget?: StatedBudget | undefined;
  /** What a cut keeps, where the layer says it for all tools. */
  readonly keep?: StatedKeep | undefined;
  /** Of the keys; not of the limits. */
  readonly warnings: readonly ManifestWarning[];
  /** All faults of the layer. Its limits are then those that are right. */
  readonly error?: ManifestError | undefined;
}

/** Where a layer says something. */
interface Statement {
  /** The key as messages name it. */
  readonly path: string;
  readonly position?: Position | undefined;
}

/** A limit that one layer sets. */
export interface StatedLimit extends Statement {
  /** Undefined for the default. */
  readonly toolName: string | undefined;
  /** Undefined where a tool's entry has only `keep`: its limit is then the default one. */
  readonly maxBytes: number | undefined;
  /** Where the limit is in tokens; its bytes are then the ceiling. */
  readonly maxTokens?: number | undefined;
  readonly keep?: Keep | undefined;
  /** What to write in that place to set another limit in the same unit. */
  assign(count: number): string;
}

/** The turn budget that one layer sets. */
export interface StatedBudget extends Statement {
  readonly maxBytes: number;
  /** Where the budget is in tokens; its bytes are then the ceiling. */
  readonly maxTokens?: number | undefined;
  /** What to write beside it to set a default limit in the same unit. */
  assignDefault(count: number): string;
}

/** What one layer says that a cut keeps. */
export interface StatedKeep extends Statement {
  readonly keep: Keep;
}
