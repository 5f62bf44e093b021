import type { ToolOutputLimits } from "@pod/tool-output-cap";
import { expectTypeOf } from "vitest";
import {
  type LoadManifestOptions,
  loadManifest,
  type Manifest,
  ManifestError,
  type ManifestErrorCode,
  type ManifestFault,
  type ManifestWarning,
  type ManifestWarningCode,
  type ParsedManifest,
  type ParseManifestOptions,
  parseManifest,
} from "../src/index.js";

expectTypeOf(parseManifest).toEqualTypeOf<(toml: string, options?: ParseManifestOptions) => ParsedManifest>();
expectTypeOf(loadManifest).toEqualTypeOf<(options: LoadManifestOptions) => Promise<ParsedManifest>>();
expectTypeOf<ParseManifestOptions>().toEqualTypeOf<{ readonly file?: string }>();
expectTypeOf<LoadManifestOptions>().toEqualTypeOf<{ readonly file: string }>();

expectTypeOf<ParsedManifest>().toEqualTypeOf<{
  readonly manifest: Manifest;
  readonly warnings: readonly ManifestWarning[];
}>();
expectTypeOf<Manifest>().toEqualTypeOf<{ readonly worker: { readonly toolOutput: ToolOutputLimits } }>();
expectTypeOf<ManifestWarning>().toEqualTypeOf<{
  readonly code: ManifestWarningCode;
  readonly path: string;
  readonly message: string;
  readonly nearest?: string;
}>();
expectTypeOf<ManifestWarningCode>().toEqualTypeOf<"unknown-key" | "near-miss" | "small-limit" | "large-limit">();

expectTypeOf<ManifestError>().toExtend<Error>();
expectTypeOf<ManifestError["code"]>().toEqualTypeOf<ManifestErrorCode>();
expectTypeOf<ManifestErrorCode>().toEqualTypeOf<
  "missing-file" | "unreadable-file" | "not-utf8" | "syntax" | "invalid-value"
>();
expectTypeOf<ManifestError["faults"]>().toEqualTypeOf<readonly ManifestFault[]>();
expectTypeOf<ManifestFault>().toEqualTypeOf<{
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
}>();

const error = new ManifestError("syntax", []);
// @ts-expect-error: what is returned is readonly.
error.code = "not-utf8";
// @ts-expect-error: a manifest's text is a string.
parseManifest(Buffer.from(""));
// @ts-expect-error: in one file there is a file.
loadManifest({});
