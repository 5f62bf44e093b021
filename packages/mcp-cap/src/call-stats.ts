/** What went through for one tool, in bytes of the JSON of its answers. */
export interface ToolStats {
  calls: number;
  cappedCalls: number;
  largestBytes: number;
  bytesIn: number;
  bytesOut: number;
}

/** One answer, in bytes of the JSON of its result or error. */
export interface AnswerSize {
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly isCapped: boolean;
}

/** Tools with a row of their own; the rest share one. */
const MAX_ROWS = 1_000;
const OTHERS = "(others)";

/** Counts calls and bytes by tool. */
export class CallStats {
  readonly #rows = new Map<string, ToolStats>();

  /** Counts one answer: what came, and what went on. */
  add(name: string, { bytesIn, bytesOut, isCapped }: AnswerSize): void {
    const row = this.#getRow(name);
    row.calls++;
    if (isCapped) row.cappedCalls++;
    row.largestBytes = Math.max(row.largestBytes, bytesIn);
    row.bytesIn += bytesIn;
    row.bytesOut += bytesOut;
  }

  /** Largest first. */
  list(): readonly (readonly [name: string, stats: Readonly<ToolStats>])[] {
    return [...this.#rows].sort(([, left], [, right]) => right.bytesIn - left.bytesIn);
  }

  #getRow(name: string): ToolStats {
    const key = this.#rows.has(name) || this.#rows.size < MAX_ROWS ? name : OTHERS;
    const row = this.#rows.get(key) ?? { calls: 0, cappedCalls: 0, largestBytes: 0, bytesIn: 0, bytesOut: 0 };
    this.#rows.set(key, row);
    return row;
  }
}
