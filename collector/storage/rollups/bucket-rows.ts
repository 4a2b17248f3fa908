import { BUCKET_COUNT, bucketOf } from '../../../shared/statistics/sketch-buckets.ts';
import type { ByteWriter } from '../columns/bytes.ts';

/** What stands in `spans` of each row: its first bucket, how many it has room for, and where they are in `counts`. */
const [FIRST, LENGTH, AT, SPAN] = [0, 1, 2, 3];
/** Room is made an octave at a time. */
const OCTAVE = 64;
/** Counts have two bytes; what is above them is kept aside, since hardly any gets there. */
const CARRY = 2 ** 16;
const START_ROWS = 64;
const START_COUNTS = 1 << 12;

/**
 * Counts per bucket of many sketches, a row each, in one array. As objects, an hour's tens of thousands of sketches are
 * most of what the collector of garbage has to look at, and each time one is touched a dozen waits for memory.
 */
export class BucketRows {
  private spans = new Int32Array(START_ROWS * SPAN);
  private counts = new Uint16Array(START_COUNTS);
  private used = 0;
  /** How often a count passed two bytes, by row and bucket. */
  private readonly carried = new Map<number, number>();

  /** Makes room for the buckets from `low` to `high`, beside what has it already. */
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

  /** Counts the first `n` of the values: all ≥ 0, and their buckets covered. */
  countAll(row: number, values: Float64Array, n: number): void {
    const { counts, spans } = this;
    const shift = (spans[row * SPAN + AT] as number) - (spans[row * SPAN + FIRST] as number);
    for (let i = 0; i < n; i++) {
      const bucket = bucketOf(values[i] as number);
      const count = (counts[shift + bucket] as number) + 1;
      counts[shift + bucket] = count;
      if (count === CARRY) this.carry(row, bucket, 1);
    }
  }

  /** @throws RangeError where the bucket is not covered: a damaged pack must not become an answer */
  increment(row: number, bucket: number, by: number): void {
    const { counts, spans } = this;
    const place = bucket - (spans[row * SPAN + FIRST] as number);
    if (place < 0 || place >= (spans[row * SPAN + LENGTH] as number)) {
      throw new RangeError('A sketch has a bucket outside of its values.');
    }
    const at = (spans[row * SPAN + AT] as number) + place;
    const count = (counts[at] as number) + by;
    counts[at] = count % CARRY;
    if (count >= CARRY) this.carry(row, bucket, Math.floor(count / CARRY));
  }

  /** Occupied buckets, ascending, as `writeBucket` has them. */
  write(row: number, writer: ByteWriter): void {
    const { counts, spans, carried } = this;
    const first = spans[row * SPAN + FIRST] as number;
    const length = spans[row * SPAN + LENGTH] as number;
    const at = spans[row * SPAN + AT] as number;
    let last = -1;
    for (let place = 0; place < length; place++) {
      let count = counts[at + place] as number;
      if (carried.size > 0) count += CARRY * (carried.get(row * BUCKET_COUNT + first + place) ?? 0);
      if (count === 0) continue;
      writeBucket(first + place - last, count, writer);
      last = first + place;
    }
  }

  private carry(row: number, bucket: number, times: number): void {
    const key = row * BUCKET_COUNT + bucket;
    this.carried.set(key, (this.carried.get(key) ?? 0) + times);
  }

  /** Where so many counts of 0 are. What a row grew out of is left behind until all is moved to a larger array. */
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
      // A view of each row, to copy it by, would be a sixth of all garbage that a rollup makes.
      for (let place = 0; place < length; place++) moved[this.used + place] = counts[at + place] as number;
      spans[base + AT] = this.used;
      this.used += length;
    }
  }
}

/** Twice the step from the bucket before (the first from −1), odd where more than one value is in it; then its count. */
export function writeBucket(step: number, count: number, writer: ByteWriter): void {
  writer.varint(2 * step + (count === 1 ? 0 : 1));
  if (count !== 1) writer.varint(count);
}
