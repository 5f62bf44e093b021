/** A linear scale from 0 upward. */
export interface Scale {
  /** Where a value stands, in pixels from the top. */
  readonly toPx: (value: number) => number;
  /** Round values from 0 on, for the axis. */
  readonly ticks: readonly number[];
}

const STEPS = [1, 2, 2.5, 5, 10];
const MOST_TICKS = 6;

/** Maps 0 to `bottomPx` and `max`, which is above 0, to `topPx`. */
export function createScale(max: number, { topPx, bottomPx }: { topPx: number; bottomPx: number }): Scale {
  const step = chooseStep(max);
  return {
    toPx: (value) => bottomPx - (value / max) * (bottomPx - topPx),
    ticks: Array.from({ length: Math.floor(max / step) + 1 }, (_, place) => place * step),
  };
}

function chooseStep(max: number): number {
  const rough = max / (MOST_TICKS - 1);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  return magnitude * (STEPS.find((step) => step * magnitude >= rough) ?? 10);
}
