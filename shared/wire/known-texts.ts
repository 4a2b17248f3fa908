/** Places that one text may stand in. */
const WAYS = 4;

/**
 * Texts by the bytes they are written with. Browsers send the same few names all day: finding one here costs a look at
 * its bytes, where making a string and judging it anew would cost many times that. A fixed number of places, so what is
 * sent may neither fill memory nor, by texts that were made to collide, cost time.
 */
export class KnownTexts {
  private readonly hashes: Int32Array;
  /**
   * The bytes of each behind their number and one, 0 where nothing is remembered: in one piece of memory, since each further
   * place to look at would be a wait.
   */
  private readonly keys: Uint8Array;
  private readonly texts: string[];
  private readonly mask: number;
  private readonly room: number;

  /**
   * @param places a power of two
   * @param longest bytes of a text that is worth remembering, at most 254
   */
  constructor(places: number, longest: number) {
    this.room = longest + 1;
    this.hashes = new Int32Array(places);
    this.keys = new Uint8Array(places * this.room);
    this.texts = new Array<string>(places).fill('');
    this.mask = places - 1;
  }

  /** The text that `bytes` from `from` up to `to` are known to say; null where they aren't known. */
  find(bytes: Uint8Array, from: number, to: number, hash: number): string | null {
    for (let way = 0; way < WAYS; way++) {
      const place = (hash + way) & this.mask;
      if (this.hashes[place] === hash && this.isAt(place, bytes, from, to)) return this.texts[place] as string;
    }
    return null;
  }

  remember(bytes: Uint8Array, from: number, to: number, hash: number, text: string): void {
    if (to - from >= this.room) return;
    let place = hash & this.mask;
    for (let way = 0; way < WAYS; way++) {
      const next = (hash + way) & this.mask;
      if (this.keys[next * this.room] !== 0) continue;
      place = next;
      break;
    }
    this.hashes[place] = hash;
    this.keys[place * this.room] = to - from + 1;
    this.keys.set(bytes.subarray(from, to), place * this.room + 1);
    this.texts[place] = text;
  }

  private isAt(place: number, bytes: Uint8Array, from: number, to: number): boolean {
    const { keys } = this;
    let at = place * this.room;
    if (keys[at++] !== to - from + 1) return false;
    for (let next = from; next < to; next++) if (bytes[next] !== keys[at++]) return false;
    return true;
  }
}
