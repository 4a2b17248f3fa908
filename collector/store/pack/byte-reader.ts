const LOW_BITS = 128;

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
    let scale = LOW_BITS;
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
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
