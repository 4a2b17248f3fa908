import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { NULL, type SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { AnyDimension, SampleQuery } from '../../../shared/summary/dimensions.ts';
import { decodeChunk } from '../chunk/decode-chunk.ts';
import { mergeColumns, type RowSelection } from '../chunk/merge-columns.ts';
import { wordsOfRows } from '../query/row-words.ts';
import type { SampleStore } from '../store.ts';
import { intact, type StoredBlob } from './intact.ts';
import { translating } from './translate-error.ts';

/** Rows that are gathered before they are handed out; a large chunk is handed out whole. */
const MIN_BLOCK = 5000;

interface ChunkPlace {
  readonly id: number;
  readonly t0: number;
}

/** Samples column by column, oldest first: no sample ever becomes an object. */
export function createColumnScan(file: string): SampleStore['scanColumns'] {
  return async function* scanColumns(query) {
    // A connection and a snapshot of its own: upkeep may merge and remove chunks while this goes on.
    const database = translating(() => new Database(file, { readonly: true }));
    try {
      database.exec('BEGIN');
      yield* scanSnapshot(database, query);
    } finally {
      database.close();
    }
  };
}

async function* scanSnapshot(database: Database.Database, query: SampleQuery): AsyncGenerator<SampleColumns> {
  const places = database.prepare<[SampleQuery['range']], ChunkPlace>(
    'SELECT id, t0 FROM chunk WHERE t1 >= @from AND t0 < @to ORDER BY t0, id',
  );
  const bytes = database.prepare<[number], StoredBlob>('SELECT bytes, crc FROM chunk WHERE id = ?');
  const chunks = translating(() => places.all(query.range));
  let waiting: RowSelection[] = [];
  let rows = 0;
  for (const [index, { id }] of chunks.entries()) {
    const found = translating(() => bytes.get(id));
    const selection =
      found === undefined
        ? null
        : translating(() => selectRows(decodeChunk(intact(found, 'a chunk of samples')), query));
    if (selection !== null) {
      waiting.push(selection);
      rows += lengthOf(selection);
    }
    const next = chunks[index + 1]?.t0 ?? Infinity;
    if (rows < MIN_BLOCK && next < Infinity) continue;
    // Late samples make chunks overlap: what is younger than the next chunk's start may not be its turn yet.
    const due = waiting.flatMap((part) => splitAt(part, -Infinity, next));
    waiting = waiting.flatMap((part) => splitAt(part, next, Infinity));
    rows = waiting.reduce((sum, part) => sum + lengthOf(part), 0);
    if (due.length > 0) yield translating(() => inOrder(due));
    await setImmediate();
  }
}

/** A chunk that is all there and in order, as most are, is handed out as it is. */
function inOrder(parts: readonly RowSelection[]): SampleColumns {
  const [{ columns, rows }, ...others] = parts as [RowSelection, ...RowSelection[]];
  const at = columns.at();
  const asItIs =
    others.length === 0 && rows === null && at.every((time, row) => row === 0 || time >= (at[row - 1] ?? 0));
  return asItIs ? columns : mergeColumns(parts);
}

function lengthOf({ columns, rows }: RowSelection): number {
  return rows?.length ?? columns.n;
}

/** The rows of a chunk that a query asks for; null where there are none. */
function selectRows(columns: SampleColumns, { range, filters }: SampleQuery): RowSelection | null {
  const at = columns.at();
  const passes = (Object.keys(filters) as AnyDimension[]).flatMap((dimension) => {
    const wanted = filters[dimension];
    if (wanted === undefined) return [];
    const { codes, words } = wordsOfRows(columns, dimension);
    return [{ codes, pass: words.map((word) => wanted.includes(word)) }];
  });
  const rows: number[] = [];
  for (let row = 0; row < columns.n; row++) {
    const time = at[row] as number;
    if (time < range.from || time >= range.to) continue;
    if (passes.every(({ codes, pass }) => codes[row] !== NULL && pass[codes[row] as number] === true)) rows.push(row);
  }
  return chosen(columns, rows, columns.n);
}

/** The part of a selection whose times lie in [from, to). */
function splitAt({ columns, rows }: RowSelection, from: number, to: number): RowSelection[] {
  const at = columns.at();
  const n = rows?.length ?? columns.n;
  const kept: number[] = [];
  for (let place = 0; place < n; place++) {
    const row = rows === null ? place : (rows[place] as number);
    const time = at[row] as number;
    if (time >= from && time < to) kept.push(row);
  }
  const part = chosen(columns, kept, columns.n);
  return part === null ? [] : [part];
}

function chosen(columns: SampleColumns, rows: readonly number[], n: number): RowSelection | null {
  if (rows.length === 0) return null;
  return { columns, rows: rows.length === n ? null : Int32Array.from(rows) };
}
