import { NUMBER_NAMES, TEXT_NAMES, type TextName } from '../../../shared/sample/sample-columns.ts';
import type { BatchColumn, BatchColumns } from '../../../shared/wire/batch-columns.ts';
import { ByteWriter } from '../pack/byte-writer.ts';
import { type ColumnPlace, joinChunk } from './chunk-header.ts';
import type { EncodedChunk } from './encode-chunk.ts';
import { groupOrigins, type OriginColumns } from './group-origins.ts';
import { bytesFor, writePlanes } from './planes.ts';

/** Larger values go the slow way through doubles. */
const MAX_SMALL = 2 ** 31 - 2;

/**
 * The batches of one group commit as a chunk, in one pass over each column of the parsed JSON: this is what every sample
 * pays on the event loop. The format is that of `encodeChunk`; nothing is deflated or predicted, since upkeep merges it
 * soon.
 */
export function encodeHotChunk(batches: readonly OriginColumns[]): EncodedChunk {
  const parts = batches.map(({ columns }) => columns);
  const n = parts.reduce((sum, columns) => sum + columns.n, 0);
  const places: ColumnPlace[] = [];
  bytes.length = 0;
  const add = (name: string, stored: Stored) => places.push(appendStored(name, stored, n));

  const [t0, t1] = spanOf(parts);
  add('at', storeTimes(parts, n, t0));
  const origins = groupOrigins(batches, n);
  add('origin', storeCodes(origins.codes));
  const texts: Partial<Record<TextName, readonly string[]>> = {};
  for (const name of TEXT_NAMES) {
    if (parts.every(({ texts: known }) => known[name] === undefined)) continue;
    const { entries, stored } = storeTexts(parts, n, name);
    texts[name] = entries;
    add(name, stored);
  }
  for (const name of NUMBER_NAMES) {
    const columns = parts.map(({ numbers }) => numbers[name]);
    if (columns.every((column) => column === undefined)) places.push([name, 0, 0, 0, 0]);
    else add(name, storeNumbers(parts, columns, n));
  }
  const metricNames = new Set(parts.flatMap(({ metrics }) => metrics.map(([name]) => name)));
  for (const name of metricNames) {
    places.push([`metric:${name}`, 8, n * 8, 0]);
    bytes.append(storeMetric(parts, n, name));
  }
  const header = { n, t0, t1, origins: origins.entries, texts, predicted: false, columns: places };
  return { n, t0, t1, bytes: joinChunk(header, [bytes.view()], false) };
}

/** Used again for every chunk and every column: fresh arrays, thirty a commit, are most of the work of collecting garbage. */
const bytes = new ByteWriter();
let small = new Int32Array(0);
let wide = new Float64Array(0);

function smallValues(n: number): Int32Array {
  if (small.length < n) small = new Int32Array(2 * n);
  return small;
}

function wideValues(n: number): Float64Array {
  if (wide.length < n) wide = new Float64Array(2 * n);
  return wide;
}

/** Numbers ≥ 0 as they are stored, 0 for null; one width of array or the other, of which the first n are meant. */
interface Stored {
  readonly values: Int32Array | Float64Array;
  readonly max: number;
  readonly constant: boolean;
}

function storeNumbers(
  parts: readonly BatchColumns[],
  columns: readonly (BatchColumn | undefined)[],
  n: number,
): Stored {
  const values = smallValues(n);
  let max = 0;
  let min = MAX_SMALL;
  let next = 0;
  for (let part = 0; part < parts.length; part++) {
    const column = columns[part];
    const rows = parts[part]?.n ?? 0;
    if (column === undefined) {
      min = 0;
      values.fill(0, next, next + rows);
      next += rows;
      continue;
    }
    for (let row = 0; row < rows; row++) {
      const value = column[row];
      const stored = value === null || value === undefined ? 0 : value + 1;
      if (stored > max) max = stored;
      if (stored < min) min = stored;
      values[next++] = stored;
    }
  }
  return max > MAX_SMALL ? storeWide(parts, columns, n, max) : { values, max, constant: min === max };
}

