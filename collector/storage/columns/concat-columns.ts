import {
  type NumberName,
  type SampleColumns,
  TEXT_INDEX,
  TEXT_NAMES,
  type TextColumn,
  type TextName,
} from '../../../shared/sample/sample-columns.ts';
import { once, onceEach } from '../../lib/once.ts';
import type { BufferPool } from './buffer-pool.ts';
import { type ChunkReader, openChunk } from './decode-chunk.ts';
import { clientDictionary, stringDictionary, translateCodes } from './dictionary-builder.ts';

/** One chunk, and the index of each of its dictionary entries in the merged dictionary. */
interface Part {
  readonly reader: ChunkReader;
  readonly origins: readonly number[];
  /** In the order of TEXT_NAMES. */
  readonly texts: readonly (readonly number[])[];
}

/**
 * All chunks as one, in their order: where rows need not be sorted by time, this costs no more than decoding them. Valid
 * until the pool is used again.
 */
export function concatColumns(chunks: Iterable<Uint8Array>, pool: BufferPool): SampleColumns {
  const parts: Part[] = [];
  const origins = clientDictionary();
  const texts = TEXT_NAMES.map(stringDictionary);
  for (const chunk of chunks) {
    const { reader, dictionaries } = openChunk(chunk);
    parts.push({
      reader,
      origins: origins.indicesOf(dictionaries.origins),
      texts: TEXT_NAMES.map((name, index) => texts[index]?.indicesOf(dictionaries.texts[name] ?? []) ?? []),
    });
  }
  const n = parts.reduce((sum, { reader }) => sum + reader.n, 0);

  /** Calls `read` with the part of the array that belongs to each chunk. */
  function filled<T extends Float64Array | Int32Array>(into: T, read: (part: Part, own: T) => void): T {
    let start = 0;
    for (const part of parts) {
      read(part, into.subarray(start, start + part.reader.n) as T);
      start += part.reader.n;
    }
    return into;
  }
  function codes(name: TextName | 'origin', indicesIn: (part: Part) => readonly number[]): Int32Array {
    return filled(pool.codes(name, n), (part, own) => {
      part.reader.readCodes(name, own);
      translateCodes(own, indicesIn(part));
    });
  }

  return {
    n,
    at: once(() => filled(pool.numbers('at', n), ({ reader }, own) => reader.readAt(own))),
    origins: origins.entries,
    origin: once(() => codes('origin', (part) => part.origins)),
    text: onceEach((name: TextName): TextColumn => {
      const index = TEXT_INDEX[name];
      return { strings: texts[index]?.entries ?? [], codes: codes(name, (part) => part.texts[index] ?? []) };
    }),
    number: onceEach((name: NumberName) =>
      filled(pool.numbers(name, n), ({ reader }, own) => reader.readNumber(name, own)),
    ),
    metricNames: [...new Set(parts.flatMap(({ reader }) => reader.metricNames))].sort(),
    metric: onceEach((name: string) =>
      filled(new Float64Array(n), ({ reader }, own) => own.set(reader.readMetric(name))),
    ),
  };
}
