/** The fields of what may be anything: none where it is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** The items of what may be anything; undefined where it is no array. */
export function itemsOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
