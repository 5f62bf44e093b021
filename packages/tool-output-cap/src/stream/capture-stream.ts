import { describeFault } from "../describe-value.js";
import type { OutputLimit } from "../limits.js";
import type { CappedText } from "../truncation.js";
import { createOutputCapture } from "./create-output-capture.js";

/** A stream of the web, as far as it is read here: a `ReadableStream` is one. */
export interface ReadableChunks {
  getReader(): ChunkReader;
}

/** The reader of such a stream: a `ReadableStreamDefaultReader` is one. */
export interface ChunkReader {
  read(): Promise<
    { readonly done: false; readonly value: Uint8Array | string } | { readonly done: true; readonly value?: unknown }
  >;
  cancel(reason: unknown): Promise<void>;
  releaseLock(): void;
}

/**
 * Reads a source to its end, and gives what `capText` would give for all of it: a child's stdout, the body of a
 * fetch, any async iterable of bytes or strings. A `ReadableStream` will do where it is no async iterable yet (Safari). The
 * source is drained whatever the limit, so that a child never waits for its output to be read. What is held, and how
 * chunks are joined, is as with `createOutputCapture`: use that to get what there is of a source that fails.
 *
 * Rejects with the source's own error where the source fails. Otherwise with a TypeError for a chunk that is neither a
 * `Uint8Array` nor a string (the source is ended then) and for a source that is none, and with what `createOutputCapture`
 * throws for its limit, before anything is read.
 */
export async function captureStream(
  source: AsyncIterable<Uint8Array | string> | ReadableChunks,
  limit: OutputLimit,
): Promise<CappedText> {
  const capture = createOutputCapture(limit);
  if (isAsyncIterable(source)) {
    for await (const chunk of source) capture.write(chunk);
  } else if (isReadable(source)) {
    await readToEnd(source.getReader(), (chunk) => capture.write(chunk));
  } else {
    const remedy = "child.stdout, or response.body";
    throw new TypeError(describeFault("source", "an async iterable of chunks", source, remedy));
  }
  return capture.finish();
}

async function readToEnd(reader: ChunkReader, write: (chunk: Uint8Array | string) => void): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      write(value);
    }
  } catch (error) {
    await reader.cancel(error);
    throw error;
  } finally {
    reader.releaseLock();
  }
}

function isAsyncIterable(source: unknown): source is AsyncIterable<Uint8Array | string> {
  return hasMethod(source, Symbol.asyncIterator);
}

function isReadable(source: unknown): source is ReadableChunks {
  return hasMethod(source, "getReader");
}

function hasMethod(value: unknown, name: PropertyKey): boolean {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, name) === "function";
}
