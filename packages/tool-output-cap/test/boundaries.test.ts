import { describe, expect, it } from "vitest";
import { capText, formatMarker } from "../src/index.js";

const maxBytes = 200;
const OFFSETS = [-4, -3, -2, -1, 0, 1, 2, 3, 4];

// Mutants seen to fail: `>=` for `>` at the limit; the half of the room rounded up.
describe.each([
  ["1-byte", "a", 1],
  ["2-byte", "é", 2],
  ["3-byte", "語", 3],
  ["4-byte", "😀", 4],
  ["lone surrogate", "\uD83D", 3],
])("%s characters", (_, character, width) => {
  /** As many whole characters of this width as fit, and what they take. */
  const fill = (room: number) => Math.floor(room / width) * width;
  const makeText = (bytes: number) => {
    const count = Math.floor(bytes / width);
    return { characters: character.repeat(count), rest: "x".repeat(bytes - count * width) };
  };

  it.each(OFFSETS)("C2: the tail of a text of the limit and %i bytes", (offset) => {
    const bytes = maxBytes + offset;
    const { characters, rest } = makeText(bytes);
    const text = characters + rest;
    const capped = capText(text, { maxBytes, keep: "tail" });
    if (offset <= 0) {
      expect(capped).toEqual({ text: text.toWellFormed() });
      return;
    }
    const keptBytes = rest.length + fill(maxBytes - 48 - 2 - rest.length);
    const kept = character.repeat((keptBytes - rest.length) / width) + rest;
    expect(capped).toEqual({
      text: `${formatMarker(bytes - keptBytes)}\n\n${kept.toWellFormed()}`,
      truncation: { maxBytes, originalBytes: bytes, keptBytes, droppedBytes: bytes - keptBytes, keep: "tail" },
    });
  });

  it.each(OFFSETS)("C2: both ends of a text of the limit and %i bytes", (offset) => {
    const bytes = maxBytes + offset;
    const { characters, rest } = makeText(bytes);
    const text = rest + characters;
    const capped = capText(text, { maxBytes, keep: "ends" });
    if (offset <= 0) {
      expect(capped).toEqual({ text: text.toWellFormed() });
      return;
    }
    // 50 bytes of marker and newlines and 3 digits of the text's size leave 147: 73 for the start, 74 for the end.
    const startBytes = rest.length + fill(73 - rest.length);
    const endBytes = fill(74);
    const [start, end] = [character.repeat((startBytes - rest.length) / width), character.repeat(endBytes / width)];
    const keptBytes = startBytes + endBytes;
    expect(capped).toEqual({
      text: `${rest}${start.toWellFormed()}\n\n${formatMarker(bytes - keptBytes)}\n\n${end.toWellFormed()}`,
      truncation: { maxBytes, originalBytes: bytes, keptBytes, droppedBytes: bytes - keptBytes, keep: "ends" },
    });
  });
});
