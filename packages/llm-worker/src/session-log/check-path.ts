import { FaultList } from "../invalid-options-error.js";

/**
 * The path of a log, as it was given.
 *
 * @throws InvalidOptionsError
 */
export function checkPath(file: unknown, faults: FaultList = new FaultList()): string {
  const isPath = typeof file === "string" && file !== "" && !file.includes("\0");
  faults.expect(isPath, "file", "the path of a session log", file);
  faults.throwIfAny();
  return String(file);
}
