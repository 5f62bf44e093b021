import type { Page } from "playwright-core";

/** What these readers use of an element: they run in the page, and the workspace has no types of browsers. */
interface PageElement {
  readonly dataset: Readonly<Record<string, string | undefined>>;
  readonly tagName: string;
  readonly textContent: string | null;
  computedStyleMap(): { get(property: string): { toString(): string } | null };
  getBoundingClientRect(): Readonly<Record<"top" | "bottom" | "left" | "right" | "height", number>>;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
}

export interface ReadPlot {
  readonly marks: readonly {
    readonly run: string | undefined;
    readonly inputTokens: number;
    /** Pixels from the left of the screen. */
    readonly left: number;
    readonly shape: string | undefined;
  }[];
  readonly limitTokensPerMinute: number | null;
}

/** What a reader reads from the plot: the height of every mark, and of the limit, against the axis' first and last line. */
export function readMarks(page: Page): Promise<ReadPlot> {
  return page.locator("svg.plot").evaluate((plot: PageElement) => {
    const middleOf = (element: PageElement) => {
      const { top, height } = element.getBoundingClientRect();
      return top + height / 2;
    };
    const ticks = Array.from(plot.querySelectorAll("[data-value]"), (line) => ({
      y: middleOf(line),
      value: Number(line.dataset.value),
    }));
    const zero = ticks.at(0) ?? { y: 0, value: 0 };
    const top = ticks.at(-1) ?? zero;
    const valueAt = (y: number) => Math.round(((y - zero.y) / (top.y - zero.y)) * top.value);
    const marks = Array.from(plot.querySelectorAll(".mark"), (mark) => ({
      run: mark.dataset.run,
      inputTokens: valueAt(middleOf(mark)),
      left: mark.getBoundingClientRect().left,
      shape: mark.querySelector("rect, circle, path")?.tagName,
    }));
    const limit = plot.querySelector("[data-limit]");
    return { marks, limitTokensPerMinute: limit && valueAt(middleOf(limit)) };
  });
}

/** Pairs of texts in the plot that lie on each other. */
export function findOverlaps(page: Page): Promise<readonly string[]> {
  return page.locator("svg.plot text").evaluateAll((texts: readonly PageElement[]) => {
    const boxes = texts.map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
    return boxes.flatMap(({ text, box }, place) =>
      boxes
        .slice(place + 1)
        .filter(({ box: { left, right } }) => left < box.right && box.left < right)
        .filter(({ box: { top, bottom } }) => top < box.bottom && box.top < bottom)
        .map((other) => `${text} / ${other.text}`),
    );
  });
}

/** The colours of paper and text. */
export function readColors(page: Page): Promise<Readonly<Record<"background" | "ink", string>>> {
  return page.locator("body").evaluate((body: PageElement) => {
    const style = body.computedStyleMap();
    return { background: String(style.get("background-color")), ink: String(style.get("color")) };
  });
}
