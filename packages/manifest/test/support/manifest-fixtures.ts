const NESTED = "nested tables, which dots outside quotes make";
const OTHER = (name: string) => `nothing else there; a tool's name with a dot is quoted, as in ${name}`;
const NO_BUDGET = "32768, or leave it out for no budget";

/** What no limit may be: as TOML writes it, as an error shows it, and the limit that the error says to write. */
export const BAD_LIMITS: readonly (readonly [literal: string, received: string, remedy: number])[] = [
  ["0", "0", 16384],
  ["-0", "0", 16384],
  ["-1", "-1", 16384],
  ["1.5", "1.5", 16384],
  ["16384.0", "16384.0", 16384],
  ["8192.0", "8192.0", 8192],
  ["1e3", "1000.0", 1000],
  ["-0.0", "-0.0", 16384],
  ["1e300", "1e+300", 16384],
  ["nan", "nan", 16384],
  ["-nan", "nan", 16384],
  ["inf", "inf", 16384],
  ["+inf", "inf", 16384],
  ["-inf", "-inf", 16384],
  ["2147483648", "2147483648", 16384],
  ["9223372036854775807", "9223372036854775807", 16384],
  ["9".repeat(400), `${"9".repeat(79)}…`, 16384],
  ["0xffffffffffffffffffff", "1208925819614629174706175", 16384],
  ['"16384"', '"16384"', 16384],
  ['"32k"', '"32k"', 32768],
  ["'32 KiB'", '"32 KiB"', 32768],
  ['"1MB"', '"1MB"', 1048576],
  ['"a\\nb\\"c\\\\"', '"a\\u000Ab\\"c\\\\"', 16384],
  ['""', '""', 16384],
  ["true", "true", 16384],
  ["false", "false", 16384],
  ["[16384]", "an array", 16384],
  ["[]", "an array", 16384],
  ["2026-11-30", "a date", 16384],
  ["2026-11-30T13:00:00Z", "a date", 16384],
  ["07:32:00", "a date", 16384],
  ["{}", "a table", 16384],
];

/** What no default limit may be. */
export const BAD_DEFAULTS: typeof BAD_LIMITS = [
  ...BAD_LIMITS,
  ["{ max_bytes = 8192, keep = 'tail' }", "a table", 8192],
];

const LIMIT = "an integer from 1 to 2147483647 (bytes)";
const KEEP = '"head", "tail" or "ends"';
const NEAR = "a key that is nearly the same";

/** One fault: its column and key, what is expected, what is received, and what the error says to write. */
type EntryFault = readonly [column: number, key: string, expected: string, received: string, remedy: string];

