import { describe, expect, it } from "vitest";
import { draftError, draftOutput, editDraft, normaliseDraft } from "../src/draft.js";
import type { ToolResultDraft } from "../src/messages.js";

const call = { toolCallId: "call-1", toolName: "Read" };
const draft = (texts: Omit<ToolResultDraft, "toolCallId" | "toolName" | "isError">): ToolResultDraft => ({
  ...call,
  ...texts,
  isError: false,
});

const characters: readonly (readonly [bytes: number, character: string])[] = [
  [1, "a"],
  [2, "é"],
  [3, "語"],
  [4, "😀"],
];

/** So many UTF-8 bytes, as many of them as possible in the character. */
function textOf(character: string, bytes: number): string {
  const width = Buffer.byteLength(character);
  return "-".repeat(bytes % width) + character.repeat(Math.floor(bytes / width));
}

describe("a plain text", () => {
  // Mutants seen to fail: `<` for `<=`; `text.length` for the bytes.
  it.each(characters)("W4: of 200 bytes is the summary, in characters of %d bytes", (_, character) => {
    const text = textOf(character, 200);
    expect(draftOutput(call, text)).toEqual(draft({ summary: text }));
  });

  // Mutant seen to fail: `text.length` for the bytes in the summary.
  it.each(characters)(
    "W4: of 201 bytes is content, with its lines and bytes, in characters of %d bytes",
    (_, character) => {
      const text = textOf(character, 201);
      expect(draftOutput(call, text)).toEqual(
        draft({ summary: "1 lines, 201 bytes", summaryIsDerived: true, content: text }),
      );
    },
  );

  it("W4: counts a lone surrogate as the three bytes that stand for it", () => {
    const text = `${"a".repeat(198)}\uD800`;
    expect(draftOutput(call, text)).toEqual(
      draft({ summary: "1 lines, 201 bytes", summaryIsDerived: true, content: text }),
    );
  });

  // Mutants seen to fail: lines counted from 0; a newline at the end not counted.
  it.each([
    ["no newline", "x".repeat(300), "1 lines, 300 bytes"],
    ["one at the end", `${"x".repeat(300)}\n`, "2 lines, 301 bytes"],
    ["one at the beginning", `\n${"x".repeat(300)}`, "2 lines, 301 bytes"],
    ["CRLF", "line\r\n".repeat(50), "51 lines, 300 bytes"],
    ["CR alone", "line\r".repeat(60), "1 lines, 300 bytes"],
    ["newlines only", "\n".repeat(300), "301 lines, 300 bytes"],
    ["lines of two-byte text", "語\n".repeat(100), "101 lines, 400 bytes"],
    ["U+2028, which is no newline", "\u2028".repeat(100), "1 lines, 300 bytes"],
  ])("W4: counts newlines plus one, and UTF-8 bytes: %s", (_, text, summary) => {
    expect(draftOutput(call, text)).toEqual(draft({ summary, summaryIsDerived: true, content: text }));
  });

  it("W4: of an error is treated alike, and marked as an error", () => {
    const text = `EACCES: ${"x".repeat(300)}`;
    expect(draftError(call, "denied")).toEqual({ ...call, summary: "denied", isError: true });
    expect(draftError(call, text)).toEqual({
      ...call,
      summary: "1 lines, 308 bytes",
      summaryIsDerived: true,
      content: text,
      isError: true,
    });
  });
});

describe("an output of nothing", () => {
  // Mutant seen to fail: an empty summary is left alone.
  it.each([
    ["an empty string", ""],
    ["undefined", undefined],
    ["null", null],
    ["empty summary and no content", { summary: "" }],
    ["empty summary and content", { summary: "", content: "" }],
    ["null summary and content", { summary: null, content: null }],
    ["undefined summary and content", { summary: undefined, content: undefined }],
  ])("W4: is (no output): %s", (_, output) => {
    expect(draftOutput(call, output)).toEqual(draft({ summary: "(no output)" }));
  });

  it("W4: is (no output) for an error too", () => {
    expect(draftError(call, "")).toEqual({ ...call, summary: "(no output)", isError: true });
  });

  // Mutant seen to fail: empty content is kept.
  it.each([
    ["undefined", undefined],
    ["null", null],
    ["an empty string", ""],
  ])("W4: has no content field beside a summary: %s", (_, content) => {
    const made = draftOutput(call, { summary: "done", content });
    expect(made).toEqual(draft({ summary: "done" }));
    expect(Object.keys(made)).toEqual(["toolCallId", "toolName", "summary", "isError"]);
  });

  it.each([
    ["zero", 0, "0"],
    ["false", false, "false"],
    ["an empty array", [], "[]"],
    ["an empty object", {}, "{}"],
  ])("W4: is not content that merely looks empty: %s", (_, content, text) => {
    expect(draftOutput(call, { summary: "done", content })).toEqual(draft({ summary: "done", content: text }));
  });
});

