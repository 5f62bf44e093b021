import type { TomlTable } from "smol-toml";
import type { LimitUnit } from "./limit-values.js";

/** The unit of a file's bare numbers: tokens where a key of its section names them, else bytes. */
export function readFileUnit(section: TomlTable): LimitUnit {
  return Object.hasOwn(section, "default_max_tokens") || Object.hasOwn(section, "turn_max_tokens") ? "tokens" : "bytes";
}