/** What the table of a tool named Bash may not be, with the faults that it has. */
export const BAD_ENTRIES: readonly (readonly [literal: string, ...faults: readonly EntryFault[]])[] = [
  ["{ max_bytes = 0 }", [22, "Bash.max_bytes", LIMIT, "0", "max_bytes = 16384"]],
  ["{ max_bytes = '8k' }", [22, "Bash.max_bytes", LIMIT, '"8k"', "max_bytes = 8192"]],
  ["{ max_bytes = [1] }", [22, "Bash.max_bytes", LIMIT, "an array", "max_bytes = 16384"]],
  ["{ max_bytes = 8192.0, keep = 'tail' }", [22, "Bash.max_bytes", LIMIT, "8192.0", "max_bytes = 8192"]],
  ["{ max_bytes = 5, keep = {} }", [32, "Bash.keep", KEEP, "a table", 'keep = "tail"']],
  ["{ keep = 'Tail' }", [17, "Bash.keep", KEEP, '"Tail"', 'keep = "tail"']],
  ["{ keep = 'end' }", [17, "Bash.keep", KEEP, '"end"', 'keep = "tail"']],
  ["{ keep = 'start' }", [17, "Bash.keep", KEEP, '"start"', 'keep = "head"']],
  ["{ keep = 'edns' }", [17, "Bash.keep", KEEP, '"edns"', 'keep = "ends"']],
  ["{ keep = '' }", [17, "Bash.keep", KEEP, '""', 'keep = "tail"']],
  ["{ keep = true }", [17, "Bash.keep", KEEP, "true", 'keep = "tail"']],
  ["{ keep = 8192 }", [17, "Bash.keep", KEEP, "8192", "max_bytes = 8192"]],
  ["{ keep = 0 }", [17, "Bash.keep", KEEP, "0", 'keep = "tail"']],
  ["{ keep = ['tail'] }", [17, "Bash.keep", KEEP, "an array", 'keep = "tail"']],
  ["{ keep = 2026-11-30 }", [17, "Bash.keep", KEEP, "a date", 'keep = "tail"']],
  [
    "{ keep = 1, max_bytes = 'x' }",
    [17, "Bash.keep", KEEP, "1", "max_bytes = 1"],
    [32, "Bash.max_bytes", LIMIT, '"x"', "max_bytes = 16384"],
  ],
  ["{ maxbytes = 8192 }", [10, "Bash.maxbytes", "max_bytes", NEAR, "max_bytes = 8192"]],
  ["{ max_byte = '8k' }", [10, "Bash.max_byte", "max_bytes", NEAR, "max_bytes = 8192"]],
  ["{ max-bytes = 0 }", [10, "Bash.max-bytes", "max_bytes", NEAR, "max_bytes = 16384"]],
  ["{ maxBytes = 9, keep = 'tail' }", [10, "Bash.maxBytes", "max_bytes", NEAR, "max_bytes = 9"]],
  ["{ keeps = 'tail' }", [10, "Bash.keeps", "keep", NEAR, 'keep = "tail"']],
  ["{ Keep = 'ends', max_bytes = 9 }", [10, "Bash.Keep", "keep", NEAR, 'keep = "ends"']],
  [
    "{ max_bytes = 9, 'a.b' = 5 }",
    [25, 'Bash."a.b"', "max_bytes, max_tokens or keep", "an unknown key", OTHER('"Bash.a.b"')],
  ],
  [
    "{ keep = 'tail', __proto__ = 5 }",
    [25, "Bash.__proto__", "max_bytes, max_tokens or keep", "an unknown key", OTHER('"Bash.__proto__"')],
  ],
  ["{ max_bytes = 9, more.of = 5 }", [25, "Bash.more.of", "a tool's name in quotes", NESTED, '"Bash.more.of" = 5']],
  ["'tail'", [8, "Bash", LIMIT, '"tail"', 'Bash = { keep = "tail" }']],
];

/** What `keep` may not be for all tools: as TOML writes it, as an error shows it, and what the error says to write. */
export const BAD_KEEPS: readonly (readonly [literal: string, received: string, remedy: string])[] = [
  ["'Head'", '"Head"', 'keep = "head"'],
  ["'both'", '"both"', 'keep = "ends"'],
  ["'middle'", '"middle"', 'keep = "tail"'],
  ["8192", "8192", "default_max_bytes = 8192"],
  ["false", "false", 'keep = "tail"'],
  ["[]", "an array", 'keep = "tail"'],
  ["{ Bash = 'tail' }", "a table", 'keep = "tail"'],
];

/** What no turn budget may be, and what is no limit either: as TOML writes it, as an error shows it, and what it says to write. */
export const BAD_BUDGETS: readonly (readonly [literal: string, received: string, remedy: string])[] = [
  ["1", "1", "1024"],
  ["1023", "1023", "1024"],
  ["0x3ff", "1023", "1024"],
  ['"20k"', '"20k"', "20480"],
  ["36000.0", "36000.0", "36000"],
  ["0", "0", NO_BUDGET],
  ["-1024", "-1024", NO_BUDGET],
  ["1024.5", "1024.5", NO_BUDGET],
  ["2147483648", "2147483648", NO_BUDGET],
  ["inf", "inf", NO_BUDGET],
  ["nan", "nan", NO_BUDGET],
  ["false", "false", NO_BUDGET],
  ['"off"', '"off"', NO_BUDGET],
  ["[2048]", "an array", NO_BUDGET],
  ["2026-11-30", "a date", NO_BUDGET],
  ["{ max_bytes = 2048 }", "a table", NO_BUDGET],
];

