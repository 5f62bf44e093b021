/** The last `maxBytes` of all bytes that went in. The memory grows with what goes in, up to that. */
export class RingBytes {
  readonly #maxBytes: number;
  #ring: Uint8Array = new Uint8Array(0);
  #length = 0;
  /** Where the next byte goes; once the ring is full, that is where the oldest is. */
  #next = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Copies what stays of the bytes. */
  push(bytes: Uint8Array): void {
    const last = bytes.subarray(Math.max(0, bytes.length - this.#maxBytes));
    if (last.length === 0) return;
    this.#grow(this.#length + last.length);
    const untilEnd = this.#ring.length - this.#next;
    this.#ring.set(last.subarray(0, untilEnd), this.#next);
    this.#ring.set(last.subarray(untilEnd));
    this.#next = (this.#next + last.length) % this.#maxBytes;
    this.#length = Math.min(this.#maxBytes, this.#length + last.length);
  }

  /** The bytes in order, good until the next push. */
  read(): Uint8Array {
    if (this.#length < this.#maxBytes || this.#next === 0) return this.#ring.subarray(0, this.#length);
    const ordered = new Uint8Array(this.#length);
    ordered.set(this.#ring.subarray(this.#next));
    ordered.set(this.#ring.subarray(0, this.#next), this.#length - this.#next);
    return ordered;
  }

  #grow(wantedBytes: number): void {
    if (this.#ring.length >= Math.min(this.#maxBytes, wantedBytes)) return;
    // Doubling: every byte is moved about once. A ring that is not at its full size has not gone round yet.
    const ring = new Uint8Array(Math.min(this.#maxBytes, Math.max(wantedBytes, 2 * this.#ring.length, 1_024)));
    ring.set(this.#ring);
    this.#ring = ring;
  }
}
