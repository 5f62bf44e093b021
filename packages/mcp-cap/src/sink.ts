import type { Writable } from "node:stream";

const EVENTS = ["drain", "close", "error", "finish"] as const;

/** A stream that is written to for as long as somebody reads. */
export class Sink {
  readonly #stream: Writable;
  #isOpen = true;

  constructor(stream: Writable) {
    this.#stream = stream;
    // Remembered here: `process.stdout` is as if new after each EPIPE.
    for (const event of ["error", "close"]) {
      stream.on(event, () => {
        this.#isOpen = false;
      });
    }
  }

  /** Whether what is written may still be read. */
  get isOpen(): boolean {
    return this.#isOpen && this.#stream.writable;
  }

  /** Writes pieces, and waits while the reader is behind. Resolves to false where nobody reads any more. */
  async write(pieces: readonly Uint8Array[]): Promise<boolean> {
    if (!this.isOpen) return false;
    this.#stream.cork();
    let hasRoom = true;
    for (const piece of pieces) hasRoom = this.#stream.write(piece);
    this.#stream.uncork();
    if (!hasRoom && this.#stream.writableNeedDrain) await this.#waitForRoom();
    return this.isOpen;
  }

  /** Waits until all that was written is out of our hands, or nobody reads any more. */
  async flush(): Promise<void> {
    while (this.isOpen && this.#stream.writableLength > 0)
      await new Promise((resolve) => this.#stream.write("", resolve));
  }

  end(): void {
    if (this.isOpen) this.#stream.end();
  }

  #waitForRoom(): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        for (const event of EVENTS) this.#stream.off(event, settle);
        resolve();
      };
      for (const event of EVENTS) this.#stream.on(event, settle);
    });
  }
}
