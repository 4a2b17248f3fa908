import { inflateRawSync } from 'node:zlib';
import type { NumberName, SampleColumns, TextColumn, TextName } from '../../../shared/sample/sample-columns.ts';
import { type ChunkHeader, type ColumnPlace, splitChunk } from './chunk-header.ts';
import { addPrediction, fromDeltas, predictionOf } from './column-coding.ts';
import { type ColumnRoom, NEW_ROOM } from './column-room.ts';
import { once, onceEach } from './once.ts';
import { decodePlanes } from './planes.ts';

const METRIC = 'metric:';
/** zlib takes no less, bytes. */
const MIN_PIECE = 64;

interface Place {
  readonly column: ColumnPlace;
  readonly start: number;
}

/** A stored chunk whose columns are decoded into arrays of the caller's, each of `n` values. */
export interface ChunkReader {
  readonly n: number;
  readonly origins: SampleColumns['origins'];
  readonly metricNames: readonly string[];
  entries(name: TextName): readonly string[];
  readAt(into: Float64Array): void;
  readCodes(name: TextName | 'origin', into: Int32Array): void;
  /** @param other another column, where this one holds only the difference to it @param room for what is needed on the way */
  readNumber(name: NumberName, into: Float64Array, other?: (name: NumberName) => Float64Array, room?: ColumnRoom): void;
  readMetric(name: string): Float64Array;
}

/** Only the header is read here. What cannot be read throws a RangeError or SyntaxError, now or at its column. */
export function openChunk(chunk: Uint8Array): ChunkReader {
  const { header, body } = splitChunk(chunk);
  const places = placesOf(header, body.length);
  const { n } = header;

  function payload({ column: [name, width, bytes, deflated], start }: Place): Uint8Array {
    if (start + bytes > body.length) throw new RangeError(`column ${name} lies outside of its chunk`);
    const stored = body.subarray(start, start + bytes);
    // One piece with room to spare: by default it comes in many, which are then put together.
    return deflated === 1 ? inflateRawSync(stored, { chunkSize: Math.max(MIN_PIECE, n * width + 1) }) : stored;
  }

  function readStored(name: string, into: Float64Array | Int32Array, less: 0 | 1): void {
    const place = places.get(name);
    const [, width, , , constant] = place?.column ?? [name, 0, 0, 0];
    if (place === undefined || width === 0) into.fill((constant ?? 0) - less);
    else decodePlanes(payload(place), width, into, less);
  }

  function readNumber(name: NumberName, into: Float64Array, other = freshNumber, room = NEW_ROOM): void {
    // Stored is 1 more than the value, and 0 for NULL.
    readStored(name, into, 1);
    const predicted = header.predicted ? predictionOf(name, n, other, room) : null;
    if (predicted !== null) addPrediction(into, predicted);
  }

  function freshNumber(name: NumberName): Float64Array {
    const values = new Float64Array(n);
    readNumber(name, values);
    return values;
  }

  return {
    n,
    origins: header.origins,
    metricNames: [...places.keys()].filter((name) => name.startsWith(METRIC)).map((name) => name.slice(METRIC.length)),
    entries: (name) => header.texts[name] ?? [],
    readAt(into) {
      readStored('at', into, 0);
      fromDeltas(into, header.t0);
    },
    readCodes(name, into) {
      readStored(name, into, 1);
    },
    readNumber,
    readMetric(name) {
      const place = places.get(METRIC + name);
      if (place === undefined) return new Float64Array(n).fill(Number.NaN);
      // A copy: doubles have to start at a multiple of eight.
      return new Float64Array(Uint8Array.from(payload(place)).buffer);
    },
  };
}

/**
 * The columns of a stored chunk. A column is decoded when it is first asked for, so a query for one phase of one host
 * touches a few of thirty.
 *
 * @param room where they are decoded to; valid until it is used again
 */
export function decodeChunk(chunk: Uint8Array, room = NEW_ROOM): SampleColumns {
  const reader = openChunk(chunk);
  const { n, origins, metricNames } = reader;
  const codes = (name: TextName | 'origin') => {
    const into = room.codes(name, n);
    reader.readCodes(name, into);
    return into;
  };
  const number = onceEach((name: NumberName): Float64Array => {
    const into = room.numbers(name, n);
    reader.readNumber(name, into, number, room);
    return into;
  });
  return {
    n,
    at: once(() => {
      const into = room.numbers('at', n);
      reader.readAt(into);
      return into;
    }),
    origins,
    origin: once(() => codes('origin')),
    text: onceEach((name: TextName): TextColumn => ({ entries: reader.entries(name), codes: codes(name) })),
    number,
    metricNames,
    metric: onceEach((name: string) => reader.readMetric(name)),
  };
}

function placesOf(header: ChunkHeader, length: number): Map<string, Place> {
  const places = new Map<string, Place>();
  let start = 0;
  for (const column of header.columns) {
    places.set(column[0], { column, start });
    start += column[2];
  }
  if (start !== length) throw new RangeError(`a chunk of ${length} bytes, not ${start}`);
  return places;
}
