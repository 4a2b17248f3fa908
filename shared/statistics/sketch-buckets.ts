/**
 * Buckets of the sketch: 64 per octave, so that a bucket is never wider than 1/64 of its start and its midpoint never
 * further than 1/128 from any value in it. Below 128 a bucket holds a single integer. Uses only shifts and `clz32`: a
 * floating-point logarithm would put values at bucket edges elsewhere on another engine.
 */
const PER_OCTAVE = 64;
const OCTAVE_BITS = 6;
/** Values from 2³² are shifted by this many bits first; they still keep more than the 7 leading bits that matter. */
const WIDE_BITS = 16;
const WIDE = 2 ** WIDE_BITS;
const WORD = 2 ** 32;

/** Largest relative distance between a bucket's midpoint and a value in it, rounded up from 1/128. */
export const SKETCH_BOUND = 0.0079;

/** Largest absolute value, 2³⁷ µs: 38 hours, more than any time the wire accepts. */
export const MAX_SKETCH_VALUE = 2 ** 37;
/** Total number of buckets, for values from 0 to MAX_SKETCH_VALUE. */
export const BUCKET_COUNT = toBucket(MAX_SKETCH_VALUE) + 1;

/** @param value whole number, 0 … MAX_SKETCH_VALUE */
export function toBucket(value: number): number {
  return value < WORD ? narrowBucket(value) : narrowBucket(Math.floor(value / WIDE)) + WIDE_BITS * PER_OCTAVE;
}

function narrowBucket(value: number): number {
  if (value < PER_OCTAVE) return value;
  const shift = 31 - OCTAVE_BITS - Math.clz32(value);
  return shift * PER_OCTAVE + (value >>> shift);
}

/** The smallest value of a bucket, which ends where the next one begins. */
export function bucketStart(bucket: number): number {
  return STARTS[bucket] ?? computeStart(bucket);
}

function computeStart(bucket: number): number {
  if (bucket < 2 * PER_OCTAVE) return bucket;
  const shift = Math.floor(bucket / PER_OCTAVE) - 1;
  return (bucket - shift * PER_OCTAVE) * 2 ** shift;
}

/** The value that represents a bucket: the midpoint of its integers. */
export function bucketMiddle(bucket: number): number {
  return (bucketStart(bucket) + bucketStart(bucket + 1) - 1) / 2;
}

/** Precomputed, because reading a sketch needs every bucket and powers are slow. */
const STARTS = Float64Array.from({ length: BUCKET_COUNT + 1 }, (_, bucket) => computeStart(bucket));
