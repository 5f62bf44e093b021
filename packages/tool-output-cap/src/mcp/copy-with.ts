import { readMember } from "./read-json.js";

/** A copy of an object with other values for some fields, in the same order; new ones come last. What cannot be read is left out. */
export function copyWith(source: object, changes: Readonly<Record<string, unknown>>): object {
  const fields: PropertyDescriptorMap = Object.create(null);
  for (const key of ownKeys(source))
    setField(fields, key, Object.hasOwn(changes, key) ? changes[key] : readMember(source, key));
  for (const [key, value] of Object.entries(changes)) setField(fields, key, value);
  return Object.create(Object.prototype, fields);
}

function ownKeys(source: object): readonly string[] {
  try {
    return Object.keys(source);
  } catch {
    return [];
  }
}

function setField(fields: PropertyDescriptorMap, key: string, value: unknown): void {
  fields[key] = { value, writable: true, enumerable: true, configurable: true };
}
