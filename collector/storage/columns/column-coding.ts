import { NULL, type NumberName } from '../../../shared/sample/sample-columns.ts';
import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import { type BufferPool, FRESH_BUFFERS } from './buffer-pool.ts';

/** Browsers count the header of a full response as this many bytes: https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-transfersize */
export const HEADER_BYTES = 300;

/** One more still fits into 31 bits. */
const MAX_SMALL = 2 ** 31 - 2;

/**
 * Columns whose values follow from others: `ttlb` is the sum of the phases, `ttfb` the same without `receive`. Only the
 * difference is stored, which is nearly always 0. Predictions must not form a cycle. Chunks and tables of ClickHouse that
 * exist are read with them.
 */
export const PREDICTED_FROM: Partial<Record<NumberName, readonly NumberName[]>> = {
  ttlb: PHASES,
  ttfb: PHASES.slice(0, -1),
  transferSize: ['encodedBodySize'],
  decodedBodySize: ['encodedBodySize'],
};

/** null for a column that is stored as it is. @param pool for the result */
export function predict(
  name: NumberName,
  n: number,
  column: (name: NumberName) => Float64Array,
  pool: BufferPool = FRESH_BUFFERS,
): Float64Array | null {
  const sources = PREDICTED_FROM[name];
  if (sources === undefined) return null;
  const predicted = pool.numbers('prediction', n).fill(name === 'transferSize' ? HEADER_BYTES : 0);
  for (const source of sources) {
    const values = column(source);
    for (let row = 0; row < n; row++) {
      const value = values[row] as number;
      if (value > 0) predicted[row] = (predicted[row] as number) + value;
    }
  }
  return predicted;
}

/** Stored numbers are ≥ 0: 0 for NULL, else 1 + the value, or 1 + its folded difference from the prediction. */
export function toStored(values: Float64Array | Int32Array, predicted: Float64Array | null): Float64Array {
  const stored = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    if (value === NULL) continue;
    stored[row] = 1 + (predicted === null ? value : fold(value - (predicted[row] as number)));
  }
  return stored;
}

/** In place, of stored numbers less 1, where NULL has its final value already. */
export function addPrediction(less: Float64Array, predicted: Float64Array): void {
  for (let row = 0; row < less.length; row++) {
    const value = less[row] as number;
    if (value !== NULL) less[row] = (predicted[row] as number) + unfold(value);
  }
}

/** Times as folded differences to the previous row; the first one's to `start`. */
export function toDeltas(at: Float64Array, start: number): Float64Array {
  const deltas = new Float64Array(at.length);
  let before = start;
  for (let row = 0; row < at.length; row++) {
    const now = at[row] as number;
    deltas[row] = fold(now - before);
    before = now;
  }
  return deltas;
}

/** In place. */
export function fromDeltas(deltas: Float64Array, start: number): void {
  let now = start;
  for (let row = 0; row < deltas.length; row++) {
    now += unfold(deltas[row] as number);
    deltas[row] = now;
  }
}

/** Moves the sign into the lowest bit, so that small differences of either sign stay small. */
function fold(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unfold(value: number): number {
  // Integer operations where possible: the remainder of doubles would take longer than the rest of the column.
  if (value <= MAX_SMALL) return (value & 1) === 0 ? value >>> 1 : -((value + 1) >>> 1);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** Numbers up to 2⁵³ need seven bytes. */
const BYTE = 256;
const LOW = 2 ** 32;

/** Bytes of a whole number ≥ 0. */
export function bytesFor(max: number): number {
  let bytes = 1;
  for (let limit = BYTE; max >= limit; limit *= BYTE) bytes++;
  return bytes;
}

/**
 * Whole numbers ≥ 0 as byte planes: the lowest byte of each, then the next. High bytes are nearly all equal, so deflate
 * compresses well in this order, and any width fits.
 */
export function encodePlanes(values: Float64Array, width: number): Uint8Array {
  const bytes = new Uint8Array(values.length * width);
  writePlanes(values, values.length, width, bytes);
  return bytes;
}

/** Writes the first `n` of `values` into `bytes`, which has `n` × `width` bytes. */
export function writePlanes(values: Float64Array, n: number, width: number, bytes: Uint8Array): void {
  for (let plane = 0; plane < Math.min(width, 4); plane++) {
    const shift = 8 * plane;
    const base = plane * n;
    // Above 2³² the bit operators use the lowest 32 bits, which are what these planes hold.
    for (let row = 0; row < n; row++) bytes[base + row] = (values[row] as number) >>> shift;
  }
  for (let plane = 4; plane < width; plane++) {
    const shift = 8 * (plane - 4);
    for (let row = 0; row < n; row++) bytes[plane * n + row] = Math.floor((values[row] as number) / LOW) >>> shift;
  }
}

/** Reads the numbers into `values`, each reduced by `less`. */
export function decodePlanes(bytes: Uint8Array, width: number, values: Float64Array | Int32Array, less: 0 | 1): void {
  const n = values.length;
  if (bytes.length !== n * width) throw new RangeError(`a column of ${bytes.length} bytes, not ${n} × ${width}`);
  // Nearly all columns have one to three bytes: a single pass of integer operations.
  if (width === 1) for (let row = 0; row < n; row++) values[row] = byteAt(bytes, row) - less;
  else if (width === 2)
    for (let row = 0; row < n; row++) values[row] = (byteAt(bytes, row) | (byteAt(bytes, n + row) << 8)) - less;
  else {
    for (let row = 0; row < n; row++) {
      values[row] = (byteAt(bytes, row) | (byteAt(bytes, n + row) << 8) | (byteAt(bytes, 2 * n + row) << 16)) - less;
    }
  }
  let scale = BYTE ** 3;
  for (let plane = 3; plane < width; plane++, scale *= BYTE) {
    const base = plane * n;
    for (let row = 0; row < n; row++) values[row] = (values[row] as number) + byteAt(bytes, base + row) * scale;
  }
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}