describe("an output with a summary", () => {
  it("W4: keeps summary and content as they are", () => {
    const content = "x".repeat(10_000);
    expect(draftOutput(call, { summary: "1 file", content })).toEqual(draft({ summary: "1 file", content }));
  });

  it("W4: takes no other field over, a forged record and flag least of all", () => {
    const output = {
      summary: "s",
      content: "c",
      summaryIsDerived: true,
      truncation: {},
      isError: true,
      toolCallId: "x",
    };
    expect(draftOutput(call, output)).toEqual(draft({ summary: "s", content: "c" }));
  });

  it.each([
    ["short", "found it", { summary: "found it" }],
    ["long", "x".repeat(201), { summary: "1 lines, 201 bytes", summaryIsDerived: true, content: "x".repeat(201) }],
  ] as const)("W4: of nothing is derived from the content: %s", (_, content, texts) => {
    expect(draftOutput(call, { summary: "", content })).toEqual(draft(texts));
    expect(draftOutput(call, { content })).toEqual(draft(texts));
  });

  it.each([
    ["a number", 42, "42"],
    ["an object", { files: 2 }, '{"files":2}'],
    ["binary", Buffer.from("abc"), "[binary: 3 bytes]"],
  ])("W8: that is no string is serialised: %s", (_, summary, text) => {
    expect(draftOutput(call, { summary, content: "c" })).toEqual(draft({ summary: text, content: "c" }));
  });

  // Mutant seen to fail: `<` for `<=`.
  it.each(characters)("W4: of 2,048 bytes stays, in characters of %d bytes", (_, character) => {
    const summary = textOf(character, 2_048);
    expect(draftOutput(call, { summary, content: "c" })).toEqual(draft({ summary, content: "c" }));
  });

  // Mutants seen to fail: `line.slice(0, 200)` without the bytes; content before the old summary.
  it.each(characters)(
    "W4: of 2,049 bytes is moved in front of content, in characters of %d bytes",
    (width, character) => {
      const summary = textOf(character, 2_049);
      const rest = 2_049 % width;
      const firstLine = "-".repeat(rest) + character.repeat(Math.floor((200 - rest) / width));
      expect(draftOutput(call, { summary, content: "c" })).toEqual(
        draft({ summary: firstLine, content: `${summary}\nc` }),
      );
      expect(draftOutput(call, { summary })).toEqual(draft({ summary: firstLine, content: summary }));
    },
  );

  it("W4: that is too long is cut between two code points, never inside one", () => {
    const line = `${"a".repeat(199)}😀${"b".repeat(2_000)}`;
    expect(draftOutput(call, { summary: line }).summary).toBe("a".repeat(199));
  });

  it.each([
    ["newline", `first line\n${"x".repeat(2_100)}`, "first line"],
    ["CRLF", `first line\r\n${"x".repeat(2_100)}`, "first line"],
    ["CR alone, which is no newline", `first\rline\n${"x".repeat(2_100)}`, "first\rline"],
    ["a first line of exactly 200 bytes", `${"y".repeat(200)}\n${"x".repeat(2_100)}`, "y".repeat(200)],
    ["a first line of 201 bytes", `${"y".repeat(201)}\n${"x".repeat(2_100)}`, "y".repeat(200)],
  ])("W4: that is too long leaves its first line: %s", (_, summary, firstLine) => {
    expect(draftOutput(call, { summary })).toEqual(draft({ summary: firstLine, content: summary }));
  });

  // Mutant seen to fail: an empty first line stands as the summary.
  it.each([
    ["newline", "\n"],
    ["CRLF", "\r\n"],
  ])("W4: that is too long and begins with a newline gives way to a derived one: %s", (_, newline) => {
    const summary = newline + "x".repeat(2_100);
    const bytes = Buffer.byteLength(summary);
    expect(draftOutput(call, { summary })).toEqual(
      draft({ summary: `2 lines, ${bytes} bytes`, summaryIsDerived: true, content: summary }),
    );
    expect(draftOutput(call, { summary, content: "c" })).toEqual(
      draft({ summary: `3 lines, ${bytes + 2} bytes`, summaryIsDerived: true, content: `${summary}\nc` }),
    );
  });

  it("W4: that is moved is no derived one any more", () => {
    const summary = "s".repeat(3_000);
    expect(normaliseDraft(draft({ summary, summaryIsDerived: true, content: "c" }))).toEqual(
      draft({ summary: "s".repeat(200), content: `${summary}\nc` }),
    );
  });
});

