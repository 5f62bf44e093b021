import type { JsonNumber } from "./json-number.js";
import type { JsonSink } from "./walk-json.js";

/** A JSON value. Numbers may stand as their digits. */
export type Json = null | boolean | number | string | JsonNumber | readonly Json[] | { readonly [key: string]: Json };

type Target = Json[] | { [key: string]: Json };

/** Makes a new value of what it hears. `value()` is what it made. */
export function createJsonBuilder(): JsonSink & { value(): Json } {
  const targets: Target[] = [];
  let root: Json = null;
  const add = (value: Json, key: string | undefined) => {
    const target = targets.at(-1);
    if (target === undefined) root = value;
    else if (Array.isArray(target)) target.push(value);
    else if (key !== undefined) setMember(target, key, value);
  };
  return {
    open(container, key) {
      const target: Target = container.keys === undefined ? [] : {};
      add(target, key);
      targets.push(target);
    },
    leaf: add,
    close: () => targets.pop(),
    value: () => root,
  };
}

/** `__proto__` is a member like any other. */
function setMember(target: { [key: string]: Json }, key: string, value: Json): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
