import { hasId, isAnswer, type MessageOutline, readText } from "./message-outline.js";

/** The requests whose answers are looked at. */
export type CalledMethod =
  | "tools/call"
  | "tools/list"
  | "tasks/result"
  | "tasks/get"
  | "resources/read"
  | "prompts/get";

/** A request that the server has, or had. */
export interface Call {
  readonly method: CalledMethod;
  /** Whose limit counts: the tool's name, where the call is of one; else the method. */
  readonly name: string;
}

/** How many answered calls are remembered, so that a second answer is capped like the first. */
const MAX_ANSWERED = 1_024;
const MAX_TASKS = 10_000;
/** UTF-16 units of a name; a tool whose name is longer has the default limit. */
const MAX_NAME_UNITS = 1_024;

/** Which calls the client has made, by id, and which tasks came of them. */
export class CallLog {
  readonly #methods: ReadonlySet<string>;
  readonly #pending = new Map<string, Call>();
  readonly #answered = new Map<string, Call>();
  readonly #tasks = new Map<string, string>();

  /** `methods`: those whose answers are looked at. */
  constructor(methods: readonly CalledMethod[]) {
    this.#methods = new Set(methods);
  }

  /** Notes what the client asks for. */
  addRequest(outline: MessageOutline): void {
    const { tokens } = outline;
    const key = hasId(outline) ? readIdKey(tokens.id) : undefined;
    const method = readText(tokens.method);
    if (key === undefined || method === undefined) return;
    // An id that is used again means the new request, whatever that asks for.
    this.#answered.delete(key);
    if (this.#isCalledMethod(method)) this.#pending.set(key, { method, name: this.#readName(method, tokens) });
  }

  /** The call that a message answers. The first answer is as good as the tenth. */
  takeAnswered(outline: MessageOutline): Call | undefined {
    if (!isAnswer(outline)) return undefined;
    const exact = readIdKey(outline.tokens.id);
    // Clients take "1" for 1, so a server that answers so must not get past.
    const key = this.#find(exact) === undefined ? swapType(exact) : exact;
    const call = this.#find(key);
    if (call === undefined) return undefined;
    this.#pending.delete(key);
    put(this.#answered, key, call, MAX_ANSWERED);
    const taskId = readText(outline.tokens.createdTaskId);
    if (call.method === "tools/call" && taskId !== undefined) put(this.#tasks, taskId, call.name, MAX_TASKS);
    return call;
  }

  /** The tool that a task is of. */
  findTaskName({ tokens }: MessageOutline): string | undefined {
    return this.#tasks.get(readText(tokens.taskId) ?? "");
  }

  #readName(method: CalledMethod, tokens: MessageOutline["tokens"]): string {
    const name =
      readText(method === "tools/call" ? tokens.name : undefined) ?? this.#tasks.get(readText(tokens.taskId) ?? "");
    return (name ?? method).slice(0, MAX_NAME_UNITS);
  }

  #find(key: string): Call | undefined {
    return this.#pending.get(key) ?? this.#answered.get(key);
  }

  #isCalledMethod(method: string): method is CalledMethod {
    return this.#methods.has(method);
  }
}

/** An id as a key, by type and value: 1, 1.0 and 1e0 are one id, "1" is another, and digits above 2^53 stay apart. */
function readIdKey(token: string | undefined): string {
  const text = readText(token);
  if (text !== undefined) return `text ${text}`;
  const number = Number(token);
  return `number ${Number.isSafeInteger(number) ? number : token}`;
}

function swapType(key: string): string {
  return key.startsWith("text ") ? key.replace("text ", "number ") : key.replace("number ", "text ");
}

/** Sets an entry as the newest, and forgets the oldest beyond `maxEntries`. */
function put<V>(map: Map<string, V>, key: string, value: V, maxEntries: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > maxEntries ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}
