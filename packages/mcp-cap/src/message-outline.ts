/** Bytes of a line: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The values of a message that are read as they pass by. The last wins where a key comes twice, as in `JSON.parse`. */
export type TokenName = "id" | "method" | "name" | "taskId" | "createdTaskId";

/** The values of a message that may be rewritten; more than one where a key comes twice. */
export type PartName = "params" | "result" | "error";

/** What a line says of one JSON-RPC message, without what it carries. */
export interface MessageOutline {
  readonly span: Span;
  /** JSON as it stands in the line: a string with its quotes, a number with its digits. */
  readonly tokens: Readonly<Partial<Record<TokenName, string>>>;
  readonly parts: Readonly<Record<PartName, readonly Span[]>>;
}

/** An outline that is still being made. */
export interface MessageDraft {
  readonly tokens: Partial<Record<TokenName, string>>;
  readonly parts: Record<PartName, Span[]>;
}

export function createDraft(): MessageDraft {
  return { tokens: {}, parts: { params: [], result: [], error: [] } };
}

/** What is worth reading at one place of a message, and at the places below it. */
export interface Interest {
  readonly token?: TokenName;
  readonly part?: PartName;
  readonly members?: ReadonlyMap<string, Interest>;
}

const TASK = new Map<string, Interest>([["taskId", { token: "createdTaskId" }]]);

/** Where the tokens and the parts of a message are. */
export const MESSAGE: Interest = {
  members: new Map<string, Interest>([
    ["id", { token: "id" }],
    ["method", { token: "method" }],
    [
      "params",
      {
        part: "params",
        members: new Map<string, Interest>([
          ["name", { token: "name" }],
          ["taskId", { token: "taskId" }],
        ]),
      },
    ],
    // A call that becomes a task is answered with its id: in `task` until 2025-11-25, beside `resultType` since 2026-07-28.
    ["result", { part: "result", members: new Map<string, Interest>([...TASK, ["task", { members: TASK }]]) }],
    ["error", { part: "error" }],
  ]),
};

/** Whether a message answers a request. */
export function isAnswer(outline: MessageOutline): boolean {
  const { result, error } = outline.parts;
  return hasId(outline) && result.length + error.length > 0;
}

/** Whether a message has an id that an answer can repeat. */
export function hasId({ tokens: { id } }: MessageOutline): boolean {
  return id !== undefined && (readText(id) !== undefined || /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(id));
}

/** The text of a string token; undefined for any other value. */
export function readText(token: string | undefined): string | undefined {
  if (token === undefined || !token.startsWith('"')) return undefined;
  try {
    return String(JSON.parse(token));
  } catch (error) {
    // Not JSON: whoever reads the line will say so.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
