import {
  NULL,
  type NumberName,
  type SampleColumns,
  TEXT_NAMES,
  type TextColumn,
  type TextName,
} from '../../../shared/sample/sample-columns.ts';
import type { BufferPool } from './buffer-pool.ts';
import { type ChunkReader, openChunk } from './chunk-reader.ts';
import { DictionaryBuilder } from './dictionary-builder.ts';
import { originKey } from './group-origins.ts';
import { once, onceEach } from './once.ts';

/**
 * All chunks as one, in their order. Where the order of time does not matter this costs no more than decoding them.
 * Valid until the room is used again.
 */
export function concatColumns(chunks: Iterable<Uint8Array>, room: BufferPool): SampleColumns {
  const parts: Part[] = [];
  const origins = new DictionaryBuilder(originKey);
  const texts = TEXT_NAMES.map(() => new DictionaryBuilder((entry: string) => entry));
  for (const chunk of chunks) {
    const { reader, words } = openChunk(chunk);
    parts.push({
      reader,
      origins: origins.indicesOf(words.origins),
      texts: TEXT_NAMES.map((name, place) => texts[place]?.indicesOf(words.texts[name] ?? []) ?? []),
    });
  }
  const n = parts.reduce((sum, { reader }) => sum + reader.n, 0);
  return {
    n,
    at: once(() => readTimes(parts, room.numbers('at', n))),
    origins: origins.entries,
    origin: once(() => readCodes(parts, 'origin', (part) => part.origins, room.codes('origin', n))),
    text: onceEach((name: TextName): TextColumn => {
      const place = TEXT_NAMES.indexOf(name);
      const codes = readCodes(parts, name, (part) => part.texts[place] ?? [], room.codes(name, n));
      return { entries: texts[place]?.entries ?? [], codes };
    }),
    number: onceEach((name: NumberName) => readNumbers(parts, name, room.numbers(name, n))),
    metricNames: [...new Set(parts.flatMap(({ reader }) => reader.metricNames))].sort(),
    metric: onceEach((name: string) => readMetrics(parts, name, new Float64Array(n))),
  };
}

/** One chunk, and where each of its words stands among those of all. */
interface Part {
  readonly reader: ChunkReader;
  readonly origins: readonly number[];
  /** In the order of TEXT_NAMES. */
  readonly texts: readonly (readonly number[])[];
}

function readTimes(parts: readonly Part[], into: Float64Array): Float64Array {
  let start = 0;
  for (const { reader } of parts) {
    reader.readAt(into.subarray(start, start + reader.n));
    start += reader.n;
  }
  return into;
}

function readNumbers(parts: readonly Part[], name: NumberName, into: Float64Array): Float64Array {
  let start = 0;
  for (const { reader } of parts) {
    reader.readNumber(name, into.subarray(start, start + reader.n));
    start += reader.n;
  }
  return into;
}

function readMetrics(parts: readonly Part[], name: string, into: Float64Array): Float64Array {
  let start = 0;
  for (const { reader } of parts) {
    into.set(reader.readMetric(name), start);
    start += reader.n;
  }
  return into;
}

function readCodes(
  parts: readonly Part[],
  name: TextName | 'origin',
  placesIn: (part: Part) => readonly number[],
  into: Int32Array,
): Int32Array {
  let start = 0;
  for (const part of parts) {
    const { reader } = part;
    const codes = into.subarray(start, start + reader.n);
    reader.readCodes(name, codes);
    translate(codes, placesIn(part));
    start += reader.n;
  }
  return into;
}

/** In place. */
function translate(codes: Int32Array, places: readonly number[]): void {
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    codes[row] = code === NULL ? NULL : (places[code] as number);
  }
}