describe("an output that is read", () => {
  // Mutant seen to fail: `output.summary` read for a look and again for the text.
  it("W8: is read once, summary and content, and nothing else of it", () => {
    const reads: string[] = [];
    const output = new Proxy(
      { summary: "s", content: "c" },
      {
        get(target, key, receiver) {
          reads.push(String(key));
          return Reflect.get(target, key, receiver);
        },
      },
    );
    expect(draftOutput(call, output)).toEqual(draft({ summary: "s", content: "c" }));
    expect(reads).toEqual(["summary", "content"]);
  });

  it("W8: and throws is an error that says why", () => {
    const output = {
      summary: "s",
      get content() {
        throw new Error("closed");
      },
    };
    expect(draftOutput(call, output)).toEqual({ ...call, summary: "Error: closed", isError: true });
  });

  it.each([
    ["a number", 5, "5"],
    ["an array", ["a", 1], '["a",1]'],
    ["an object without summary and content", { files: 2 }, '{"files":2}'],
    ["binary", Buffer.from("abc"), "[binary: 3 bytes]"],
    ["a function", () => "x", "[function]"],
  ])("W8: and is no tool output is content as a whole: %s", (_, output, text) => {
    expect(draftOutput(call, output)).toEqual(draft({ summary: text }));
  });
});

describe("an edit", () => {
  const derived = draftOutput(call, "line\n".repeat(100));
  const stated = draft({ summary: "1 file", content: "old" });

  // Mutant seen to fail: the old summary is kept.
  it("W4: of the content makes a derived summary anew, from the full edited content", () => {
    const content = "語\n".repeat(50_000);
    expect(editDraft(derived, { content })).toEqual(
      draft({ summary: "50001 lines, 200000 bytes", summaryIsDerived: true, content }),
    );
    expect(editDraft(derived, { content: "short" })).toEqual(draft({ summary: "short" }));
  });

  it("W4: of the content leaves a summary that the tool stated", () => {
    expect(editDraft(stated, { content: "new" })).toEqual(draft({ summary: "1 file", content: "new" }));
  });

  // Mutant seen to fail: `content || draft.content`.
  it("W4: to an empty content removes it", () => {
    expect(editDraft(stated, { content: "" })).toEqual(draft({ summary: "1 file" }));
    expect(editDraft(derived, { content: "" })).toEqual(draft({ summary: "(no output)" }));
  });

  it("W4: to an empty summary leaves a derived one, or the content itself", () => {
    expect(editDraft(stated, { summary: "" })).toEqual(draft({ summary: "old" }));
    expect(editDraft(derived, { summary: "" })).toEqual(derived);
  });

  // Mutant seen to fail: a summary handed back as it was becomes an own one, with a count of what is gone.
  it("W4: with a derived summary handed back derives it again", () => {
    const { summary } = derived;
    const content = "new\n".repeat(100);
    expect(editDraft(derived, { summary, content })).toEqual(draftOutput(call, content));
    expect(editDraft(derived, { summary, content: "short" })).toEqual(draft({ summary: "short" }));
    expect(editDraft(draft({ summary: "1 file" }), { summary: "" })).toEqual(draft({ summary: "(no output)" }));
  });

  it("W4: of the summary stands beside the content", () => {
    const { content } = derived;
    expect(editDraft(derived, { summary: "mine" })).toEqual(draft({ summary: "mine", ...(content && { content }) }));
  });

  it("W4: of the summary to one that is too long moves it in front of the edited content", () => {
    const summary = "s".repeat(2_049);
    expect(editDraft(stated, { summary, content: "new" })).toEqual(
      draft({ summary: "s".repeat(200), content: `${summary}\nnew` }),
    );
  });

  // Mutant seen to fail: `(no output)` is kept beside the content.
  it("W4: that gives content to an output of nothing takes `(no output)` away", () => {
    expect(editDraft(draftOutput(call, ""), { content: "something" })).toEqual(draft({ summary: "something" }));
  });

  it("W4: of the error flag alone changes no text", () => {
    expect(editDraft(derived, { isError: true })).toEqual({ ...derived, isError: true });
    expect(editDraft({ ...stated, isError: true }, { isError: false })).toEqual(stated);
  });

  // Mutant seen to fail: `isError = false` by default.
  it("W7: of a text neither makes nor clears an error", () => {
    for (const isError of [true, false]) {
      expect(editDraft({ ...stated, isError }, { content: "new" }).isError).toBe(isError);
      expect(editDraft({ ...derived, isError }, { content: "new" }).isError).toBe(isError);
    }
  });
});
