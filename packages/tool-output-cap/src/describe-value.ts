/** A value as an error message shows it: at most 80 characters, and without running any code of the value's own. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return shorten(JSON.stringify(value.slice(0, 80)));
    case "bigint":
      return shorten(`${value}n`);
    case "object":
      return value === null ? "null" : "an object";
    case "function":
      return "a function";
    default:
      return shorten(String(value));
  }
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
