import { threadId } from 'node:worker_threads';

/** Associativity: slots in which a string may be stored. */
const WAYS = 4;
/** Bytes of a typical string; fewer long ones fit. */
const USUAL_BYTES = 32;

/** Fields of a slot: a string's hash, where its bytes begin and end, and its number plus one, 0 if the slot is free. */
const [HASH, START, END, NUMBER, FIELDS] = [0, 1, 2, 3, 4] as const;

/** The mixing step of MurmurHash3, four bytes at a time: https://github.com/aappleby/smhasher/wiki/MurmurHash3 */
const HASH_FACTOR = 0x85ebca6b;

export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  let at = from;
  for (; at + 3 < to; at += 4) {
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    hash = Math.imul(hash ^ word, HASH_FACTOR);
    hash ^= hash >>> 15;
  }
  for (; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), HASH_FACTOR);
  return hash ^ (hash >>> 15);
}

/** Shared by all tables of a thread, so that no two have the same edition; other threads begin elsewhere. */
let editions = threadId * 2 ** 32;

/**
 * Values by their bytes. Browsers send the same few strings all day: comparing the bytes costs a fraction of
 * creating and validating a string. The fields of a slot are adjacent, since each cache miss counts. The size is fixed
 * and the table is cleared when full, so that senders can neither fill memory nor cost time with colliding strings.
 *
 * Each value has a number, by which callers can index what they know about it. Two numbers of the same `edition` are
 * equal if and only if their values are; numbers of different editions can't be compared.
 */
export class InternTable<Value> {
  private readonly slots: Int32Array;
  private readonly values: Value[] = [];
  /** A value may be written in two ways, and one of them displaced. */
  private readonly numbers = new Map<Value, number>();
  private readonly bytes: Uint8Array;
  private readonly longest: number;
  private readonly capacity: number;
  private usedBytes = 0;
  private currentEdition = ++editions;

  /** @param slots a power of two @param longest strings with more bytes are not stored */
  constructor(slots: number, longest: number) {
    this.longest = longest;
    this.capacity = slots;
    this.slots = new Int32Array(slots * FIELDS);
    this.bytes = new Uint8Array(Math.max(slots * USUAL_BYTES, longest));
  }

  get edition(): number {
    return this.currentEdition;
  }

  /** The number of the value written in the bytes from `from` up to `to`; −1 if unknown. */
  find(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const { slots } = this;
    const last = slots.length - FIELDS;
    for (let way = 0; way < WAYS; way++) {
      const slot = Math.imul(hash + way, FIELDS) & last;
      const number = (slots[slot + NUMBER] as number) - 1;
      if (number < 0) return -1;
      if (slots[slot + HASH] === hash && this.holds(slot, bytes, from, to)) return number;
    }
    return -1;
  }

  /** @param number of this edition */
  value(number: number): Value {
    return this.values[number] as Value;
  }

  /** @returns its number; −1 if it is too long to be stored */
  add(bytes: Uint8Array, from: number, to: number, hash: number, value: Value): number {
    const length = to - from;
    if (length > this.longest) return -1;
    if (this.values.length >= this.capacity || this.usedBytes + length > this.bytes.length) this.clear();
    const start = this.usedBytes;
    this.bytes.set(bytes.subarray(from, to), start);
    this.usedBytes += length;
    const number = this.numberOf(value);
    this.slots.set([hash, start, start + length, number + 1], this.slotFor(hash));
    return number;
  }

  private numberOf(value: Value): number {
    const known = this.numbers.get(value);
    if (known !== undefined) return known;
    const number = this.values.push(value) - 1;
    this.numbers.set(value, number);
    return number;
  }

  /** A free slot, or that of the string to displace. */
  private slotFor(hash: number): number {
    const last = this.slots.length - FIELDS;
    for (let way = 0; way < WAYS; way++) {
      const slot = Math.imul(hash + way, FIELDS) & last;
      if (this.slots[slot + NUMBER] === 0) return slot;
    }
    return Math.imul(hash, FIELDS) & last;
  }

  private holds(slot: number, bytes: Uint8Array, from: number, to: number): boolean {
    const known = this.bytes;
    let at = this.slots[slot + START] as number;
    if ((this.slots[slot + END] as number) - at !== to - from) return false;
    for (let next = from; next < to; next++) if (bytes[next] !== known[at++]) return false;
    return true;
  }

  private clear(): void {
    this.currentEdition = ++editions;
    this.usedBytes = 0;
    this.slots.fill(0);
    this.values.length = 0;
    this.numbers.clear();
  }
}