function storeWide(
  parts: readonly BatchColumns[],
  columns: readonly (BatchColumn | undefined)[],
  n: number,
  max: number,
): Stored {
  const values = wideValues(n);
  let next = 0;
  columns.forEach((column, part) => {
    const rows = parts[part]?.n ?? 0;
    for (let row = 0; row < rows; row++) {
      const value = column?.[row] ?? null;
      values[next++] = value === null ? 0 : value + 1;
    }
  });
  return { values, max, constant: false };
}

function storeTexts(parts: readonly BatchColumns[], n: number, name: TextName): { entries: string[]; stored: Stored } {
  const entries: string[] = [];
  const known = new Map<string, number>();
  const values = smallValues(n);
  let next = 0;
  for (const { n: rows, texts } of parts) {
    const column = texts[name];
    if (column === undefined) {
      values.fill(0, next, next + rows);
      next += rows;
      continue;
    }
    const places = column.entries.map((text) => {
      const place = known.get(text);
      if (place !== undefined) return place;
      const added = entries.push(text);
      known.set(text, added);
      return added;
    });
    const { indexes } = column;
    for (let row = 0; row < rows; row++) {
      const index = indexes[row];
      values[next++] = index === null || index === undefined ? 0 : (places[index] as number);
    }
  }
  return { entries, stored: { values, max: entries.length, constant: allAlike(values, n) } };
}

function allAlike(values: Int32Array, n: number): boolean {
  for (let row = 1; row < n; row++) if (values[row] !== values[0]) return false;
  return true;
}

function storeCodes(codes: Int32Array): Stored {
  const n = codes.length;
  const values = smallValues(n);
  let max = 0;
  for (let row = 0; row < n; row++) {
    const stored = (codes[row] as number) + 1;
    if (stored > max) max = stored;
    values[row] = stored;
  }
  return { values, max, constant: allAlike(values, n) };
}

/** Folded distances to the row before, as `toDeltas`. */
function storeTimes(parts: readonly BatchColumns[], n: number, start: number): Stored {
  const values = wideValues(n);
  let max = 0;
  let before = start;
  let next = 0;
  for (const { at } of parts) {
    for (let row = 0; row < at.length; row++) {
      const now = at[row] as number;
      const delta = now - before;
      const stored = delta < 0 ? -2 * delta - 1 : 2 * delta;
      if (stored > max) max = stored;
      values[next++] = stored;
      before = now;
    }
  }
  return { values, max, constant: false };
}

function storeMetric(parts: readonly BatchColumns[], n: number, name: string): Uint8Array {
  const values = new Float64Array(n).fill(Number.NaN);
  let next = 0;
  for (const { n: rows, metrics } of parts) {
    const column = metrics.find(([known]) => known === name)?.[1];
    for (let row = 0; row < rows; row++, next++) values[next] = column?.[row] ?? Number.NaN;
  }
  return new Uint8Array(values.buffer);
}

function appendStored(name: string, { values, max, constant }: Stored, n: number): ColumnPlace {
  if (constant) return [name, 0, 0, 0, values[0] ?? 0];
  const width = bytesFor(max);
  const room = bytes.room(n * width);
  if (values instanceof Int32Array) writeSmallPlanes(values, n, width, room);
  else writePlanes(values, n, width, room);
  return [name, width, n * width, 0];
}

/** `writePlanes` for 32-bit numbers: a loop over one kind of array is a loop the compiler likes. */
function writeSmallPlanes(values: Int32Array, n: number, width: number, into: Uint8Array): void {
  for (let plane = 0; plane < width; plane++) {
    const shift = 8 * plane;
    const base = plane * n;
    for (let row = 0; row < n; row++) into[base + row] = (values[row] as number) >> shift;
  }
}

function spanOf(parts: readonly BatchColumns[]): [number, number] {
  let first = Infinity;
  let last = -Infinity;
  for (const { at } of parts) {
    for (let row = 0; row < at.length; row++) {
      const time = at[row] as number;
      if (time < first) first = time;
      if (time > last) last = time;
    }
  }
  return [first, last];
}
