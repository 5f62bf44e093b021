import type { Keep, OutputLimit, ToolOutputLimits } from "@pod/tool-output-cap";
import { expectTypeOf } from "vitest";
import {
  type Environment,
  type KeepOrigin,
  type KeepSource,
  type LimitLayer,
  type LimitOrigin,
  type LimitOrigins,
  type LimitSource,
  type LoadManifestOptions,
  loadManifest,
  type Manifest,
  ManifestError,
  type ManifestErrorCode,
  type ManifestFault,
  type ManifestOverrides,
  type ManifestWarning,
  type ManifestWarningCode,
  type ParsedManifest,
  type ParseManifestOptions,
  parseManifest,
} from "../src/index.js";

expectTypeOf(parseManifest).toEqualTypeOf<(toml: string, options?: ParseManifestOptions) => ParsedManifest>();
expectTypeOf(loadManifest).toEqualTypeOf<(options?: LoadManifestOptions) => Promise<ParsedManifest>>();
expectTypeOf<ParseManifestOptions>().toEqualTypeOf<{ readonly file?: string }>();
expectTypeOf<LoadManifestOptions>().toEqualTypeOf<{
  readonly cwd?: string;
  readonly file?: string;
  readonly overrides?: ManifestOverrides;
  readonly ceiling?: number;
  readonly env?: Environment;
}>();
expectTypeOf<Partial<ToolOutputLimits>>().toExtend<ManifestOverrides>();
expectTypeOf<ManifestOverrides>().toEqualTypeOf<{
  readonly defaultMaxBytes?: number;
  readonly defaultMaxTokens?: number;
  readonly turnMaxBytes?: number;
  readonly turnMaxTokens?: number;
  readonly keep?: Keep;
  readonly perTool?: Readonly<Record<string, number | Partial<OutputLimit>>>;
}>();
expectTypeOf(process.env).toExtend<Environment>();

expectTypeOf<ParsedManifest>().toEqualTypeOf<{
  readonly manifest: Manifest;
  readonly warnings: readonly ManifestWarning[];
  readonly origins: LimitOrigins;
}>();
expectTypeOf<LimitOrigins>().toEqualTypeOf<{
  readonly default: LimitOrigin;
  readonly keep?: KeepOrigin;
  readonly turn?: LimitOrigin;
  readonly perTool: Readonly<Record<string, LimitOrigin>>;
}>();
expectTypeOf<LimitLayer>().toEqualTypeOf<"built-in" | "user" | "project" | "override">();
expectTypeOf<LimitSource>().toEqualTypeOf<{
  readonly layer: LimitLayer;
  readonly file?: string;
  readonly line?: number;
  readonly maxBytes?: number;
  readonly maxTokens?: number;
  readonly keep?: Keep;
}>();
expectTypeOf<KeepSource>().toEqualTypeOf<{
  readonly layer: LimitLayer;
  readonly file?: string;
  readonly line?: number;
  readonly keep: Keep;
}>();
expectTypeOf<KeepOrigin>().toExtend<KeepSource>();
expectTypeOf<KeepOrigin["overruled"]>().toEqualTypeOf<readonly KeepSource[]>();
expectTypeOf<LimitOrigin>().toExtend<LimitSource>();
expectTypeOf<LimitOrigin["maxBytes"]>().toEqualTypeOf<number>();
expectTypeOf<LimitOrigin["maxBytesIsDefault"]>().toEqualTypeOf<true | undefined>();
expectTypeOf<LimitOrigin["overruled"]>().toEqualTypeOf<readonly LimitSource[]>();
expectTypeOf<LimitOrigin["loweredFrom"]>().toEqualTypeOf<number | undefined>();
expectTypeOf<Manifest>().toEqualTypeOf<{ readonly worker: { readonly toolOutput: ToolOutputLimits } }>();
expectTypeOf<ManifestWarning>().toEqualTypeOf<{
  readonly code: ManifestWarningCode;
  readonly path: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly nearest?: string;
}>();
expectTypeOf<ManifestWarningCode>().toEqualTypeOf<
  "unknown-key" | "near-miss" | "small-limit" | "large-limit" | "above-ceiling" | "limit-above-budget"
>();

expectTypeOf<ManifestError>().toExtend<Error>();
expectTypeOf<ManifestError["code"]>().toEqualTypeOf<ManifestErrorCode>();
expectTypeOf<ManifestErrorCode>().toEqualTypeOf<
  "missing-file" | "unreadable-file" | "irregular-file" | "too-large" | "not-utf8" | "syntax" | "invalid-value"
>();
expectTypeOf<ManifestError["faults"]>().toEqualTypeOf<readonly ManifestFault[]>();
expectTypeOf<ManifestFault>().toEqualTypeOf<{
  readonly code: ManifestErrorCode;
  readonly message: string;
  readonly path?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}>();

const error = new ManifestError("syntax", []);
// @ts-expect-error: what is returned is readonly.
error.code = "not-utf8";
// @ts-expect-error: a manifest's text is a string.
parseManifest(Buffer.from(""));
// @ts-expect-error: overrides are written in camelCase.
loadManifest({ overrides: { default_max_bytes: 8192 } });
