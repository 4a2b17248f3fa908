import { BUCKET_COUNT, toBucket } from '../../../shared/statistics/sketch-buckets.ts';
import type { ByteWriter } from '../columns/bytes.ts';

/** Layout of `spans` per row: its first bucket, the number of buckets it covers, and where they start in `counts`. */
const [FIRST, LENGTH, AT, SPAN] = [0, 1, 2, 3];
/** Buckets are covered an octave at a time. */
const OCTAVE = 64;
/** Counts have two bytes; the rare overflow is kept in a map. */
const CARRY = 2 ** 16;
const START_ROWS = 64;
const START_COUNTS = 1 << 12;

/**
 * Bucket counts of many sketches, one row each, in a single array. As objects, an hour's tens of thousands of sketches would
 * be most of the garbage collector's work, and each access would miss the cache a dozen times.
 */
export class BucketRows {
  private spans = new Int32Array(START_ROWS * SPAN);
  private counts = new Uint16Array(START_COUNTS);
  private used = 0;
  /** How often a count passed two bytes, by row and bucket. */
  private readonly carried = new Map<number, number>();

  /** Extends a row to cover the buckets from `low` to `high`. */
  cover(row: number, low: number, high: number): void {
    const base = row * SPAN;
    if (base >= this.spans.length) {
      const grown = new Int32Array(Math.max(base + SPAN, 2 * this.spans.length));
      grown.set(this.spans);
      this.spans = grown;
    }
    const first = this.spans[base + FIRST] as number;
    const length = this.spans[base + LENGTH] as number;
    if (low >= first && high < first + length) return;
    const from = Math.min(low - (low % OCTAVE), length > 0 ? first : low);
    const to = Math.max(high - (high % OCTAVE) + OCTAVE, first + length);
    const at = this.allocate(to - from);
    const before = this.spans[base + AT] as number;
    this.counts.copyWithin(at + first - from, before, before + length);
    this.spans[base + FIRST] = from;
    this.spans[base + LENGTH] = to - from;
    this.spans[base + AT] = at;
  }

  /** Counts the first `n` values, which must be ≥ 0 and covered. */
  countAll(row: number, values: Float64Array, n: number): void {
    const { counts, spans } = this;
    const shift = (spans[row * SPAN + AT] as number) - (spans[row * SPAN + FIRST] as number);
    for (let i = 0; i < n; i++) {
      const bucket = toBucket(values[i] as number);
      const count = (counts[shift + bucket] as number) + 1;
      counts[shift + bucket] = count;
      if (count === CARRY) this.carry(row, bucket, 1);
    }
  }

  /** @throws RangeError if the bucket is not covered: a damaged block must not become an answer */
  increment(row: number, bucket: number, by: number): void {
    const { counts, spans } = this;
    const index = bucket - (spans[row * SPAN + FIRST] as number);
    if (index < 0 || index >= (spans[row * SPAN + LENGTH] as number)) {
      throw new RangeError('A sketch has a bucket outside its range.');
    }
    const at = (spans[row * SPAN + AT] as number) + index;
    const count = (counts[at] as number) + by;
    counts[at] = count % CARRY;
    if (count >= CARRY) this.carry(row, bucket, Math.floor(count / CARRY));
  }

  /** Writes the occupied buckets in ascending order. */
  write(row: number, writer: ByteWriter): void {
    const { counts, spans, carried } = this;
    const first = spans[row * SPAN + FIRST] as number;
    const length = spans[row * SPAN + LENGTH] as number;
    const at = spans[row * SPAN + AT] as number;
    let last = -1;
    for (let index = 0; index < length; index++) {
      let count = counts[at + index] as number;
      if (carried.size > 0) count += CARRY * (carried.get(row * BUCKET_COUNT + first + index) ?? 0);
      if (count === 0) continue;
      writeBucket(first + index - last, count, writer);
      last = first + index;
    }
  }

  private carry(row: number, bucket: number, times: number): void {
    const key = row * BUCKET_COUNT + bucket;
    this.carried.set(key, (this.carried.get(key) ?? 0) + times);
  }

  /** Allocates zeroed counts. The old space of a row is reclaimed when all rows move to a larger array. */
  private allocate(length: number): number {
    if (this.used + length > this.counts.length) this.move(length);
    const at = this.used;
    this.used += length;
    return at;
  }

  private move(more: number): void {
    const { counts, spans } = this;
    let live = more;
    for (let base = 0; base < spans.length; base += SPAN) live += spans[base + LENGTH] as number;
    const moved = new Uint16Array(Math.max(START_COUNTS, Math.ceil(live * 1.5)));
    this.counts = moved;
    this.used = 0;
    for (let base = 0; base < spans.length; base += SPAN) {
      const at = spans[base + AT] as number;
      const length = spans[base + LENGTH] as number;
      // Copying by a subarray per row would make a sixth of all garbage of a rollup.
      for (let index = 0; index < length; index++) moved[this.used + index] = counts[at + index] as number;
      spans[base + AT] = this.used;
      this.used += length;
    }
  }
}

/** Twice the step from the previous bucket (the first from −1), odd if a count follows; then the count if it is not 1. */
export function writeBucket(step: number, count: number, writer: ByteWriter): void {
  writer.varint(2 * step + (count === 1 ? 0 : 1));
  if (count !== 1) writer.varint(count);
}
