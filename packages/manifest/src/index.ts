export type { Environment } from "./find-manifest-files.js";
export { type LoadManifestOptions, loadManifest } from "./load-manifest.js";
export type {
  KeepOrigin,
  KeepSource,
  LimitLayer,
  LimitOrigin,
  LimitOrigins,
  LimitSource,
  Manifest,
  ManifestWarning,
  ManifestWarningCode,
  ParsedManifest,
} from "./manifest.js";
export { ManifestError, type ManifestErrorCode, type ManifestFault } from "./manifest-error.js";
export { type ParseManifestOptions, parseManifest } from "./parse-manifest.js";
export type { ManifestOverrides } from "./read-overrides.js";
