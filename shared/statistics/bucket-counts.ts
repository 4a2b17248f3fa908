import { BUCKET_COUNT } from './sketch-buckets.ts';
import type { BucketRun } from './sketch-distribution.ts';

/** Grown by an octave at a time: times of one host rarely spread over more than a few. */
const STEP = 64;
/** Shared by all empty instances: negative values are rare, and every array is work for the garbage collector. */
const NO_COUNTS = new Uint16Array(0);
const MAX_NARROW = 0xffff;

/**
 * Counts per bucket in one dense array that covers only the buckets in use. Two bytes per count; doubles once one needs
 * them, because 32 bits end at four billion and would overflow silently.
 */
export class BucketCounts {
  private counts: Uint16Array | Float64Array = NO_COUNTS;
  private first = 0;
  /** Largest count that fits. */
  private max = MAX_NARROW;

  increment(bucket: number, by: number): void {
    const at = bucket - this.first;
    if (at < 0 || at >= this.counts.length) {
      this.incrementOutside(bucket, by);
      return;
    }
    const count = (this.counts[at] as number) + by;
    if (count > this.max) this.widen();
    this.counts[at] = count;
  }

  merge(other: BucketCounts): void {
    const { counts, first } = other;
    if (counts.length === 0) return;
    this.cover(first, first + counts.length);
    const shift = first - this.first;
    for (let i = 0; i < counts.length; i++) {
      const count = (this.counts[i + shift] as number) + (counts[i] as number);
      if (count > this.max) this.widen();
      this.counts[i + shift] = count;
    }
  }

  /** Occupied buckets, ascending. */
  forEach(visit: (bucket: number, count: number) => void): void {
    for (let i = 0; i < this.counts.length; i++) {
      const count = this.counts[i] as number;
      if (count > 0) visit(i + this.first, count);
    }
  }

  /** A copy, unaffected by later counts. */
  run(): BucketRun {
    return { first: this.first, counts: this.counts.slice() };
  }

  private incrementOutside(bucket: number, by: number): void {
    this.cover(bucket, bucket + 1);
    this.increment(bucket, by);
  }

  private widen(): void {
    this.counts = Float64Array.from(this.counts);
    this.max = Number.POSITIVE_INFINITY;
  }

  /** Grows the array to cover [from, to) as well. */
  private cover(from: number, to: number): void {
    const used = this.counts.length;
    const low = used === 0 ? from : Math.min(from, this.first);
    const high = used === 0 ? to : Math.max(to, this.first + used);
    // Some spare on the side that grows, or copying would cost more than counting; not much, since all of it is read.
    const spare = used / 4;
    const first = Math.max(0, Math.floor((low < this.first ? low - spare : low) / STEP) * STEP);
    const wanted = high > this.first + used ? high + spare : high;
    const end = Math.min(Math.ceil(wanted / STEP) * STEP, Math.ceil(BUCKET_COUNT / STEP) * STEP);
    if (first === this.first && end - first === used) return;
    const grown = this.max === MAX_NARROW ? new Uint16Array(end - first) : new Float64Array(end - first);
    if (used > 0) grown.set(this.counts, this.first - first);
    this.counts = grown;
    this.first = first;
  }
}
