import { LineBytes } from "./line-bytes.js";

/** Pieces of this size stay as they came; smaller ones are copied together, since each would cost memory of its own. */
const LARGE_PIECE_BYTES = 8_192;
const MIN_BLOCK_BYTES = 1_024;
const MAX_BLOCK_BYTES = 65_536;
const NO_BLOCK = Buffer.alloc(0);

/** The bytes of a line as they come, in little more memory than their own, and none copied that came in large pieces. */
export class ByteBuffer {
  #pieces: Buffer[] = [];
  #length = 0;
  /** Where small pieces are put together. */
  #block = NO_BLOCK;
  #blockBytes = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Buffer): void {
    this.#length += piece.length;
    if (piece.length >= LARGE_PIECE_BYTES) {
      this.#endBlock();
      this.#pieces.push(piece);
      return;
    }
    if (this.#blockBytes + piece.length > this.#block.length) this.#makeRoom(piece.length);
    piece.copy(this.#block, this.#blockBytes);
    this.#blockBytes += piece.length;
  }

  /** What was appended. The buffer is empty then, and the bytes are the caller's. */
  take(): LineBytes {
    this.#endBlock();
    const taken = new LineBytes(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    return taken;
  }

  #makeRoom(bytes: number): void {
    if (this.#blockBytes + bytes > MAX_BLOCK_BYTES) this.#endBlock();
    const wanted = Math.max(MIN_BLOCK_BYTES, 2 * (this.#blockBytes + bytes));
    const larger = Buffer.allocUnsafeSlow(Math.min(wanted, MAX_BLOCK_BYTES));
    this.#block.copy(larger, 0, 0, this.#blockBytes);
    this.#block = larger;
  }

  #endBlock(): void {
    if (this.#blockBytes > 0) this.#pieces.push(this.#block.subarray(0, this.#blockBytes));
    this.#block = NO_BLOCK;
    this.#blockBytes = 0;
  }
}
