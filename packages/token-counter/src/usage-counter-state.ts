import type { UsageSample } from "./bytes-per-token.js";

/** What a usage counter has learned: plain JSON. */
export interface UsageCounterState {
  readonly version: 1;
  /** Of all texts, newest last. */
  readonly samples: readonly UsageSample[];
  /** By tool, the one that was learned of last at the end. */
  readonly tools: readonly { readonly name: string; readonly samples: readonly UsageSample[] }[];
}

/**
 * A copy of a state, which may come from a file.
 *
 * @throws TypeError that names the first place that is wrong.
 */
export function readState(state: unknown): {
  readonly samples: readonly UsageSample[];
  readonly tools: ReadonlyMap<string, readonly UsageSample[]>;
} {
  const { version, samples, tools } = readObject("state", state);
  if (version !== 1) throw fault("state.version", "1", version);
  return { samples: readSamples("state.samples", samples), tools: readTools(tools) };
}

function readTools(tools: unknown): ReadonlyMap<string, readonly UsageSample[]> {
  const read = new Map<string, readonly UsageSample[]>();
  for (const [index, tool] of readList("state.tools", tools).entries()) {
    const place = `state.tools[${index}]`;
    const { name, samples } = readObject(place, tool);
    if (typeof name !== "string") throw fault(`${place}.name`, "a string", name);
    if (read.has(name)) throw fault(`${place}.name`, "a name that comes once", name);
    read.set(name, readSamples(`${place}.samples`, samples));
  }
  return read;
}

function readSamples(place: string, samples: unknown): readonly UsageSample[] {
  return readList(place, samples).map((sample, index) => {
    const { bytes, tokens } = readObject(`${place}[${index}]`, sample);
    return {
      bytes: readCount(`${place}[${index}].bytes`, bytes),
      tokens: readCount(`${place}[${index}].tokens`, tokens),
    };
  });
}

function readObject(place: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fault(place, "an object", value);
  return { ...value };
}

function readList(place: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw fault(place, "an array", value);
  return value;
}

function readCount(place: string, value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw fault(place, "an integer from 1", value);
}

function fault(place: string, expected: string, received: unknown): TypeError {
  const remedy = "Write: createUsageCounter(counter.state()), or createUsageCounter() to begin anew";
  return new TypeError(`${place}: expected ${expected}, received ${describe(received)}. ${remedy}`);
}

function describe(value: unknown): string {
  if (Object(value) === value) return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : String(value).slice(0, 80);
}
