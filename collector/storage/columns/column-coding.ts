import { NULL, type NumberName } from '../../../shared/sample/sample-columns.ts';
import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import { type BufferPool, FRESH_BUFFERS } from './buffer-pool.ts';

/** A full answer's header is counted as this many bytes: https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-transfersize */
const HEADER_BYTES = 300;

/** One more still has 31 bits. */
const MAX_SMALL = 2 ** 31 - 2;

/**
 * What a column's value most likely is, given others: `ttlb` is the sum of the phases, `ttfb` the same without
 * `receive`. Only the difference is stored, which is nearly always 0. A column is never predicted from itself or from
 * one that is predicted from it.
 */
const PREDICTED_FROM: Partial<Record<NumberName, readonly NumberName[]>> = {
  ttlb: PHASES,
  ttfb: PHASES.slice(0, -1),
  transferSize: ['encodedBodySize'],
  decodedBodySize: ['encodedBodySize'],
};

/** null where the column stands for itself. @param room where it may be written */
export function predictionOf(
  name: NumberName,
  n: number,
  column: (name: NumberName) => Float64Array,
  room: BufferPool = FRESH_BUFFERS,
): Float64Array | null {
  const sources = PREDICTED_FROM[name];
  if (sources === undefined) return null;
  const predicted = room.numbers('prediction', n).fill(name === 'transferSize' ? HEADER_BYTES : 0);
  for (const source of sources) {
    const values = column(source);
    for (let row = 0; row < n; row++) {
      const value = values[row] as number;
      if (value > 0) predicted[row] = (predicted[row] as number) + value;
    }
  }
  return predicted;
}

/** Numbers as they are stored, all ≥ 0: 0 for NULL, else 1 + the value, or 1 + its folded distance to the prediction. */
export function toStored(values: Float64Array | Int32Array, predicted: Float64Array | null): Float64Array {
  const stored = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    if (value === NULL) continue;
    stored[row] = 1 + (predicted === null ? value : fold(value - (predicted[row] as number)));
  }
  return stored;
}

/** In place, of numbers that are 1 smaller than they were stored: NULL is there already, and what has no prediction. */
export function addPrediction(less: Float64Array, predicted: Float64Array): void {
  for (let row = 0; row < less.length; row++) {
    const value = less[row] as number;
    if (value !== NULL) less[row] = (predicted[row] as number) + unfold(value);
  }
}

/** Times as folded distances to the row before; the first to `start`. */
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

/** The sign goes into the lowest bit, so that small distances stay small either way. */
function fold(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unfold(value: number): number {
  // Whole numbers of the processor wherever they do: a remainder of doubles takes longer than all else of a column.
  if (value <= MAX_SMALL) return (value & 1) === 0 ? value >>> 1 : -((value + 1) >>> 1);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
