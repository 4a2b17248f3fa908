import { inflateRawSync } from 'node:zlib';
import type { ClientInfo } from '../../../shared/sample/sample.ts';
import type { NumberName, TextName } from '../../../shared/sample/sample-columns.ts';
import { type BufferPool, FRESH_BUFFERS } from './buffer-pool.ts';
import { type ChunkHeader, type StoredColumn, splitChunk } from './chunk-header.ts';
import { addPrediction, fromDeltas, predictionOf } from './column-coding.ts';
import { decodePlanes } from './planes.ts';

const METRIC = 'metric:';
/** zlib takes no less, bytes. */
const MIN_PIECE = 64;

interface Place {
  readonly column: StoredColumn;
  readonly start: number;
}

/** What the codes of a chunk stand for. */
export type ChunkDictionaries = Pick<ChunkHeader, 'origins' | 'texts'>;

/**
 * Reads a chunk's header, and no more. The words come beside the reader, which has no use for them: chunks that are read
 * together have mostly the same ones, and those of hundreds at once are half of what outlives a collection of garbage.
 * What cannot be read throws a RangeError or SyntaxError, now or at its column.
 */
export function openChunk(chunk: Uint8Array): { reader: ChunkReader; words: ChunkDictionaries } {
  const { header, body } = splitChunk(chunk);
  return { reader: new ChunkReader(header, body), words: { origins: wellFormed(header.origins), texts: header.texts } };
}

/** An older chunk may hold a site with half of a surrogate pair. In rollups it is U+FFFD, so it has to be that here too. */
function wellFormed(origins: readonly ClientInfo[]): readonly ClientInfo[] {
  if (origins.every(({ site }) => site.isWellFormed())) return origins;
  return origins.map((origin) => ({ ...origin, site: origin.site.toWellFormed() }));
}

/**
 * A stored chunk whose columns are decoded into arrays of the caller's, each of `n` values. A class, since a rollup opens
 * hundreds: functions made for each of them would be compiled for each of them.
 */
export class ChunkReader {
  readonly n: number;
  private readonly start: number;
  private readonly predicted: boolean;
  private readonly body: Uint8Array;
  private readonly places: ReadonlyMap<string, Place>;

  constructor(header: Omit<ChunkHeader, keyof ChunkDictionaries>, body: Uint8Array) {
    this.n = header.n;
    this.start = header.t0;
    this.predicted = header.predicted;
    this.body = body;
    this.places = placesOf(header.columns, body.length);
  }

  get metricNames(): readonly string[] {
    return [...this.places.keys()].filter((name) => name.startsWith(METRIC)).map((name) => name.slice(METRIC.length));
  }

  readAt(into: Float64Array): void {
    this.readStored('at', into, 0);
    fromDeltas(into, this.start);
  }

  readCodes(name: TextName | 'origin', into: Int32Array): void {
    this.readStored(name, into, 1);
  }

  /** @param other another column, where this one holds only the difference to it @param room for what is needed on the way */
  readNumber(
    name: NumberName,
    into: Float64Array,
    other: (name: NumberName) => Float64Array = (source) => this.freshNumber(source),
    room: BufferPool = FRESH_BUFFERS,
  ): void {
    // Stored is 1 more than the value, and 0 for NULL.
    this.readStored(name, into, 1);
    const predicted = this.predicted ? predictionOf(name, this.n, other, room) : null;
    if (predicted !== null) addPrediction(into, predicted);
  }

  readMetric(name: string): Float64Array {
    const place = this.places.get(METRIC + name);
    if (place === undefined) return new Float64Array(this.n).fill(Number.NaN);
    // A copy: doubles have to start at a multiple of eight.
    return new Float64Array(Uint8Array.from(this.payload(place)).buffer);
  }

  private readStored(name: string, into: Float64Array | Int32Array, less: 0 | 1): void {
    const place = this.places.get(name);
    const [, width, , , constant] = place?.column ?? [name, 0, 0, 0];
    if (place === undefined || width === 0) into.fill((constant ?? 0) - less);
    else decodePlanes(this.payload(place), width, into, less);
  }

  private payload({ column: [name, width, bytes, deflated], start }: Place): Uint8Array {
    const { body } = this;
    if (start + bytes > body.length) throw new RangeError(`column ${name} lies outside of its chunk`);
    const stored = body.subarray(start, start + bytes);
    // One piece with room to spare: by default it comes in many, which are then put together.
    return deflated === 1 ? inflateRawSync(stored, { chunkSize: Math.max(MIN_PIECE, this.n * width + 1) }) : stored;
  }

  private freshNumber(name: NumberName): Float64Array {
    const values = new Float64Array(this.n);
    this.readNumber(name, values);
    return values;
  }
}

function placesOf(columns: readonly StoredColumn[], length: number): Map<string, Place> {
  const places = new Map<string, Place>();
  let start = 0;
  for (const column of columns) {
    places.set(column[0], { column, start });
    start += column[2];
  }
  if (start !== length) throw new RangeError(`a chunk of ${length} bytes, not ${start}`);
  return places;
}
