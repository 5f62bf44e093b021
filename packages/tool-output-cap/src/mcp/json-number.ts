/**
 * A number of a JSON text as its own digits: `9007199254740993` and `1e400` survive, which no `number` can hold. A caller that
 * reads JSON by itself puts these in place of numbers; the functions of this entry count them by their bytes and keep them.
 */
export class JsonNumber {
  /** The digits as they stood in the JSON text; they are not checked. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** The nearest number, for `JSON.stringify`. */
  toJSON(): number {
    return Number(this.source);
  }
}
