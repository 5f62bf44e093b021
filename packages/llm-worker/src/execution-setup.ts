import type { UsageCounter } from "@pod/token-counter";
import { DEFAULT_TOOL_OUTPUT_LIMITS, type TokenCounter, type ToolOutputLimits } from "@pod/tool-output-cap";
import { chooseCounter } from "./choose-counter.js";
import { copyLimits } from "./copy-limits.js";
import { nextWorkerName } from "./event-channel.js";
import { createEmitter, type WorkerEvent, type WorkerEventListener } from "./events.js";
import type { Interceptor } from "./interceptors.js";
import type { FaultList } from "./invalid-options-error.js";
import type { ToolCall } from "./messages.js";
import { type PreparedTool, prepareTools } from "./prepare-tools.js";
import type { Tool } from "./tool.js";
import { type CountedLimits, limitFor, smallerLimit, type ToolLimit } from "./tool-limit.js";

/** What every execution of tools needs to know. */
export interface ExecutionOptions {
  readonly tools: readonly Tool[];
  /** Without it, 16,384 UTF-8 bytes for every tool: there is no "off". */
  readonly toolOutput?: ToolOutputLimits;
  /**
   * Counts where a limit is in tokens. Without it, a usage counter of `@pod/token-counter`. One of those learns from what the
   * provider reports, whoever made it.
   */
  readonly counter?: TokenCounter;
  /** Asked in list order, before and after each call. */
  readonly interceptors?: readonly Interceptor[];
  /** Calls of a batch that run at once. Default 8. */
  readonly maxConcurrency?: number;
  /** Milliseconds that one call may take, where its tool does not say. Default 120,000. */
  readonly toolTimeoutMs?: number;
  /** Milliseconds that one interceptor may take for one call. Default 30,000. */
  readonly interceptorTimeoutMs?: number;
  /** Told as `worker` with each event on the channels `pod.llm-worker.*`. Without it, `worker-N`, N from 1 in this process. */
  readonly name?: string;
  /** Told of everything that happens. What it throws, or rejects with, breaks nothing. */
  readonly onEvent?: WorkerEventListener;
}

/** Options checked and copied: what is done later to those handed in changes nothing. */
export interface ExecutionSetup {
  readonly tools: ReadonlyMap<string, PreparedTool>;
  readonly limits: CountedLimits;
  readonly usageCounter: UsageCounter;
  readonly interceptors: readonly Interceptor[];
  readonly maxConcurrency: number;
  readonly interceptorTimeoutMs: number;
  readonly emit: (event: WorkerEvent) => void;
}

/** Checks everything, and adds what is wrong to `faults`. What comes back is valid only if nothing was added. */
export function prepareExecution(options: ExecutionOptions, faults: FaultList): ExecutionSetup {
  const { toolOutput = DEFAULT_TOOL_OUTPUT_LIMITS, interceptors = [], onEvent, name = nextWorkerName() } = options;
  const { maxConcurrency = 8, toolTimeoutMs = 120_000, interceptorTimeoutMs = 30_000 } = options;
  faults.expectCount(maxConcurrency, "maxConcurrency");
  faults.expectCount(toolTimeoutMs, "toolTimeoutMs");
  faults.expectCount(interceptorTimeoutMs, "interceptorTimeoutMs");
  faults.expect(typeof name === "string", "name", "a string", name);
  faults.expect(onEvent === undefined || typeof onEvent === "function", "onEvent", "a function", onEvent);
  const emit = createEmitter(name, onEvent);
  const { counter, usageCounter } = chooseCounter(options.counter, emit, faults);
  return {
    tools: prepareTools(options.tools, toolTimeoutMs, faults),
    limits: { ...copyLimits(toolOutput, "toolOutput", faults), counter },
    usageCounter,
    interceptors: copyInterceptors(interceptors, faults),
    maxConcurrency,
    interceptorTimeoutMs,
    emit,
  };
}

/** The limit of a call: that of the name that the model used, or of the tool that an edit chose, whichever is smaller. */
export function limitOf(call: ToolCall, edited: ToolCall, limits: CountedLimits): ToolLimit {
  return smallerLimit(limitFor(limits, call.toolName), limitFor(limits, edited.toolName));
}

function copyInterceptors(interceptors: readonly Interceptor[], faults: FaultList): readonly Interceptor[] {
  faults.expect(Array.isArray(interceptors), "interceptors", "an array of interceptors", interceptors);
  if (!Array.isArray(interceptors)) return [];
  return interceptors.map((interceptor, index) => copyInterceptor(interceptor, `interceptors[${index}]`, faults));
}

/** The hooks as they are now: one that is taken away later would fail open. */
function copyInterceptor(interceptor: Interceptor, place: string, faults: FaultList): Interceptor {
  faults.expect(typeof interceptor === "object" && interceptor !== null, place, "an interceptor", interceptor);
  const { preToolCall, postToolCall }: Interceptor = Object(interceptor);
  return {
    ...bindHook("preToolCall", preToolCall),
    ...bindHook("postToolCall", postToolCall),
  };

  function bindHook(name: keyof Interceptor, hook: unknown): Interceptor {
    if (hook === undefined) return {};
    faults.expect(typeof hook === "function", `${place}.${name}`, "a function", hook);
    return typeof hook === "function" ? { [name]: hook.bind(interceptor) } : {};
  }
}
