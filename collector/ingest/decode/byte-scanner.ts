const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const COLON = 0x3a;
const UPPER_E = 0x45;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const LOWER_N = 0x6e;
const SPACE = 0x20;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const codes = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const LITERALS = ['true', 'false', 'null'].map(codes);
/** Legal after a backslash, besides u. */
const ESCAPED = codes('"\\/bfnrt');
/** Numbers of this many digits fit into 32 bits. */
const SAFE_DIGITS = 9;
/** Nesting of lists and objects in a skipped value, one bit per level. */
const MAX_SKIPPED_DEPTH = 30;
/** For all skipped values of a batch together: a few milliseconds. A newer extension adds far less. */
const MAX_SKIPPED_BYTES = 2 ** 20;
const MAX_SKIPPED_VALUES = 256;
/** The last three bytes of `null` as one number. */
const ULL = 0x756c6c;
/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

/** The JSON is not in the one shape that the scanner supports; the caller has to parse it. */
export class OtherShape extends Error {}
const OTHER_SHAPE = new OtherShape('not as JSON.stringify writes a batch');

/**
 * A cursor over JSON as `JSON.stringify` writes it, without spaces. It reads numbers and finds the ends of strings
 * without allocating anything, which is where `JSON.parse` spends its time. Throws OtherShape for everything else.
 */
