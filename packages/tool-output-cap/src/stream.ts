export type { Keep, OutputLimit } from "./limits.js";
export { type ChunkReader, captureStream, type ReadableChunks } from "./stream/capture-stream.js";
export { createOutputCapture, type OutputCapture } from "./stream/create-output-capture.js";
export type { CappedText, Truncation } from "./truncation.js";
