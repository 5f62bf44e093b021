import { byteLength } from "./byte-length.js";
import { densityAt, FIRST_DENSITY, type UsageSample } from "./bytes-per-token.js";
import { readState, type UsageCounterState } from "./usage-counter-state.js";
import { checkDifference, sampleText, sampleTool, type UsageDifference } from "./usage-difference.js";

/**
 * Estimates the tokens of texts by what the provider reported of earlier ones, on the safe side: it says rather too many.
 * A `TokenCounter` of `@pod/tool-output-cap`. One serves any number of sessions with the same model.
 */
export interface UsageCounter {
  /**
   * Tokens of a text of no known tool, an integer: its UTF-8 bytes at what was learned of all texts, at 1.8 bytes a token
   * before three differences. As long as nothing is learned, more bytes are never fewer tokens. Never throws for a string.
   */
  count(text: string): number;
  /** A counter for the results of one tool, which goes on learning. Where little is known of the tool, it counts as for all. */
  forTool(toolName: string): Pick<UsageCounter, "count">;
  /**
   * Learns from two consecutive reports of one session; an estimator that has this counter does so for each of its
   * reports. A number of tokens that makes no sense changes nothing.
   *
   * @throws RangeError where a number of bytes is none.
   */
  learn(difference: UsageDifference): void;
  /** Bytes per token of most text lately, from 1 to 4: for a guard of whole requests, which wants the likely, not the safe. */
  typicalBytesPerToken(): number;
  /** What was learned, as plain JSON of at most some 100 KB: `createUsageCounter(state)` goes on with it. */
  state(): UsageCounterState;
}

/** Of the text that was seen, at most about so much is denser than what is counted with. */
const LOW_SHARE = 0.1;
/** What comes may be denser than all that was seen: as if so many samples more had been as dense as paths. */
const UNSEEN_SAMPLES = 2;
/** Two parts of one text differ by so much. */
const MARGIN = 1.05;
/** With fewer, one odd report would be the estimate. */
const ENOUGH_SAMPLES = 3;
/** Traffic changes: what is older is forgotten. */
const MAX_SAMPLES = 16;
const MAX_TOOLS = 64;
const MAX_NAME_UNITS = 256;

interface Learned {
  /** Newest last, as those of each tool. */
  readonly samples: readonly UsageSample[];
  /** The tool that was learned of last comes last. */
  readonly tools: ReadonlyMap<string, readonly UsageSample[]>;
}

/**
 * A counter that knows nothing yet, or what `state` says.
 *
 * @throws TypeError that says what is wrong with `state`.
 */
export function createUsageCounter(state?: UsageCounterState): UsageCounter {
  let learned: Learned = state === undefined ? { samples: [], tools: new Map() } : bound(readState(state));
  const countAt = (text: string, bytesPerToken: number) => Math.ceil(byteLength(text) / bytesPerToken);
  return {
    count: (text) => countAt(text, safeDensity(learned.samples)),
    forTool: (toolName) => ({ count: (text) => countAt(text, safeDensityOf(toolName, learned)) }),
    learn: (difference) => {
      checkDifference(difference);
      learned = learnFrom(difference, learned);
    },
    typicalBytesPerToken: () => densityAt(0.5, learned.samples),
    state: () => ({
      version: 1,
      samples: learned.samples.map(copySample),
      tools: Array.from(learned.tools, ([name, samples]) => ({ name, samples: samples.map(copySample) })),
    }),
  };
}

function safeDensityOf(toolName: string, { samples, tools }: Learned): number {
  const own = tools.get(toolName) ?? [];
  if (own.length >= ENOUGH_SAMPLES) return safeDensity(own);
  return own.length === 0 ? safeDensity(samples) : Math.min(safeDensity(own), safeDensity(samples));
}

function safeDensity(samples: readonly UsageSample[]): number {
  if (samples.length === 0) return FIRST_DENSITY;
  const low = densityAt(LOW_SHARE, samples);
  if (low <= FIRST_DENSITY) return low / MARGIN;
  if (samples.length < ENOUGH_SAMPLES) return FIRST_DENSITY;
  return (low * samples.length + FIRST_DENSITY * UNSEEN_SAMPLES) / (samples.length + UNSEEN_SAMPLES) / MARGIN;
}

function learnFrom(difference: UsageDifference, { samples, tools }: Learned): Learned {
  const ofText = sampleText(difference);
  const ofTool = sampleTool(difference);
  return bound({
    samples: ofText === undefined ? samples : [...samples, ofText],
    tools: ofTool === undefined || ofTool.name.length > MAX_NAME_UNITS ? tools : addTool(ofTool, tools),
  });
}

function addTool(
  { name, sample }: { readonly name: string; readonly sample: UsageSample },
  tools: Learned["tools"],
): Learned["tools"] {
  const changed = new Map(tools);
  changed.delete(name);
  return changed.set(name, [...(tools.get(name) ?? []), sample]);
}

function bound({ samples, tools }: Learned): Learned {
  const kept = [...tools].slice(-MAX_TOOLS);
  return {
    samples: samples.slice(-MAX_SAMPLES),
    tools: new Map(kept.map(([name, each]) => [name, each.slice(-MAX_SAMPLES)])),
  };
}

function copySample({ bytes, tokens }: UsageSample): UsageSample {
  return { bytes, tokens };
}
