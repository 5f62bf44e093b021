import {
  type Answer,
  answer,
  type MessagesRequest,
  type RequestBlock,
  text,
  toolResultTexts,
  toolUse,
} from "@pod/test-harness";

/** What the user asks for, in both runs. */
export const TASK = "Where does this project cap a tool result? Read that file.";

const EVERYTHING = "*";
const SOURCES = "packages/*/src/**/*.ts";
const WANTED = "function capToolResult";
const MAX_ARGUMENT = 80;
const MARKER = /\[truncated(: ~?\d+ (bytes|tokens) dropped, refine your query)?\]$/;

/**
 * Stands where the model would. It knows the conversation only from the request, as a model does: it begins as the one of
 * the incident did, and narrows its query when the marker in a result asks for it.
 */
export function answerAsTheModel(request: MessagesRequest): Answer {
  const lastCall = callsOf(request).at(-1);
  const seen = toolResultTexts(request).at(-1) ?? "";
  switch (lastCall?.name) {
    case undefined:
      return answer(text("First, what is here?"), toolUse("Glob", { pattern: EVERYTHING }));
    case "Glob":
      return firstArgument(lastCall.input) === EVERYTHING && MARKER.test(seen)
        ? answer(text("That is cut, and the sources are not in it."), toolUse("Glob", { pattern: SOURCES }))
        : answer(text("Now the function."), toolUse("Grep", { pattern: WANTED, files: SOURCES }));
    case "Grep": {
      const path = /^(.+?):\d+: /m.exec(seen)?.[1];
      return path === undefined
        ? answer(text(`No file of ${SOURCES} holds "${WANTED}".`))
        : answer(text("There it is."), toolUse("Read", { path }));
    }
    default:
      return answer(text(`It is capped in ${seen.split("\n", 1)[0]}.`));
  }
}

/** What an answer does, in a few words. */
export function describeAnswer({ blocks }: Answer): string {
  return describeCalls(
    blocks.flatMap((block) => (block.type === "tool_use" ? [{ toolName: block.name, input: block.input }] : [])),
  );
}

/** The calls of an answer, in a few words; without any the model has done. */
export function describeCalls(calls: readonly { readonly toolName: string; readonly input: unknown }[]): string {
  return calls.length === 0
    ? "done"
    : calls
        .map(({ toolName, input }) => `${toolName} ${firstArgument(input).slice(0, MAX_ARGUMENT)}`.trim())
        .join(", ");
}

function callsOf({ messages }: MessagesRequest) {
  const blocks = messages.flatMap(({ content }): readonly RequestBlock[] =>
    typeof content === "string" ? [] : content,
  );
  return blocks.filter((block) => block.type === "tool_use");
}

function firstArgument(input: unknown): string {
  return typeof input === "object" && input !== null ? String(Object.values(input)[0] ?? "") : "";
}
