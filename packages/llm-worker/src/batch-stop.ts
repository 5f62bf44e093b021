import { setMaxListeners } from "node:events";

/** What stops a batch: the caller's signal, or an interceptor's abort. */
export class BatchStop {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #cancel = () => this.#controller.abort(this.#outer?.reason);
  #abortReason: string | undefined;

  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer;
    // Each running call listens, and Node would print a warning from the eleventh on.
    setMaxListeners(0, this.signal);
    if (outer?.aborted) this.#cancel();
    else outer?.addEventListener("abort", this.#cancel);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Set where an interceptor aborted. */
  get abortReason(): string | undefined {
    return this.#abortReason;
  }

  /** The text of the result of a call that was not finished. */
  get text(): string {
    return this.#abortReason === undefined ? "cancelled" : `aborted: ${this.#abortReason}`;
  }

  /** The first reason counts; a batch that was cancelled cannot be aborted any more. */
  abort(reason: string): void {
    if (this.signal.aborted) return;
    this.#abortReason = reason;
    this.#controller.abort();
  }

  /** Leaves no listener behind. */
  release(): void {
    this.#outer?.removeEventListener("abort", this.#cancel);
  }
}
