import {
  NULL,
  type NumberName,
  type SampleColumns,
  type TextColumn,
  type TextName,
} from '../../../shared/sample/sample-columns.ts';
import type { ColumnRoom } from './column-room.ts';
import type { ChunkReader } from './decode-chunk.ts';
import { originKey } from './group-origins.ts';
import { mergeEntries } from './merge-columns.ts';
import { once, onceEach } from './once.ts';

/**
 * All chunks as one, in their order. Where the order of time does not matter this costs no more than decoding them.
 * Valid until the room is used again.
 */
export function concatColumns(parts: readonly ChunkReader[], room: ColumnRoom): SampleColumns {
  const n = parts.reduce((sum, part) => sum + part.n, 0);

  function concat<T extends Float64Array | Int32Array>(
    into: T,
    read: (part: ChunkReader, into: T, index: number) => void,
  ): T {
    let start = 0;
    parts.forEach((part, index) => {
      read(part, into.subarray(start, start + part.n) as T, index);
      start += part.n;
    });
    return into;
  }

  function codes(name: TextName | 'origin', places: readonly (readonly number[])[]): Int32Array {
    return concat(room.codes(name, n), (part, into, index) => {
      part.readCodes(name, into);
      translate(into, places[index] ?? []);
    });
  }

  const origins = mergeEntries(
    parts.map((part) => part.origins),
    originKey,
  );
  return {
    n,
    at: once(() => concat(room.numbers('at', n), (part, into) => part.readAt(into))),
    origins: origins.entries,
    origin: once(() => codes('origin', origins.places)),
    text: onceEach((name: TextName): TextColumn => {
      const { entries, places } = mergeEntries(
        parts.map((part) => part.entries(name)),
        (entry) => entry,
      );
      return { entries, codes: codes(name, places) };
    }),
    number: onceEach((name: NumberName) => concat(room.numbers(name, n), (part, into) => part.readNumber(name, into))),
    metricNames: [...new Set(parts.flatMap((part) => part.metricNames))].sort(),
    metric: onceEach((name: string) => concat(new Float64Array(n), (part, into) => into.set(part.readMetric(name)))),
  };
}

/** In place. */
function translate(codes: Int32Array, places: readonly number[]): void {
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    codes[row] = code === NULL ? NULL : (places[code] as number);
  }
}
