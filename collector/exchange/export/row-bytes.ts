const COMMA_FREE_DIGITS = 24;
const ZERO = 48;
const POINT = 46;

/**
 * Text of many rows, written byte by byte: concatenating strings and encoding them afterwards takes four times as long.
 * Space has to be reserved for each row (`reserve`); bytes written beyond it are lost.
 */
export class RowBytes {
  private bytes: Uint8Array;
  private length = 0;
  private second = Number.NaN;
  private secondText = new Uint8Array(0);

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  get written(): number {
    return this.length;
  }

  /** Returns the bytes written and starts an empty buffer. */
  take(): Uint8Array {
    const piece = this.bytes.slice(0, this.length);
    this.length = 0;
    return piece;
  }

  reserve(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + bytes));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  string(string: Uint8Array): void {
    const { bytes } = this;
    let at = this.length;
    // Strings are short: a loop is faster than `set`.
    for (let i = 0; i < string.length; i++) bytes[at++] = string[i] as number;
    this.length = at;
  }

  /** A non-negative whole number. */
  whole(value: number): void {
    if (value < 10) {
      this.bytes[this.length++] = ZERO + value;
      return;
    }
    let digits = 1;
    for (let limit = 10; limit <= value; limit *= 10) digits++;
    const { bytes } = this;
    let rest = value;
    for (let at = this.length + digits - 1; at >= this.length; at--) {
      const next = Math.floor(rest / 10);
      bytes[at] = ZERO + (rest - next * 10);
      rest = next;
    }
    this.length += digits;
  }

  /** Whole microseconds as milliseconds, exactly: 41250 becomes 41.25. */
  milliseconds(microseconds: number): void {
    const whole = Math.floor(microseconds / 1000);
    this.whole(whole);
    const rest = microseconds - whole * 1000;
    if (rest === 0) return;
    const { bytes } = this;
    const hundreds = Math.floor(rest / 100);
    const tens = Math.floor(rest / 10) - hundreds * 10;
    const ones = rest % 10;
    bytes[this.length++] = POINT;
    bytes[this.length++] = ZERO + hundreds;
    if (tens === 0 && ones === 0) return;
    bytes[this.length++] = ZERO + tens;
    if (ones !== 0) bytes[this.length++] = ZERO + ones;
  }

  /**
   * Epoch ms as `2026-03-01 12:00:00.000`, with this separator between date and time. Samples come in order, so
   * consecutive ones mostly share their second.
   */
  moment(at: number, separator: 'T' | ' '): void {
    const second = Math.floor(at / 1000);
    if (second !== this.second) {
      this.second = second;
      this.secondText = Buffer.from(new Date(second * 1000).toISOString().slice(0, 20).replace('T', separator));
    }
    this.string(this.secondText);
    const rest = at - second * 1000;
    const { bytes } = this;
    bytes[this.length++] = ZERO + Math.floor(rest / 100);
    bytes[this.length++] = ZERO + (Math.floor(rest / 10) % 10);
    bytes[this.length++] = ZERO + (rest % 10);
  }
}

/** More than any number or time takes, including its quotes. */
export const NUMBER_BYTES = 2 * COMMA_FREE_DIGITS;
