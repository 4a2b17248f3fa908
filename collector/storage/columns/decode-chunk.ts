import { inflateRawSync } from 'node:zlib';
import type { ClientInfo } from '../../../shared/sample/sample.ts';
import type { NumberName, SampleColumns, TextColumn, TextName } from '../../../shared/sample/sample-columns.ts';
import { once, onceEach } from '../../lib/once.ts';
import { type BufferPool, FRESH_BUFFERS } from './buffer-pool.ts';
import { type ChunkHeader, type StoredColumn, splitChunk } from './chunk-header.ts';
import { addPrediction, decodePlanes, fromDeltas, predict } from './column-coding.ts';

const METRIC = 'metric:';
/** The smallest chunk size zlib accepts, bytes. */
const MIN_INFLATE_BYTES = 64;

/** The dictionaries that a chunk's codes refer to. */
export type ChunkDictionaries = Pick<ChunkHeader, 'origins' | 'texts'>;

/**
 * The columns of a stored chunk, each decoded on first access: a query for one phase of one host touches a few of thirty.
 *
 * @param pool for the decoded columns, which are valid until it is used again
 */
export function decodeChunk(chunk: Uint8Array, pool = FRESH_BUFFERS): SampleColumns {
  const { reader, dictionaries } = openChunk(chunk);
  const { n, metricNames } = reader;
  const codes = (name: TextName | 'origin') => {
    const into = pool.codes(name, n);
    reader.readCodes(name, into);
    return into;
  };
  const number = onceEach((name: NumberName): Float64Array => {
    const into = pool.numbers(name, n);
    reader.readNumber(name, into, number, pool);
    return into;
  });
  return {
    n,
    at: once(() => {
      const into = pool.numbers('at', n);
      reader.readAt(into);
      return into;
    }),
    origins: dictionaries.origins,
    origin: once(() => codes('origin')),
    text: onceEach((name: TextName): TextColumn => ({ strings: dictionaries.texts[name] ?? [], codes: codes(name) })),
    number,
    metricNames,
    metric: onceEach((name: string) => reader.readMetric(name)),
  };
}

/**
 * Reads only a chunk's header. Dictionaries are kept apart from the reader, which does not need them: chunks read together
 * mostly have the same ones, and those of hundreds of chunks are half of what would survive a garbage collection. Unreadable
 * bytes throw a RangeError or SyntaxError, now or when their column is read.
 */
export function openChunk(chunk: Uint8Array): { reader: ChunkReader; dictionaries: ChunkDictionaries } {
  const { header, body } = splitChunk(chunk);
  const dictionaries = { origins: wellFormed(header.origins), texts: header.texts };
  return { reader: new ChunkReader(header, body), dictionaries };
}

/** Older chunks may hold a site with a lone surrogate. Rollups have U+FFFD for it, so samples must too. */
function wellFormed(origins: readonly ClientInfo[]): readonly ClientInfo[] {
  if (origins.every(({ site }) => site.isWellFormed())) return origins;
  return origins.map((origin) => ({ ...origin, site: origin.site.toWellFormed() }));
}

interface Located {
  readonly column: StoredColumn;
  readonly start: number;
}

/**
 * Decodes the columns of a stored chunk into the caller's arrays of `n` values. A class, because a rollup opens hundreds, and
 * closures created for each would be compiled for each.
 */
export class ChunkReader {
  readonly n: number;
  private readonly start: number;
  private readonly predicted: boolean;
  private readonly body: Uint8Array;
  private readonly columns: ReadonlyMap<string, Located>;

  constructor(header: Omit<ChunkHeader, keyof ChunkDictionaries>, body: Uint8Array) {
    this.n = header.n;
    this.start = header.t0;
    this.predicted = header.predicted;
    this.body = body;
    this.columns = locate(header.columns, body.length);
  }

  get metricNames(): readonly string[] {
    return [...this.columns.keys()].filter((name) => name.startsWith(METRIC)).map((name) => name.slice(METRIC.length));
  }

  readAt(into: Float64Array): void {
    this.readStored('at', into, 0);
    fromDeltas(into, this.start);
  }

  readCodes(name: TextName | 'origin', into: Int32Array): void {
    this.readStored(name, into, 1);
  }

  /** @param other another column, if this one holds only the difference from it @param pool for intermediate results */
  readNumber(
    name: NumberName,
    into: Float64Array,
    other: (name: NumberName) => Float64Array = (source) => this.freshNumber(source),
    pool: BufferPool = FRESH_BUFFERS,
  ): void {
    // Stored as one more than the value, with 0 for NULL.
    this.readStored(name, into, 1);
    const predicted = this.predicted ? predict(name, this.n, other, pool) : null;
    if (predicted !== null) addPrediction(into, predicted);
  }

  readMetric(name: string): Float64Array {
    const located = this.columns.get(METRIC + name);
    if (located === undefined) return new Float64Array(this.n).fill(Number.NaN);
    // Copied, since doubles have to be aligned to eight bytes.
    return new Float64Array(Uint8Array.from(this.payload(located)).buffer);
  }

  private readStored(name: string, into: Float64Array | Int32Array, less: 0 | 1): void {
    const located = this.columns.get(name);
    const [, width, , , constant] = located?.column ?? [name, 0, 0, 0];
    if (located === undefined || width === 0) into.fill((constant ?? 0) - less);
    else decodePlanes(this.payload(located), width, into, less);
  }

  private payload({ column: [name, width, bytes, deflated], start }: Located): Uint8Array {
    const { body } = this;
    if (start + bytes > body.length) throw new RangeError(`column ${name} lies outside its chunk`);
    const stored = body.subarray(start, start + bytes);
    // A chunk size larger than the output avoids inflating to many pieces that are then joined.
    return deflated === 1
      ? inflateRawSync(stored, { chunkSize: Math.max(MIN_INFLATE_BYTES, this.n * width + 1) })
      : stored;
  }

  private freshNumber(name: NumberName): Float64Array {
    const values = new Float64Array(this.n);
    this.readNumber(name, values);
    return values;
  }
}

function locate(columns: readonly StoredColumn[], length: number): Map<string, Located> {
  const located = new Map<string, Located>();
  let start = 0;
  for (const column of columns) {
    located.set(column[0], { column, start });
    start += column[2];
  }
  if (start !== length) throw new RangeError(`a chunk of ${length} bytes, not ${start}`);
  return located;
}
