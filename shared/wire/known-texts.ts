/** Places that one text may stand in. */
const WAYS = 4;
/** Bytes of a text as most of them are: with longer ones, fewer are remembered. */
const USUAL_BYTES = 32;

/**
 * Texts by the bytes they are written with. Browsers send the same few names all day: finding one here costs a look at
 * its bytes, where making a string and judging it anew would cost many times that. What is known stands side by side in the
 * order it came, since a look at memory that nobody has looked at lately is a wait. A fixed room, so what is sent may
 * neither fill memory nor, by texts that were made to collide, cost time: once it is full, all is forgotten.
 */
export class KnownTexts {
  /** By hash: the number of a text and one, 0 where there is none. */
  private readonly numbers: Int32Array;
  /** By number, as all below. The bytes of a text end where those of the next begin. */
  private readonly hashes: Int32Array;
  private readonly starts: Int32Array;
  private readonly texts: string[];
  private readonly bytes: Uint8Array;
  private readonly longest: number;
  private count = 0;

  /**
   * @param places a power of two
   * @param longest bytes of a text that is worth remembering
   */
  constructor(places: number, longest: number) {
    this.longest = longest;
    this.numbers = new Int32Array(places);
    this.hashes = new Int32Array(places);
    this.starts = new Int32Array(places + 1);
    this.texts = new Array<string>(places).fill('');
    this.bytes = new Uint8Array(Math.max(places * USUAL_BYTES, longest));
  }

  /** The text that `bytes` from `from` up to `to` are known to say; null where they aren't known. */
  find(bytes: Uint8Array, from: number, to: number, hash: number): string | null {
    const { numbers, hashes } = this;
    const mask = numbers.length - 1;
    for (let way = 0; way < WAYS; way++) {
      const number = (numbers[(hash + way) & mask] as number) - 1;
      if (number < 0) return null;
      if (hashes[number] === hash && this.says(number, bytes, from, to)) return this.texts[number] as string;
    }
    return null;
  }

  remember(bytes: Uint8Array, from: number, to: number, hash: number, text: string): void {
    if (to - from > this.longest) return;
    const start = this.starts[this.count] as number;
    if (this.count >= this.texts.length || start + to - from > this.bytes.length) {
      this.forgetAll();
      this.remember(bytes, from, to, hash, text);
      return;
    }
    this.bytes.set(bytes.subarray(from, to), start);
    this.hashes[this.count] = hash;
    this.texts[this.count] = text;
    this.count++;
    this.starts[this.count] = start + to - from;
    this.numbers[this.placeFor(hash)] = this.count;
  }

  /** A free one, or that of the text which has to go. */
  private placeFor(hash: number): number {
    const mask = this.numbers.length - 1;
    for (let way = 0; way < WAYS; way++) {
      const place = (hash + way) & mask;
      if (this.numbers[place] === 0) return place;
    }
    return hash & mask;
  }

  private says(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const known = this.bytes;
    let at = this.starts[number] as number;
    if ((this.starts[number + 1] as number) - at !== to - from) return false;
    for (let next = from; next < to; next++) if (bytes[next] !== known[at++]) return false;
    return true;
  }

  private forgetAll(): void {
    this.count = 0;
    this.numbers.fill(0);
    this.texts.fill('');
  }
}