export class ByteScanner {
  readonly bytes: Buffer;
  at = 0;
  /** Range of the last string or object passed, and a hash of its bytes. */
  start = 0;
  end = 0;
  hash = 0;
  /** The last string passed has escapes, so its value differs from its bytes. */
  escaped = false;
  #skippedBytes = 0;
  #skippedValues = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  textOf(from: number, to: number): string {
    return this.bytes.toString('utf8', from, to);
  }

  take(byte: number): void {
    if (this.bytes[this.at++] !== byte) throw OTHER_SHAPE;
  }

  /** Whether `byte` comes next; if so, moves past it. */
  passes(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  /**
   * `[5,null,7]`: exactly as many whole numbers ≥ 0 as `into` is long, up to 2⁵³ − 1, without fractions or exponents.
   *
   * @param none stored for null
   * @param nulls `bit` is set in rows that are null
   * @returns whether no number has more than nine digits
   */
  wholes(into: Float64Array | Int32Array, none: number, nulls: Int32Array, bit: number): boolean {
    this.take(OPEN_LIST);
    const { bytes } = this;
    const last = into.length - 1;
    let { at } = this;
    let short = true;
    for (let row = 0; row <= last; row++) {
      const start = at;
      let byte = bytes[at++] as number;
      let value = byte - ZERO;
      if (value >= 0 && value <= 9) {
        byte = bytes[at++] as number;
        while (byte >= ZERO && byte <= NINE) {
          // 32-bit arithmetic is twice as fast as doubles; larger numbers are read again below.
          value = (Math.imul(value, 10) + byte - ZERO) | 0;
          byte = bytes[at++] as number;
        }
        const digits = at - 1 - start;
        // JSON has no leading zeros.
        if (digits > 1 && bytes[start] === ZERO) throw OTHER_SHAPE;
        if (digits <= SAFE_DIGITS) into[row] = value;
        else {
          into[row] = longNumber(bytes, start, at - 1, into);
          short = false;
        }
      } else {
        const rest = ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
        if (byte !== LOWER_N || rest !== ULL) throw OTHER_SHAPE;
        into[row] = none;
        nulls[row] = (nulls[row] as number) | bit;
        byte = bytes[at + 3] as number;
        at += 4;
      }
      if (byte !== (row === last ? CLOSE_LIST : COMMA)) throw OTHER_SHAPE;
    }
    if (last < 0 && bytes[at++] !== CLOSE_LIST) throw OTHER_SHAPE;
    this.at = at;
    return short;
  }

  /** A single whole number. */
  whole(): number {
    const { bytes, at: start } = this;
    let at = start;
    while ((bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at++;
    if (at === start || (bytes[start] === ZERO && at > start + 1)) throw OTHER_SHAPE;
    this.at = at;
    return longNumber(bytes, start, at, null);
  }

  /** A single integer. */
  signed(): number {
    return this.passes(MINUS) ? -this.whole() : this.whole();
  }

  /** Passes a quoted string; `start` and `end` exclude the quotes. */
  text(): void {
    this.take(QUOTE);
    const { bytes } = this;
    let { at } = this;
    let hash = HASH_START;
    this.start = at;
    this.escaped = false;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[++at]) {
      if (byte === undefined || byte < SPACE) throw OTHER_SHAPE;
      hash = Math.imul(hash ^ byte, HASH_FACTOR);
      if (byte !== BACKSLASH) continue;
      at = endOfEscape(bytes, at);
      this.escaped = true;
    }
    this.end = at;
    this.hash = hash ^ (hash >>> 15);
    this.at = at + 1;
  }

  /** Passes everything up to the next `byte`; `start` and `end` include it. */
  through(byte: number): void {
    const { bytes } = this;
    let { at } = this;
    let hash = HASH_START;
    this.start = at;
    for (let next = bytes[at]; next !== byte; next = bytes[++at]) {
      if (next === undefined) throw OTHER_SHAPE;
      hash = Math.imul(hash ^ next, HASH_FACTOR);
    }
    this.at = at + 1;
    this.end = this.at;
    this.hash = hash ^ (hash >>> 15);
  }

  /**
   * Passes any value that JSON.parse accepts, except for spaces and beyond the limits above.
   */
  skip(): void {
    const { at: start } = this;
    this.#skipValue();
    this.#skippedBytes += this.at - start;
    this.#skippedValues++;
    if (this.#skippedBytes > MAX_SKIPPED_BYTES || this.#skippedValues > MAX_SKIPPED_VALUES) throw OTHER_SHAPE;
  }

  #skipValue(): void {
    /** A leading one, then per level around the value a one for an object, a zero for a list. */
    let around = 1;
    for (;;) {
      if (this.passes(OPEN_OBJECT)) {
        if (!this.passes(CLOSE_OBJECT)) {
          around = deeper(around, 1);
          this.#skipName();
          continue;
        }
      } else if (this.passes(OPEN_LIST)) {
        if (!this.passes(CLOSE_LIST)) {
          around = deeper(around, 0);
          continue;
        }
      } else this.#skipScalar();
      while (around > 1 && !this.more((around & 1) === 1 ? CLOSE_OBJECT : CLOSE_LIST)) around >>= 1;
      if (around === 1) return;
      if ((around & 1) === 1) this.#skipName();
    }
  }

  #skipName(): void {
    this.#skipText();
    this.take(COLON);
  }

  #skipText(): void {
    this.take(QUOTE);
    const { bytes } = this;
    let { at } = this;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[++at]) {
      if (byte === undefined || byte < SPACE) throw OTHER_SHAPE;
      if (byte === BACKSLASH) at = endOfEscape(bytes, at);
    }
    this.at = at + 1;
  }

  #skipScalar(): void {
    const { bytes } = this;
    const byte = bytes[this.at];
    if (byte === QUOTE) this.#skipText();
    else if (byte === MINUS || (byte !== undefined && byte >= ZERO && byte <= NINE)) this.#skipNumber();
    else {
      const word = LITERALS.find((letters) => letters.every((letter, place) => bytes[this.at + place] === letter));
      if (word === undefined) throw OTHER_SHAPE;
      this.at += word.length;
    }
  }

  /** https://www.rfc-editor.org/rfc/rfc8259#section-6 */
  #skipNumber(): void {
    this.passes(MINUS);
    if (!this.passes(ZERO)) this.#skipDigits();
    if (this.passes(POINT)) this.#skipDigits();
    if (this.passes(LOWER_E) || this.passes(UPPER_E)) {
      if (!this.passes(PLUS)) this.passes(MINUS);
      this.#skipDigits();
    }
  }

  #skipDigits(): void {
    const { bytes, at: start } = this;
    let at = start;
    while ((bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at++;
    if (at === start) throw OTHER_SHAPE;
    this.at = at;
  }

  /** Passes a separator: true before another member of a list or an object, false after `close`. */
  more(close: number): boolean {
    const byte = this.bytes[this.at++];
    if (byte === COMMA) return true;
    if (byte !== close) throw OTHER_SHAPE;
    return false;
  }
}

function deeper(around: number, kind: 0 | 1): number {
  if (around >= 1 << MAX_SKIPPED_DEPTH) throw OTHER_SHAPE;
  return (around << 1) | kind;
}

/** Offset of the last byte of an escape that begins at `at`. */
function endOfEscape(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 1];
  if (kind === LOWER_U) {
    for (let digit = at + 2; digit < at + 6; digit++) if (!isHexDigit(bytes[digit])) throw OTHER_SHAPE;
    return at + 5;
  }
  if (kind === undefined || !ESCAPED.includes(kind)) throw OTHER_SHAPE;
  return at + 1;
}

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return (byte >= ZERO && byte <= NINE) || (lower >= 0x61 && lower <= 0x66);
}

/** A whole number of any length that a double holds exactly. Dictionary indexes are never this long. */
function longNumber(bytes: Uint8Array, start: number, end: number, into: Float64Array | Int32Array | null): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + ((bytes[at] as number) - ZERO);
  if (value > Number.MAX_SAFE_INTEGER || into instanceof Int32Array) throw OTHER_SHAPE;
  return value;
}

/** For callers of the scanner. */
export function otherShape(): never {
  throw OTHER_SHAPE;
}
