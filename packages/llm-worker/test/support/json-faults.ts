/** What keeps a value from being frozen, well-formed, plain JSON: one line a fault, with its place. */
export function findJsonFaults(value: unknown, place = "value"): readonly string[] {
  switch (typeof value) {
    case "string":
      return value.isWellFormed() ? [] : [`${place}: ill-formed text`];
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0) ? [] : [`${place}: ${value}`];
    case "boolean":
      return [];
    case "object":
      return value === null ? [] : findMemberFaults(value, place);
    default:
      return [`${place}: ${typeof value}`];
  }
}

function findMemberFaults(value: object, place: string): readonly string[] {
  const faults: string[] = [];
  if (!Object.isFrozen(value)) faults.push(`${place}: not frozen`);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== (Array.isArray(value) ? Array.prototype : Object.prototype))
    faults.push(`${place}: a class of its own`);
  for (const key of Reflect.ownKeys(value)) {
    if (Array.isArray(value) && key === "length") continue;
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    if (typeof key === "symbol") faults.push(`${place}: a symbol as key`);
    else if (!key.isWellFormed()) faults.push(`${place}: an ill-formed key`);
    if (!descriptor?.enumerable || !("value" in descriptor)) faults.push(`${place}: a hidden member or a getter`);
    else faults.push(...findJsonFaults(descriptor.value, `${place}.${String(key)}`));
  }
  return faults;
}
