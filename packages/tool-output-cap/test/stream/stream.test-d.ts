// Checked by tsc alone: a signature that changes does not compile here.
import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import type { CappedText, OutputLimit } from "../../src/index.js";
import { captureStream, type createOutputCapture, type OutputCapture, type ReadableChunks } from "../../src/stream.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

assertType<Same<typeof createOutputCapture, (limit: OutputLimit) => OutputCapture>>();
assertType<
  Same<
    typeof captureStream,
    (source: AsyncIterable<Uint8Array | string> | ReadableChunks, limit: OutputLimit) => Promise<CappedText>
  >
>();
assertType<Same<OutputCapture, { write(chunk: Uint8Array | string): void; finish(): CappedText }>>();

declare const child: ChildProcessByStdio<null, Readable, null>;
declare const response: Response;
declare const body: ReadableStream<Uint8Array>;
captureStream(child.stdout, { maxBytes: 1, keep: "tail" });
captureStream(body, { maxBytes: 1 });
// @ts-expect-error: a response may have no body.
captureStream(response.body, { maxBytes: 1 });
// @ts-expect-error: a text is no source, though one could iterate over its characters.
captureStream("text", { maxBytes: 1 });
// @ts-expect-error: there is no limit by default.
captureStream(child.stdout);
