const LOW_BITS = 128;
/** Below this the bit operators are safe, and fast. */
const SMALL = 2 ** 31;

/** Reads what ByteWriter wrote. Past the end it throws a RangeError: a damaged pack must not become an answer. */
export class ByteReader {
  at = 0;
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++];
    if (byte === undefined) throw new RangeError('The bytes end inside of a number.');
    if (byte < LOW_BITS) return byte;
    let value = byte & 127;
    byte = bytes[this.at++];
    if (byte === undefined) throw new RangeError('The bytes end inside of a number.');
    value |= (byte & 127) << 7;
    if (byte < LOW_BITS) return value;
    let scale = LOW_BITS * LOW_BITS;
    do {
      byte = bytes[this.at++];
      if (byte === undefined) throw new RangeError('The bytes end inside of a number.');
      value += (byte & 127) * scale;
      scale *= LOW_BITS;
    } while (byte >= LOW_BITS);
    return value;
  }

  folded(): number {
    const value = this.varint();
    // What is left of a division of numbers past 32 bits is slow to find.
    if (value < SMALL) return (value & 1) === 0 ? value >>> 1 : -((value + 1) >>> 1);
    const half = Math.floor(value / 2);
    return half * 2 === value ? half : -half - 1;
  }
}
