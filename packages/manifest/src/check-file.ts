import { escapeUnprintable } from "./quote-text.js";

/** The option `file` of a public function, or a TypeError that names what is wrong with it. */
export function checkFile(options: unknown): string | undefined {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(
      `options: expected an object, received ${describeArgument(options)}. Write: { file: "pod.toml" }`,
    );
  }
  const file: unknown = "file" in options ? options.file : undefined;
  if (file === undefined || (typeof file === "string" && file !== "")) return file;
  throw new TypeError(`file: expected a path, received ${describeArgument(file)}. Write: { file: "pod.toml" }`);
}

/** A wrong argument as an error shows it: at most 80 characters, and objects by kind, since they may hold a manifest. */
export function describeArgument(value: unknown): string {
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return "an object";
  return escapeUnprintable(String(value).slice(0, 80));
}