const TOKENS = "an integer from 1 to 2147483647 (tokens)";
const TURN_TOKENS = "an integer from 256 to 2147483647 (tokens)";
const IN_TOKENS = "tokens, the unit of default_max_tokens on line 2";
const IN_BYTES = "bytes, the unit of default_max_bytes on line 2";
const OTHER_BYTES = "bytes in the same file";
const OTHER_TOKENS = "tokens in the same file";
const BARE = "default_max_tokens = 5000 before per_tool, where its numbers are tokens";

/** Lines of `worker.tool_output` from the second on that no limit in tokens, or beside one, may be; each fault at its place. */
export const BAD_TOKENS: readonly (readonly [
  lines: string,
  ...faults: (readonly [place: string, key: string, expected: string, received: string, remedy: string])[],
])[] = [
  ["default_max_tokens = 0", ["2:22", "default_max_tokens", TOKENS, "0", "default_max_tokens = 5000"]],
  ["default_max_tokens = '5k'", ["2:22", "default_max_tokens", TOKENS, '"5k"', "default_max_tokens = 5000"]],
  ["default_max_tokens = 8000.0", ["2:22", "default_max_tokens", TOKENS, "8000.0", "default_max_tokens = 8000"]],
  [
    "default_max_tokens = 2147483648",
    ["2:22", "default_max_tokens", TOKENS, "2147483648", "default_max_tokens = 5000"],
  ],
  [
    "default_max_tokens = { max_tokens = 9 }",
    ["2:22", "default_max_tokens", TOKENS, "a table", "default_max_tokens = 9"],
  ],
  ["turn_max_tokens = 255", ["2:19", "turn_max_tokens", TURN_TOKENS, "255", "turn_max_tokens = 256"]],
  [
    "turn_max_tokens = '12k tokens'",
    ["2:19", "turn_max_tokens", TURN_TOKENS, '"12k tokens"', "turn_max_tokens = 12000"],
  ],
  [
    "turn_max_tokens = inf",
    ["2:19", "turn_max_tokens", TURN_TOKENS, "inf", "turn_max_tokens = 10000, or leave it out for no budget"],
  ],
  [
    "default_max_tokens = 5000\nkeep = 8000\nper_tool = { Read = '8k', Bash = { keep = 9 }, Grep = nan }",
    ["3:8", "keep", KEEP, "8000", "default_max_tokens = 8000"],
    ["4:21", "per_tool.Read", TOKENS, '"8k"', "Read = 8000"],
    ["4:43", "per_tool.Bash.keep", KEEP, "9", "max_tokens = 9"],
    ["4:55", "per_tool.Grep", TOKENS, "nan", "Grep = 5000"],
  ],
  [
    "per_tool = { Bash = { max_tokens = 1.5, keep = 'tail' }, Read = { max_token = 9 }, a.b = { max_tokens = 9 } }",
    ["2:36", "per_tool.Bash.max_tokens", TOKENS, "1.5", "max_tokens = 5000"],
    ["2:67", "per_tool.Read.max_token", "max_tokens", NEAR, "max_tokens = 9"],
    ["2:84", "per_tool.a.b", "a tool's name in quotes", NESTED, '"a.b" = { max_tokens = 9 }'],
  ],
  [
    "default_max_tokens = 5000\ndefault_max_bytes = 16384",
    ["3:1", "default_max_bytes", IN_TOKENS, OTHER_BYTES, "nothing there, for default_max_tokens stands beside it"],
  ],
  [
    "default_max_tokens = 5000\nturn_max_bytes = 36000",
    ["3:1", "turn_max_bytes", IN_TOKENS, OTHER_BYTES, "turn_max_tokens = 9000"],
  ],
  [
    "default_max_tokens = 5000\nturn_max_bytes = '1k'\nper_tool.Read.max_bytes = 3\nper_tool.Bash = { max_bytes = '8k', keep = 'tail' }",
    ["3:1", "turn_max_bytes", IN_TOKENS, OTHER_BYTES, "turn_max_tokens = 256"],
    ["4:15", "per_tool.Read.max_bytes", IN_TOKENS, OTHER_BYTES, "max_tokens = 1"],
    ["5:19", "per_tool.Bash.max_bytes", IN_TOKENS, OTHER_BYTES, "max_tokens = 2048"],
  ],
  [
    "default_max_bytes = 16384\nper_tool = { Read = { max_tokens = 8000 }, Bash = { max_tokens = 2147483647, keep = 'tail' }, Glob = 500 }",
    ["3:23", "per_tool.Read.max_tokens", IN_BYTES, OTHER_TOKENS, "max_bytes = 32000"],
    ["3:53", "per_tool.Bash.max_tokens", IN_BYTES, OTHER_TOKENS, "max_bytes = 2147483647"],
  ],
  [
    "default_max_bytes = 16384\nturn_max_tokens = 5000",
    [
      "2:1",
      "default_max_bytes",
      "tokens, the unit of turn_max_tokens on line 3",
      OTHER_BYTES,
      "default_max_tokens = 4096",
    ],
  ],
  [
    "turn_max_bytes = 36000\nturn_max_tokens = 9000",
    [
      "2:1",
      "turn_max_bytes",
      "tokens, the unit of turn_max_tokens on line 3",
      OTHER_BYTES,
      "nothing there, for turn_max_tokens stands beside it",
    ],
  ],
  [
    "per_tool = { Read = { max_tokens = 8000 }, Grep = 3000 }",
    [
      "2:23",
      "per_tool.Read.max_tokens",
      "bytes, the unit of the bare number per_tool.Grep on line 2",
      OTHER_TOKENS,
      `max_bytes = 32000, or ${BARE}`,
    ],
  ],
  [
    "per_tool = { Read = { max_tokens = 8000 }, Grep = { max_bytes = 3000 } }",
    [
      "2:23",
      "per_tool.Read.max_tokens",
      "bytes, the unit of per_tool.Grep.max_bytes on line 2",
      OTHER_TOKENS,
      "max_bytes = 32000",
    ],
  ],
  [
    "per_tool = { Read = { max_bytes = 8000, max_tokens = 5000, keep = 'ends' } }",
    [
      "2:41",
      "per_tool.Read.max_tokens",
      "bytes, the unit of per_tool.Read.max_bytes on line 2",
      OTHER_TOKENS,
      "nothing there, for max_bytes stands beside it",
    ],
  ],
];

