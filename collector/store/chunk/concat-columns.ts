import {
  NULL,
  type NumberName,
  type SampleColumns,
  type TextColumn,
  type TextName,
} from '../../../shared/sample/sample-columns.ts';
import type { ChunkReader } from './chunk-reader.ts';
import type { ColumnRoom } from './column-room.ts';
import { originKey } from './group-origins.ts';
import { mergeEntries } from './merge-columns.ts';
import { once, onceEach } from './once.ts';

/**
 * All chunks as one, in their order. Where the order of time does not matter this costs no more than decoding them.
 * Valid until the room is used again.
 */
export function concatColumns(parts: readonly ChunkReader[], room: ColumnRoom): SampleColumns {
  const n = parts.reduce((sum, part) => sum + part.n, 0);
  const origins = mergeEntries(
    parts.map((part) => part.origins),
    originKey,
  );
  return {
    n,
    at: once(() => readTimes(parts, room.numbers('at', n))),
    origins: origins.entries,
    origin: once(() => readCodes(parts, 'origin', origins.places, room.codes('origin', n))),
    text: onceEach((name: TextName): TextColumn => {
      const { entries, places } = mergeEntries(
        parts.map((part) => part.entries(name)),
        (entry) => entry,
      );
      return { entries, codes: readCodes(parts, name, places, room.codes(name, n)) };
    }),
    number: onceEach((name: NumberName) => readNumbers(parts, name, room.numbers(name, n))),
    metricNames: [...new Set(parts.flatMap((part) => part.metricNames))].sort(),
    metric: onceEach((name: string) => readMetrics(parts, name, new Float64Array(n))),
  };
}

function readTimes(parts: readonly ChunkReader[], into: Float64Array): Float64Array {
  let start = 0;
  for (const part of parts) {
    part.readAt(into.subarray(start, start + part.n));
    start += part.n;
  }
  return into;
}

function readNumbers(parts: readonly ChunkReader[], name: NumberName, into: Float64Array): Float64Array {
  let start = 0;
  for (const part of parts) {
    part.readNumber(name, into.subarray(start, start + part.n));
    start += part.n;
  }
  return into;
}

function readMetrics(parts: readonly ChunkReader[], name: string, into: Float64Array): Float64Array {
  let start = 0;
  for (const part of parts) {
    into.set(part.readMetric(name), start);
    start += part.n;
  }
  return into;
}

/** @param places by part, where each of its entries stands among all */
function readCodes(
  parts: readonly ChunkReader[],
  name: TextName | 'origin',
  places: readonly (readonly number[])[],
  into: Int32Array,
): Int32Array {
  let start = 0;
  parts.forEach((part, index) => {
    const codes = into.subarray(start, start + part.n);
    part.readCodes(name, codes);
    translate(codes, places[index] ?? []);
    start += part.n;
  });
  return into;
}

/** In place. */
function translate(codes: Int32Array, places: readonly number[]): void {
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    codes[row] = code === NULL ? NULL : (places[code] as number);
  }
}
