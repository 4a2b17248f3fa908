import { inflateRawSync } from 'node:zlib';
import type { NumberName, SampleColumns, TextColumn, TextName } from '../../../shared/sample/sample-columns.ts';
import { type ChunkHeader, type ColumnPlace, splitChunk } from './chunk-header.ts';
import { fromDeltas, fromStored, predictionOf } from './column-coding.ts';
import { once, onceEach } from './once.ts';
import { decodePlanes } from './planes.ts';

const METRIC = 'metric:';

interface Place {
  readonly column: ColumnPlace;
  readonly start: number;
}

/**
 * The columns of a stored chunk. Only the header is read here; a column is decoded when it is first asked for, so a
 * query for one phase of one host touches a few of thirty. What cannot be read throws a RangeError or SyntaxError.
 */
export function decodeChunk(chunk: Uint8Array): SampleColumns {
  const { header, body } = splitChunk(chunk);
  const places = placesOf(header, body.length);
  const { n } = header;

  function payload({ column: [name, , bytes, deflated], start }: Place): Uint8Array {
    if (start + bytes > body.length) throw new RangeError(`column ${name} lies outside of its chunk`);
    const stored = body.subarray(start, start + bytes);
    return deflated === 1 ? inflateRawSync(stored) : stored;
  }

  function stored<T extends Float64Array | Int32Array>(name: string, values: T): T {
    const place = places.get(name);
    if (place === undefined) return values;
    const [, width, , , constant] = place.column;
    if (width === 0) values.fill(constant ?? 0);
    else decodePlanes(payload(place), width, values);
    return values;
  }

  const at = once(() => {
    const values = stored('at', new Float64Array(n));
    fromDeltas(values, header.t0);
    return values;
  });
  const origin = once(() => {
    const codes = stored('origin', new Int32Array(n));
    fromStored(codes, null);
    return codes;
  });
  const text = onceEach((name: TextName): TextColumn => {
    const codes = stored(name, new Int32Array(n));
    fromStored(codes, null);
    return { entries: header.texts[name] ?? [], codes };
  });
  const number = onceEach((name: NumberName): Float64Array => {
    const values = stored(name, new Float64Array(n));
    fromStored(values, header.predicted ? predictionOf(name, n, number) : null);
    return values;
  });
  const metric = onceEach((name: string): Float64Array => {
    const place = places.get(METRIC + name);
    if (place === undefined) return new Float64Array(n).fill(Number.NaN);
    // A copy: doubles have to start at a multiple of eight.
    return new Float64Array(Uint8Array.from(payload(place)).buffer);
  });
  const metricNames = [...places.keys()].filter((name) => name.startsWith(METRIC)).map((name) => name.slice(7));
  return { n, at, origins: header.origins, origin, text, number, metricNames, metric };
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