/** What is no table and must be: the text, the place of the fault, the key, what it is, and what the error says to write. */
export const NOT_TABLES = [
  ["worker = 5", "1:10", "worker", "an integer", "[worker.tool_output]"],
  ["worker = 2026-11-30", "1:10", "worker", "a date", "[worker.tool_output]"],
  ["worker = []", "1:10", "worker", "an array", "[worker.tool_output]"],
  ["[[worker]]", "1:1", "worker", "an array", "[worker.tool_output]"],
  ["[worker]\ntool_output = 16384", "2:15", "worker.tool_output", "an integer", "[worker.tool_output]"],
  ["[worker]\ntool_output = 07:32:00", "2:15", "worker.tool_output", "a date", "[worker.tool_output]"],
  ["[worker]\ntool_output = 1.5", "2:15", "worker.tool_output", "a float", "[worker.tool_output]"],
  ["[worker]\ntool_output = 'SECRET'", "2:15", "worker.tool_output", "a string", "[worker.tool_output]"],
  ["[[worker.tool_output]]", "1:1", "worker.tool_output", "an array", "[worker.tool_output]"],
  [
    "worker.tool_output.per_tool = true",
    "1:31",
    "worker.tool_output.per_tool",
    "a boolean",
    "[worker.tool_output.per_tool]",
  ],
  [
    "worker.tool_output.per_tool = []",
    "1:31",
    "worker.tool_output.per_tool",
    "an array",
    "[worker.tool_output.per_tool]",
  ],
  [
    "worker.tool_output.per_tool = 2026-11-30",
    "1:31",
    "worker.tool_output.per_tool",
    "a date",
    "[worker.tool_output.per_tool]",
  ],
] as const;

