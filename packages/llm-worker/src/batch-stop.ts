import { setMaxListeners } from "node:events";
import { copyText } from "./copy-text.js";

/** A reason stands in every result of the batch. */
const MAX_REASON_UNITS = 4_096;

/** What stops a batch: the caller's signal, an interceptor's abort, or a log that fails. */
export class BatchStop {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #cancel = () => this.#controller.abort(this.#outer?.reason);
  #abortReason: string | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer;
    if (outer === undefined) return;
    // One signal may stop any number of batches: Node would print a warning from the eleventh listener on.
    setMaxListeners(0, outer);
    if (outer.aborted) this.#cancel();
    else outer.addEventListener("abort", this.#cancel);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Set where an interceptor aborted. */
  get abortReason(): string | undefined {
    return this.#abortReason;
  }

  /** Set where the log failed. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** The text of the result of a call that was not finished. */
  get text(): string {
    if (this.#failure !== undefined) return "cancelled: the session could not be written down";
    return this.#abortReason === undefined ? "cancelled" : `aborted: ${this.#abortReason}`;
  }

  /** The first reason counts; a batch that was cancelled cannot be aborted any more. */
  abort(reason: string): void {
    if (this.signal.aborted) return;
    this.#abortReason = copyText(reason.slice(0, MAX_REASON_UNITS));
    this.#controller.abort();
  }

  /** Ends the batch where it stands: what cannot be written down must not be done. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#controller.abort();
  }

  /** Leaves no listener behind. */
  release(): void {
    this.#outer?.removeEventListener("abort", this.#cancel);
  }
}
