import { NULL, NUMBER_NAMES, TEXT_NAMES, type TextName } from '../../../shared/sample/sample-columns.ts';
import { ByteWriter } from '../rollups/byte-writer.ts';
import type { BatchColumns } from './batch-columns.ts';
import { joinChunk, type StoredColumn } from './chunk-header.ts';
import { entryList } from './dictionary-builder.ts';
import type { EncodedChunk } from './encode-chunk.ts';
import { groupOrigins, type OriginColumns } from './group-origins.ts';
import { bytesFor, writePlanes } from './planes.ts';

/** Larger values don't fit into 32 bits once they are stored, and are written from doubles. */
const MAX_SMALL = 2 ** 31 - 2;

/** Used again for every chunk and every column: fresh arrays, thirty a commit, are most of the work of collecting garbage. */
const bytes = new ByteWriter();
let small = new Int32Array(0);
let wide = new Float64Array(0);

/**
 * The batches of one group commit as a chunk, in two passes over each column: every sample pays for it before it is
 * acknowledged. The format is that of `encodeChunk`; nothing is deflated or predicted, since upkeep merges it soon.
 *
 * @param textBytes filled, by batch: bytes of the entries that it is the first of them to have
 */
export function encodeHotChunk(batches: readonly OriginColumns[], textBytes?: Float64Array): EncodedChunk {
  const parts = batches.map(({ columns }) => columns);
  const n = parts.reduce((sum, columns) => sum + columns.n, 0);
  if (small.length < n) {
    small = new Int32Array(2 * n);
    wide = new Float64Array(2 * n);
  }
  const places: StoredColumn[] = [];
  bytes.length = 0;

  const [t0, t1] = spanOf(parts);
  places.push(appendWide('at', n, storeTimes(parts, t0)));
  const origins = groupOrigins(batches, n);
  small.set(origins.codes);
  for (let row = 0; row < n; row++) small[row] = (small[row] as number) + 1;
  places.push(appendSmall('origin', n, origins.entries.length));
  const texts: Partial<Record<TextName, readonly string[]>> = {};
  for (const [place, name] of TEXT_NAMES.entries()) {
    const entries = storeTexts(parts, place, textBytes);
    if (entries.length === 0) continue;
    texts[name] = entries;
    places.push(appendSmall(name, n, entries.length));
  }
  for (const [place, name] of NUMBER_NAMES.entries()) {
    const columns = parts.map(({ numbers }) => numbers[place]);
    const max = storeSmall(parts, columns);
    if (max > MAX_SMALL) places.push(appendWide(name, n, storeWide(parts, columns, max)));
    else places.push(appendSmall(name, n, max + 1));
  }
  const metricNames = new Set(parts.flatMap(({ metrics }) => metrics.map(([name]) => name)));
  for (const name of metricNames) {
    places.push([`metric:${name}`, 8, n * 8, 0]);
    bytes.append(metricBytes(parts, n, name));
  }
  const header = { n, t0, t1, origins: origins.entries, texts, predicted: false, columns: places };
  return { n, t0, t1, bytes: joinChunk(header, [bytes.view()], false) };
}

/**
 * Numbers as they are stored, all ≥ 0: NULL is −1, so one more than the value is what is wanted either way. Returns the
 * largest value, NULL where nobody knows one; what was stored is of no use where that is more than MAX_SMALL.
 */
function storeSmall(parts: readonly BatchColumns[], columns: readonly (Float64Array | undefined)[]): number {
  let max: number = NULL;
  let next = 0;
  for (let part = 0; part < parts.length; part++) {
    const column = columns[part];
    const rows = parts[part]?.n ?? 0;
    if (column === undefined) small.fill(0, next, next + rows);
    else {
      for (let row = 0; row < rows; row++) {
        const value = column[row] as number;
        if (value > max) max = value;
        small[next + row] = value + 1;
      }
    }
    next += rows;
  }
  return max;
}

function storeWide(
  parts: readonly BatchColumns[],
  columns: readonly (Float64Array | undefined)[],
  max: number,
): number {
  let next = 0;
  columns.forEach((column, part) => {
    const rows = parts[part]?.n ?? 0;
    for (let row = 0; row < rows; row++) wide[next++] = (column?.[row] ?? NULL) + 1;
  });
  return max + 1;
}

/** One list of the entries that rows use, and in `small` one more than each row's index into it. */
function storeTexts(
  parts: readonly BatchColumns[],
  textPlace: number,
  textBytes: Float64Array | undefined,
): readonly string[] {
  const columns = parts.map(({ texts }) => texts[textPlace]);
  const list = entryList(columns);
  let next = 0;
  let counted = 0;
  for (let part = 0; part < parts.length; part++) {
    const column = columns[part];
    const n = parts[part]?.n ?? 0;
    if (column === undefined) small.fill(0, next, next + n);
    else {
      const { codes } = column;
      const places = list.placesOf(column);
      for (let row = 0; row < n; row++) {
        const code = codes[row] as number;
        small[next + row] = code === NULL ? 0 : places[code] || list.add(column, code);
      }
    }
    if (textBytes !== undefined) {
      for (; counted < list.entries.length; counted++) {
        textBytes[part] = (textBytes[part] as number) + Buffer.byteLength(list.entries[counted] as string);
      }
    }
    next += n;
  }
  return list.entries;
}

/** Folded distances to the row before, as `toDeltas`. Returns the largest. */
function storeTimes(parts: readonly BatchColumns[], start: number): number {
  let max = 0;
  let before = start;
  let next = 0;
  for (const { at } of parts) {
    for (let row = 0; row < at.length; row++) {
      const now = at[row] as number;
      const delta = now - before;
      const stored = delta < 0 ? -2 * delta - 1 : 2 * delta;
      if (stored > max) max = stored;
      wide[next++] = stored;
      before = now;
    }
  }
  return max;
}

function metricBytes(parts: readonly BatchColumns[], n: number, name: string): Uint8Array {
  const values = new Float64Array(n).fill(Number.NaN);
  let next = 0;
  for (const { n: rows, metrics } of parts) {
    const column = metrics.find(([known]) => known === name)?.[1];
    if (column !== undefined) values.set(column, next);
    next += rows;
  }
  return new Uint8Array(values.buffer);
}

/** What stands in `small`, byte by byte as `writePlanes`: a loop over one kind of array is a loop the compiler likes. */
function appendSmall(name: string, n: number, max: number): StoredColumn {
  if (allAlike(small, n)) return [name, 0, 0, 0, small[0] ?? 0];
  const width = bytesFor(max);
  writeSmallPlanes(small, n, width, bytes.room(n * width));
  return [name, width, n * width, 0];
}

/** Two planes a pass: reading a value costs as much as writing a byte of it. */
function writeSmallPlanes(values: Int32Array, n: number, width: number, room: Uint8Array): void {
  let plane = 0;
  for (; plane + 1 < width; plane += 2) {
    const shift = 8 * plane;
    const base = plane * n;
    for (let row = 0; row < n; row++) {
      const value = (values[row] as number) >> shift;
      room[base + row] = value;
      room[base + n + row] = value >> 8;
    }
  }
  if (plane < width) for (let row = 0; row < n; row++) room[plane * n + row] = (values[row] as number) >> (8 * plane);
}

function appendWide(name: string, n: number, max: number): StoredColumn {
  const width = bytesFor(max);
  writePlanes(wide, n, width, bytes.room(n * width));
  return [name, width, n * width, 0];
}

function allAlike(values: Int32Array, n: number): boolean {
  const first = values[0];
  for (let row = 1; row < n; row++) if (values[row] !== first) return false;
  return true;
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
