/** Places that one text may stand in. */
const WAYS = 4;
/** Bytes of a text as most of them are: with longer ones, fewer are remembered. */
const USUAL_BYTES = 32;

/** What stands at a place: the hash of a text, where its bytes begin and end, and its number and one, 0 where there is none. */
const [HASH, START, END, NUMBER, FIELDS] = [0, 1, 2, 3, 4] as const;

/** Of all tables together, so that no two have the same. */
let editions = 0;

/**
 * What texts mean, by the bytes they are written with. Browsers send the same few names all day: finding one here costs a
 * look at its bytes, where making a string and judging it anew would cost many times that. What there is to know of a text
 * stands side by side, since a look at memory that nobody has looked at lately is a wait. A fixed room, so what is sent may
 * neither fill memory nor, by texts that were made to collide, cost time: once it is full, all is forgotten.
 *
 * Each meaning has a number, so that whoever comes across the same ones again and again can note beside it what they are to
 * him. Two numbers of one `edition` are the same if and only if their meanings are; those of another say nothing.
 */
export class KnownTexts<Meaning> {
  private readonly places: Int32Array;
  private readonly meanings: Meaning[] = [];
  /** One meaning may be written in two ways, and be forgotten in one of them. */
  private readonly numbers = new Map<Meaning, number>();
  private readonly bytes: Uint8Array;
  private readonly longest: number;
  private readonly capacity: number;
  private usedBytes = 0;
  private currentEdition = ++editions;

  /**
   * @param places a power of two
   * @param longest bytes of a text that is worth remembering
   */
  constructor(places: number, longest: number) {
    this.longest = longest;
    this.capacity = places;
    this.places = new Int32Array(places * FIELDS);
    this.bytes = new Uint8Array(Math.max(places * USUAL_BYTES, longest));
  }

  get edition(): number {
    return this.currentEdition;
  }

  /** The number of what the text means that is written from `from` up to `to`; −1 where it isn't known. */
  find(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const { places } = this;
    const last = places.length - FIELDS;
    for (let way = 0; way < WAYS; way++) {
      const place = Math.imul(hash + way, FIELDS) & last;
      const number = (places[place + NUMBER] as number) - 1;
      if (number < 0) return -1;
      if (places[place + HASH] === hash && this.says(place, bytes, from, to)) return number;
    }
    return -1;
  }

  /** @param number of this edition */
  meaning(number: number): Meaning {
    return this.meanings[number] as Meaning;
  }

  /** @returns its number; −1 if it is too long to be remembered */
  remember(bytes: Uint8Array, from: number, to: number, hash: number, meaning: Meaning): number {
    const length = to - from;
    if (length > this.longest) return -1;
    if (this.meanings.length >= this.capacity || this.usedBytes + length > this.bytes.length) this.forgetAll();
    const start = this.usedBytes;
    this.bytes.set(bytes.subarray(from, to), start);
    this.usedBytes += length;
    const number = this.numberOf(meaning);
    this.places.set([hash, start, start + length, number + 1], this.placeFor(hash));
    return number;
  }

  private numberOf(meaning: Meaning): number {
    const known = this.numbers.get(meaning);
    if (known !== undefined) return known;
    const number = this.meanings.push(meaning) - 1;
    this.numbers.set(meaning, number);
    return number;
  }

  /** A free one, or that of the text which has to go. */
  private placeFor(hash: number): number {
    const last = this.places.length - FIELDS;
    for (let way = 0; way < WAYS; way++) {
      const place = Math.imul(hash + way, FIELDS) & last;
      if (this.places[place + NUMBER] === 0) return place;
    }
    return Math.imul(hash, FIELDS) & last;
  }

  private says(place: number, bytes: Uint8Array, from: number, to: number): boolean {
    const known = this.bytes;
    let at = this.places[place + START] as number;
    if ((this.places[place + END] as number) - at !== to - from) return false;
    for (let next = from; next < to; next++) if (bytes[next] !== known[at++]) return false;
    return true;
  }

  private forgetAll(): void {
    this.currentEdition = ++editions;
    this.usedBytes = 0;
    this.places.fill(0);
    this.meanings.length = 0;
    this.numbers.clear();
  }
}
