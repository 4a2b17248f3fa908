import { deflateRawSync } from 'node:zlib';
import {
  NULL,
  NUMBER_NAMES,
  type SampleColumns,
  TEXT_NAMES,
  type TextName,
} from '../../../shared/sample/sample-columns.ts';
import { joinChunk, type StoredColumn } from './chunk-header.ts';
import { bytesFor, encodePlanes, predict, toDeltas, toStored } from './column-coding.ts';

/** Share of a column that deflate has to save to be worth inflating it at every read. */
const MIN_SAVED = 0.1;

export interface EncodedChunk {
  readonly n: number;
  readonly t0: number;
  readonly t1: number;
  readonly bytes: Uint8Array;
}

/**
 * Encodes samples as one immutable blob. Columns are packed to the bytes they need, which costs next to nothing; `compact`
 * deflates them as well, for merged chunks that will be kept.
 */
export function encodeChunk(columns: SampleColumns, compact: boolean): EncodedChunk {
  const stored: StoredColumn[] = [];
  const blobs: Uint8Array[] = [];
  const add = (name: string, values: Float64Array) => {
    const [column, blob] = encodeColumn(name, values, compact);
    stored.push(column);
    if (blob !== null) blobs.push(blob);
  };

  const at = columns.at();
  const [t0, t1] = spanOf(at);
  add('at', toDeltas(at, t0));
  const origins = usedEntries(columns.origins, columns.origin());
  add('origin', toStored(origins.codes, null));
  const texts: Partial<Record<TextName, readonly string[]>> = {};
  for (const name of TEXT_NAMES) {
    const text = columns.text(name);
    const { entries, codes } = usedEntries(text.strings, text.codes);
    if (entries.length === 0) continue;
    texts[name] = entries;
    add(name, toStored(codes, null));
  }
  for (const name of NUMBER_NAMES) {
    add(
      name,
      toStored(
        columns.number(name),
        predict(name, columns.n, (source) => columns.number(source)),
      ),
    );
  }
  for (const name of columns.metricNames) {
    const values = columns.metric(name);
    const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const blob = compact ? deflateRawSync(raw) : raw;
    stored.push([`metric:${name}`, 8, blob.length, compact ? 1 : 0]);
    blobs.push(blob);
  }
  const header = { n: columns.n, t0, t1, origins: origins.entries, texts, predicted: true, columns: stored };
  return { n: columns.n, t0, t1, bytes: joinChunk(header, blobs, compact) };
}

/** Rows that are gone, such as erased ones, leave no dictionary entries behind. */
function usedEntries<T>(entries: readonly T[], codes: Int32Array): { entries: readonly T[]; codes: Int32Array } {
  const indices = new Int32Array(entries.length).fill(NULL);
  for (const code of codes) if (code !== NULL) indices[code] = code;
  if (!indices.includes(NULL)) return { entries, codes };
  const used = entries.filter((_, index) => indices[index] !== NULL);
  let next = 0;
  for (let index = 0; index < indices.length; index++) if (indices[index] !== NULL) indices[index] = next++;
  return { entries: used, codes: codes.map((code) => (code === NULL ? NULL : (indices[code] as number))) };
}

function encodeColumn(name: string, stored: Float64Array, compact: boolean): [StoredColumn, Uint8Array | null] {
  const first = stored[0] ?? 0;
  let max = first;
  let constant = true;
  for (let row = 1; row < stored.length; row++) {
    const value = stored[row] as number;
    if (value !== first) constant = false;
    if (value > max) max = value;
  }
  if (constant) return [[name, 0, 0, 0, first], null];
  const width = bytesFor(max);
  const planes = encodePlanes(stored, width);
  const deflated = compact ? deflateRawSync(planes) : planes;
  const worth = deflated.length < planes.length * (1 - MIN_SAVED);
  return worth ? [[name, width, deflated.length, 1], deflated] : [[name, width, planes.length, 0], planes];
}

function spanOf(at: Float64Array): [number, number] {
  let first = Infinity;
  let last = -Infinity;
  for (const time of at) {
    if (time < first) first = time;
    if (time > last) last = time;
  }
  return [first, last];
}
