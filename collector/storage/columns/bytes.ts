const LOW_BITS = 128;
/** Below these the bit operators are safe, and fast. */
const SMALL_READ = 2 ** 31;
const SMALL_WRITTEN = 2 ** 28;
const START_BYTES = 1 << 16;

/** A growing buffer of variable-length whole numbers: seven bits a byte, lowest first. */
export class ByteWriter {
  private bytes: Uint8Array;
  private readonly allocate: (size: number) => Uint8Array;
  length = 0;

  /** @param shared whether other threads can read the bytes */
  constructor(shared = false) {
    this.allocate = (size) => new Uint8Array(shared ? new SharedArrayBuffer(size) : new ArrayBuffer(size));
    this.bytes = this.allocate(START_BYTES);
  }

  /** @param value whole, 0 … 2⁵³ */
  varint(value: number): void {
    if (this.length + 8 > this.bytes.length) this.grow(this.length + 8);
    let rest = value;
    while (rest >= SMALL_WRITTEN) {
      this.bytes[this.length++] = (rest % LOW_BITS) | LOW_BITS;
      rest = Math.floor(rest / LOW_BITS);
    }
    while (rest >= LOW_BITS) {
      this.bytes[this.length++] = (rest & 127) | LOW_BITS;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  /** A number of either sign, which is kept in the lowest bit. */
  folded(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  append(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.bytes.length) this.grow(this.length + bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** The next `size` bytes, uninitialized, for the caller to fill at once. */
  reserve(size: number): Uint8Array {
    const end = this.length + size;
    if (end > this.bytes.length) this.grow(end);
    const reserved = this.bytes.subarray(this.length, end);
    this.length = end;
    return reserved;
  }

  /** Everything written so far; valid until the writer is used again. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private grow(needed: number): void {
    const grown = this.allocate(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}

/** Reads what ByteWriter wrote. Throws a RangeError past the end: a damaged block must not become an answer. */
export class ByteReader {
  at = 0;
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++];
    if (byte === undefined) throw new RangeError('The bytes end inside a number.');
    if (byte < LOW_BITS) return byte;
    let value = byte & 127;
    byte = bytes[this.at++];
    if (byte === undefined) throw new RangeError('The bytes end inside a number.');
    value |= (byte & 127) << 7;
    if (byte < LOW_BITS) return value;
    let scale = LOW_BITS * LOW_BITS;
    do {
      byte = bytes[this.at++];
      if (byte === undefined) throw new RangeError('The bytes end inside a number.');
      value += (byte & 127) * scale;
      scale *= LOW_BITS;
    } while (byte >= LOW_BITS);
    return value;
  }

  folded(): number {
    const value = this.varint();
    // The remainder of a division beyond 32 bits is slow.
    if (value < SMALL_READ) return (value & 1) === 0 ? value >>> 1 : -((value + 1) >>> 1);
    const half = Math.floor(value / 2);
    return half * 2 === value ? half : -half - 1;
  }
}