/** Manifests that are accepted without a warning. */
export const GOOD_MANIFESTS: readonly string[] = [
  "",
  "[worker]",
  "[worker.tool_output]",
  "[worker.tool_output.per_tool]",
  "[worker.tool_output]\ndefault_max_bytes = 8192",
  "[worker.tool_output]\ndefault_max_bytes = 0x80",
  "[worker.tool_output]\ndefault_max_bytes = 1_048_576",
  '[worker.tool_output.per_tool]\nRead = 32768\n"a.b/c" = 4096\nconstructor = 200\n__proto__ = 300\n"" = 500',
  "worker.tool_output.default_max_bytes = 8192",
  "[worker.tool_output]\nturn_max_bytes = 16384",
  "[worker.tool_output]\ndefault_max_bytes = 1024\nturn_max_bytes = 1_024",
  "worker.tool_output.turn_max_bytes = 2147483647",
  "[worker.tool_output]\nkeep = 'head'",
  "[worker.tool_output]\nkeep = 'tail'\nper_tool = { Bash = { keep = 'ends' }, keep = 200, max_bytes = 300 }",
  "[worker.tool_output.per_tool]\nBash = { max_bytes = 8192, keep = 'tail' }\nRead = { max_bytes = 8192 }",
  "[worker.tool_output.per_tool.Bash]\nmax_bytes = 8192\nkeep = 'tail'",
  "[worker.tool_output.per_tool]\n'a.b'.max_bytes = 8192\n'a.b'.keep = 'ends'",
  "[worker.tool_output]\ndefault_max_tokens = 5000",
  "[worker.tool_output]\ndefault_max_tokens = 5000\nturn_max_tokens = 8000\nper_tool = { Read = 8000, Bash = { keep = 'tail' } }",
  "[worker.tool_output]\nturn_max_tokens = 12000\nper_tool = { Read = 8000, Grep = 3000 }",
  "[worker.tool_output.per_tool]\nRead = { max_tokens = 8000, keep = 'tail' }\nBash = { keep = 'ends' }\nmax_tokens = { max_tokens = 500 }",
  'worker = { model = "m", tool_output = { per_tool = { Read = 200 } } }',
  '[models.fast]\nkey = "s"\nsince = 2026-11-30\n[[agents]]\nname = "a"\n[worker]\nmodel = "m"',
];

/** Manifests that have a fault. */
export const BAD_MANIFESTS: readonly string[] = [
  ...BAD_DEFAULTS.map(([literal]) => `[worker.tool_output]\ndefault_max_bytes = ${literal}`),
  ...BAD_LIMITS.map(([literal]) => `[worker.tool_output.per_tool]\nRead = ${literal}`),
  ...BAD_BUDGETS.map(([literal]) => `[worker.tool_output]\nturn_max_bytes = ${literal}`),
  ...BAD_KEEPS.map(([literal]) => `[worker.tool_output]\nkeep = ${literal}`),
  ...BAD_ENTRIES.map(([literal]) => `[worker.tool_output.per_tool]\nBash = ${literal}`),
  ...BAD_TOKENS.map(([lines]) => `[worker.tool_output]\n${lines}`),
  ...NOT_TABLES.map(([toml]) => toml),
  "[worker.tool_output.per_tool]\nmcp.srv.Read = 5",
  "[worker.tool_output.per_tool.Read]\nmax = 5",
];
