import { preview } from "./invalid-options-error.js";

/** A field of a foreign object that is not what it should be. */
export class WrongFieldError extends TypeError {
  override readonly name = "WrongFieldError";

  constructor(field: string, expected: string, received: unknown) {
    super(`${field}: expected ${expected}, received ${preview(received)}`);
  }
}

/** @throws WrongFieldError */
export function expectText(value: unknown, field: string): string {
  if (typeof value === "string") return value;
  throw new WrongFieldError(field, "a string", value);
}
