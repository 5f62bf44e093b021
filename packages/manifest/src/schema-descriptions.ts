/** What an editor shows of a key, by the JSON Schema that is made of this one. */
export const DESCRIPTIONS = {
  file: { title: "pod.toml", description: "What Pod reads of a project. Sections that are not Pod's are left alone." },
  worker: { title: "worker", description: "Settings of the worker." },
  toolOutput: {
    title: "worker.tool_output",
    description: "How large a tool's output may be before it enters the model's history.",
    // Here only: to the parser an unknown key is a warning, and an editor has nothing weaker than to flag it.
    additionalProperties: false,
  },
  defaultMaxBytes: {
    title: "default_max_bytes",
    description: "The limit of every tool that per_tool does not name, in UTF-8 bytes, marker included.",
  },
  defaultMaxTokens: {
    title: "default_max_tokens",
    description:
      "The limit of every tool that per_tool does not name, in tokens, marker included, and never above 4 bytes a token. The numbers of per_tool are then tokens too. 5000 is a good one to begin with.",
  },
  turnMaxBytes: {
    title: "turn_max_bytes",
    description:
      "The turn budget: what the model receives of all calls of one turn together, in UTF-8 bytes. Left out, nothing but the tools' own limits bounds it.",
  },
  turnMaxTokens: {
    title: "turn_max_tokens",
    description:
      "The turn budget in tokens, never above 4 bytes a token. The numbers of per_tool are then tokens too. Left out, nothing but the tools' own limits bounds a turn.",
  },
  keep: {
    title: "keep",
    description:
      "What stays of an output that is cut: its head, its tail, or both ends. For every tool whose entry in per_tool does not say.",
    default: "head",
  },
  perTool: {
    title: "per_tool",
    description: "Limits of single tools by their registered names. A name with dots or slashes is written in quotes.",
  },
  entry: {
    title: "limit of one tool",
    description:
      "The limit, marker included: tokens where the file sets default_max_tokens or turn_max_tokens, else UTF-8 bytes. Or a table of max_bytes or max_tokens, and keep, of which either part may be left out.",
  },
  entryTable: { minProperties: 1 },
  entryMaxBytes: { title: "max_bytes", description: "UTF-8 bytes, marker included. Left out, the default limit." },
  entryMaxTokens: {
    title: "max_tokens",
    description: "Tokens, marker included, and never above 4 bytes a token. Left out, the default limit.",
  },
  entryKeep: { title: "keep", description: "What stays of an output that is cut: its head, its tail, or both ends." },
} as const;
