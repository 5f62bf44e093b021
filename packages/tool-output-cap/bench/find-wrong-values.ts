import { capText } from "../src/index.js";
import { EXACT_VALUES } from "../test/exact-values.js";

/** The exact values of DESIGN section 4 that come out wrong: a fast cap that is wrong is no cap. */
export function findWrongValues(): readonly string[] {
  return EXACT_VALUES.flatMap(([originalBytes, maxBytes, keptBytes, droppedBytes]) => {
    const { text, truncation } = capText("a".repeat(originalBytes), { maxBytes });
    const right =
      truncation?.keptBytes === keptBytes && truncation.droppedBytes === droppedBytes && text.length === maxBytes;
    return right ? [] : [`${originalBytes} bytes at a limit of ${maxBytes}: ${JSON.stringify(truncation)}`];
  });
}
