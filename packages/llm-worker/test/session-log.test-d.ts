// Checked by tsc alone: a signature that changes does not compile here.
import type { MaybePromise, Message, ToolResult } from "@pod/llm-worker";
import type {
  openSessionLog,
  repairSessionLog,
  SessionEntry,
  SessionLog,
  SessionLogError,
  SessionLogFile,
  SessionLogOptions,
  SessionLogRepair,
} from "@pod/llm-worker/session-log";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

assertType<Same<typeof openSessionLog, (file: string, options?: SessionLogOptions) => Promise<SessionLogFile>>>();
assertType<Same<typeof repairSessionLog, (file: string) => Promise<SessionLogRepair>>>();
assertType<Same<SessionLog["append"], (entry: SessionEntry) => MaybePromise<void>>>();
assertType<Same<SessionLog["read"], () => MaybePromise<Iterable<SessionEntry> | AsyncIterable<SessionEntry>>>>();
assertType<Same<keyof SessionLogFile, "append" | "read" | "close" | "file">>();
assertType<Same<SessionLogError["line"], number | undefined>>();
assertType<Same<Extract<SessionEntry, { readonly type: "message" }>["message"], Message>>();
assertType<Same<Extract<SessionEntry, { readonly type: "batch-recapped" }>["lowered"], readonly ToolResult[]>>();

// A service's own log is an object with two functions, at once or later, an array or a stream.
({ append: () => {}, read: () => [] }) satisfies SessionLog;
({ append: async () => {}, read: async function* () {} }) satisfies SessionLog;
// @ts-expect-error: an entry has a type that is known.
({ type: "message-deleted" }) satisfies SessionEntry;
