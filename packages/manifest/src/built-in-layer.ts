import { DEFAULT_TOOL_OUTPUT_LIMITS } from "@pod/tool-output-cap";
import type { Layer } from "./layer.js";

/** The lowest layer: the defaults, as a layer like any other. */
export const BUILT_IN_LAYER: Layer = {
  layer: "built-in",
  shownFile: "<built-in>",
  limits: [
    {
      toolName: undefined,
      maxBytes: DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes,
      path: "worker.tool_output.default_max_bytes",
      assign: (maxBytes) => `default_max_bytes = ${maxBytes}`,
    },
  ],
  warnings: [],
};
