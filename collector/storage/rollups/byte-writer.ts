const LOW_BITS = 128;
/** Below this the bit operators are safe, and fast. */
const SMALL = 2 ** 28;
const START_BYTES = 1 << 16;

/** A growing buffer of variable-length whole numbers: seven bits a byte, lowest first. */
export class ByteWriter {
  private bytes = new Uint8Array(START_BYTES);
  length = 0;

  /** @param value whole, 0 … 2⁵³ */
  varint(value: number): void {
    if (this.length + 8 > this.bytes.length) this.grow(this.length + 8);
    let rest = value;
    while (rest >= SMALL) {
      this.bytes[this.length++] = (rest % LOW_BITS) | LOW_BITS;
      rest = Math.floor(rest / LOW_BITS);
    }
    while (rest >= LOW_BITS) {
      this.bytes[this.length++] = (rest & 127) | LOW_BITS;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  /** Either sign: it goes into the lowest bit. */
  folded(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  append(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.bytes.length) this.grow(this.length + bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** The next `size` bytes, to be written by the caller at once: what stands in them is of no meaning. */
  room(size: number): Uint8Array {
    const end = this.length + size;
    if (end > this.bytes.length) this.grow(end);
    const room = this.bytes.subarray(this.length, end);
    this.length = end;
    return room;
  }

  /** What was written; valid until the writer is used again. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private grow(needed: number): void {
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}
