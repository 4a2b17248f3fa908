import type { ClientInfo } from '../../../shared/sample/sample.ts';
import { NULL, NUMBER_NAMES, TEXT_NAMES, type TextName } from '../../../shared/sample/sample-columns.ts';
import type { BatchColumns } from './batch-columns.ts';
import { ByteWriter } from './bytes.ts';
import { joinChunk, type StoredColumn } from './chunk-header.ts';
import { bytesFor, writePlanes } from './column-coding.ts';
import { clientDictionary, usedStrings } from './dictionary-builder.ts';
import type { EncodedChunk } from './encode-chunk.ts';

/** Larger values don't fit into 32 bits in stored form and are written from doubles. */
const MAX_SMALL = 2 ** 31 - 2;

/** One batch's rows and where they come from. */
export interface OriginColumns {
  readonly origin: ClientInfo;
  /** Id of the ingest key; null or absent for rows that a command wrote. */
  readonly key?: string | null;
  readonly columns: BatchColumns;
}

/** Reused for every column of every chunk: thirty fresh arrays per commit would be most of the garbage collector's work. */
const bytes = new ByteWriter();
let small = new Int32Array(0);
let wide = new Float64Array(0);

/**
 * Encodes the batches of one group commit as a chunk, in two passes over each column, since every sample waits for it before
 * it is acknowledged. The format is that of `encodeChunk`; nothing is deflated or predicted, because maintenance merges the
 * chunk soon.
 *
 * @param textBytes receives per batch the bytes of the strings that it is the first to use
 */
export function encodeHotChunk(batches: readonly OriginColumns[], textBytes?: Float64Array): EncodedChunk {
  const parts = batches.map((batch) => batch.columns);
  const n = parts.reduce((sum, part) => sum + part.n, 0);
  if (small.length < n) {
    small = new Int32Array(2 * n);
    wide = new Float64Array(2 * n);
  }
  const columns: StoredColumn[] = [];
  bytes.length = 0;

  const [t0, t1] = spanOf(parts);
  columns.push(appendWide('at', n, storeTimes(parts, t0)));
  const origins = storeOrigins(batches);
  columns.push(appendSmall('origin', n, origins.length));
  const texts: Partial<Record<TextName, readonly string[]>> = {};
  for (const [index, name] of TEXT_NAMES.entries()) {
    const entries = storeTexts(parts, index, textBytes);
    if (entries.length === 0) continue;
    texts[name] = entries;
    columns.push(appendSmall(name, n, entries.length));
  }
  for (const [index, name] of NUMBER_NAMES.entries()) {
    const numbers = parts.map((part) => part.numbers[index]);
    const max = storeSmall(parts, numbers);
    if (max > MAX_SMALL) columns.push(appendWide(name, n, storeWide(parts, numbers, max)));
    else columns.push(appendSmall(name, n, max + 1));
  }
  const metricNames = new Set(parts.flatMap(({ metrics }) => metrics.map(([name]) => name)));
  for (const name of metricNames) {
    columns.push([`metric:${name}`, 8, n * 8, 0]);
    bytes.append(metricBytes(parts, n, name));
  }
  const header = { n, t0, t1, origins, texts, predicted: false, columns };
  return { n, t0, t1, bytes: joinChunk(header, [bytes.view()], false) };
}

/** Each client once, and in `small` one more than each row's index into them. */
function storeOrigins(batches: readonly OriginColumns[]): readonly ClientInfo[] {
  const dictionary = clientDictionary();
  let start = 0;
  for (const { origin, key, columns } of batches) {
    const index = dictionary.indexOf(typeof key === 'string' ? { ...origin, key } : origin);
    small.fill(index + 1, start, start + columns.n);
    start += columns.n;
  }
  return dictionary.entries;
}

/**
 * Stored numbers are ≥ 0: NULL is −1, so each is stored as one more than its value. Returns the largest value, NULL if there
 * is none; `small` is unusable if that exceeds MAX_SMALL.
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

/** Returns the strings that rows use; `small` receives each row's index into them, plus one. */
function storeTexts(
  parts: readonly BatchColumns[],
  textIndex: number,
  textBytes: Float64Array | undefined,
): readonly string[] {
  const columns = parts.map(({ texts }) => texts[textIndex]);
  const list = usedStrings();
  let next = 0;
  let counted = 0;
  for (let part = 0; part < parts.length; part++) {
    const column = columns[part];
    const n = parts[part]?.n ?? 0;
    if (column === undefined) small.fill(0, next, next + n);
    else {
      const { codes } = column;
      const indices = list.indicesOf(column);
      for (let row = 0; row < n; row++) {
        const code = codes[row] as number;
        small[next + row] = code === NULL ? 0 : indices[code] || list.add(column, code);
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

/** Folded differences to the previous row, like `toDeltas`. Returns the largest. */
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

/** Writes `small` byte by byte like `writePlanes`, monomorphic so that it stays optimized. */
function appendSmall(name: string, n: number, max: number): StoredColumn {
  if (allAlike(small, n)) return [name, 0, 0, 0, small[0] ?? 0];
  const width = bytesFor(max);
  writeSmallPlanes(small, n, width, bytes.reserve(n * width));
  return [name, width, n * width, 0];
}

/** Two planes per pass: reading a value costs as much as writing one of its bytes. */
function writeSmallPlanes(values: Int32Array, n: number, width: number, into: Uint8Array): void {
  let plane = 0;
  for (; plane + 1 < width; plane += 2) {
    const shift = 8 * plane;
    const base = plane * n;
    for (let row = 0; row < n; row++) {
      const value = (values[row] as number) >> shift;
      into[base + row] = value;
      into[base + n + row] = value >> 8;
    }
  }
  if (plane < width) for (let row = 0; row < n; row++) into[plane * n + row] = (values[row] as number) >> (8 * plane);
}

function appendWide(name: string, n: number, max: number): StoredColumn {
  const width = bytesFor(max);
  writePlanes(wide, n, width, bytes.reserve(n * width));
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
