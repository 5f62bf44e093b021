import { readErrorCode, SessionLogError } from "./session-log-error.js";

/** A file that is open for appending, as far as it is needed here. */
export interface AppendTarget {
  readonly handle: {
    stat(): Promise<{ readonly size: number; readonly nlink: number }>;
    truncate(bytes: number): Promise<void>;
    write(line: Buffer, offset: number, length: number, position: null): Promise<{ readonly bytesWritten: number }>;
    datasync(): Promise<void>;
  };
  readonly file: string;
}

/** Where the whole lines of the file end, and where the file does, in bytes: between them is a torn tail. */
export interface LogExtent {
  readonly committedEnd: number;
  readonly fileEnd: number;
}

/**
 * Appends lines, each wholly or not at all: what a failed append or an earlier process left behind the last whole line
 * is cut before the next line is written. Appends must not overlap.
 */
export class LineWriter {
  readonly #target: AppendTarget;
  readonly #sync: () => Promise<void>;
  #committedEnd: number;
  /** How far the file may reach by our own doing. Beyond that, something else has written. */
  #tornEnd: number;

  constructor(target: AppendTarget, extent: LogExtent, options: { readonly fsync: boolean }) {
    this.#target = target;
    this.#sync = options.fsync ? () => target.handle.datasync() : () => Promise.resolve();
    this.#committedEnd = extent.committedEnd;
    this.#tornEnd = extent.fileEnd;
  }

  /** Bytes that hold acknowledged lines. */
  get committedEnd(): number {
    return this.#committedEnd;
  }

  /**
   * Resolves when the line, its newline included, is kept.
   *
   * @throws SessionLogError
   */
  async append(line: Buffer): Promise<void> {
    try {
      await this.#cutTornTail();
      this.#tornEnd = this.#committedEnd + line.length;
      await this.#write(line);
      await this.#sync();
      this.#committedEnd = this.#tornEnd;
    } catch (cause) {
      if (cause instanceof SessionLogError) throw cause;
      throw this.#failedWrite(cause);
    }
  }

  async #cutTornTail(): Promise<void> {
    const { handle } = this.#target;
    const { size, nlink } = await handle.stat();
    if (nlink === 0) throw this.#changedFile("a file that was deleted or replaced");
    if (size < this.#committedEnd || size > this.#tornEnd) throw this.#changedFile(`${size} bytes`);
    if (size > this.#committedEnd) await handle.truncate(this.#committedEnd);
  }

  // A disk that fills up takes a part of a line, and says so only when it is asked to take the rest.
  async #write(line: Buffer): Promise<void> {
    for (let offset = 0; offset < line.length; ) {
      const { bytesWritten } = await this.#target.handle.write(line, offset, line.length - offset, null);
      if (bytesWritten === 0) throw new Error("the file takes no more bytes");
      offset += bytesWritten;
    }
  }

  #failedWrite(cause: unknown): SessionLogError {
    const received = readErrorCode(cause);
    const remedy = "make room or mend the disk, and append the entry again";
    const fault = { file: this.#target.file, expected: "to keep the entry", received, remedy, cause };
    return new SessionLogError("failed-write", fault);
  }

  #changedFile(received: string): SessionLogError {
    const expected = `the ${this.#committedEnd} bytes that were written`;
    const remedy = "let one process at a time use the file, and open it again";
    return new SessionLogError("changed-file", { file: this.#target.file, expected, received, remedy });
  }
}
