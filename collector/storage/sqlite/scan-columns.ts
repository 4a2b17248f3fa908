import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { rowReader } from '../../../shared/sample/sample-reader.ts';
import type { SampleQuery } from '../../../shared/vocabulary/dimensions.ts';
import type { JobRunner } from '../../lib/worker-pool.ts';
import { type ClientColumns, toClientColumns, toSampleColumns } from '../columns/batch-columns.ts';
import { decodeChunk } from '../columns/decode-chunk.ts';
import type { RowSelection } from '../columns/merge-columns.ts';
import { chosen, inOrder, matchingRows } from '../passes/matching-rows.ts';
import type { SampleStore } from '../store.ts';
import { intact, type StoredBlob } from './intact.ts';
import type { DatabaseLocation } from './open-database.ts';

/** Rows gathered per block; a large chunk is a block of its own. */
const MIN_BLOCK = 5000;

interface ChunkStart {
  readonly id: number;
  readonly t0: number;
}

/**
 * Open scans, where chunks are read. None holds a snapshot between two blocks: a slow reader would keep the log from being
 * restarted, which then grows by everything that is written.
 */
export interface ScanJobs {
  /** @returns its number */
  openScan(query: SampleQuery): number;
  /** The next samples, oldest first; null after the last. */
  nextBlock(scan: number): ClientColumns | null | Promise<ClientColumns | null>;
  closeScan(scan: number): null;
  close(): void;
}

export function openScanJobs({ file }: DatabaseLocation): ScanJobs {
  const database = new Database(file, { readonly: true });
  const open = new Map<number, Generator<SampleColumns>>();
  let last = 0;

  function end(scan: number): null {
    open.delete(scan);
    return null;
  }

  return {
    openScan(query) {
      open.set(++last, blocksOf(database, query));
      return last;
    },
    nextBlock(scan) {
      const next = open.get(scan)?.next();
      if (next !== undefined && next.done !== true) return toClientColumns(next.value);
      return end(scan);
    },
    closeScan: end,
    close: () => database.close(),
  };
}

/** Samples as columns, oldest first, read and merged off the event loop block by block. */
export function createColumnScan(streams: JobRunner<ScanJobs>): SampleStore['scanColumns'] {
  return async function* scanColumns({ range, filters }) {
    const scan = await streams.run('openScan', [{ range, filters }]);
    try {
      for (;;) {
        const block = await streams.run('nextBlock', [scan]);
        if (block === null) return;
        yield toSampleColumns(block);
      }
    } finally {
      await streams.run('closeScan', [scan]);
    }
  };
}

function* blocksOf(database: Database.Database, query: SampleQuery): Generator<SampleColumns> {
  const spans = database.prepare<[SampleQuery['range']], ChunkStart>(
    'SELECT id, t0 FROM chunk WHERE t1 >= @from AND t0 < @to ORDER BY t0, id',
  );
  const bytes = database.prepare<[number], StoredBlob>('SELECT bytes, crc FROM chunk WHERE id = ?');
  /** Everything before it has been yielded. */
  let { from } = query.range;
  let chunks = spans.all(query.range);
  let waiting: RowSelection[] = [];
  let rows = 0;
  let enough = MIN_BLOCK;
  for (let index = 0; index < chunks.length; index++) {
    const found = bytes.get(chunks[index]?.id ?? 0);
    if (found === undefined) {
      // Merged, erased, expired or set aside since: the rest of the range is read from the chunks that are there now.
      chunks = spans.all({ from, to: query.range.to });
      [waiting, rows, index] = [[], 0, -1];
      continue;
    }
    const columns = decodeChunk(intact(found, 'a chunk of samples'));
    const selection = matchingRows(columns, { ...query, range: { from, to: query.range.to } });
    if (selection !== null) {
      waiting.push(selection);
      rows += lengthOf(selection);
    }
    const next = chunks[index + 1]?.t0 ?? Infinity;
    if (rows < enough && next < Infinity) continue;
    // Late samples make chunks overlap: rows after the start of the next chunk have to wait for it.
    const due = waiting.flatMap((part) => splitAt(part, -Infinity, next));
    waiting = waiting.flatMap((part) => splitAt(part, next, Infinity));
    rows = waiting.reduce((sum, part) => sum + lengthOf(part), 0);
    // If many chunks overlap, most rows keep waiting: searching them all for every chunk would be quadratic.
    enough = Math.max(MIN_BLOCK, 2 * rows);
    from = Math.max(from, next);
    if (due.length > 0) yield inOrder(due);
  }
}

function lengthOf({ columns, rows }: RowSelection): number {
  return rows?.length ?? columns.n;
}

/** The part of a selection whose times lie in [from, to). */
function splitAt({ columns, rows }: RowSelection, from: number, to: number): RowSelection[] {
  const at = columns.at();
  const n = rows?.length ?? columns.n;
  const kept: number[] = [];
  for (let index = 0; index < n; index++) {
    const row = rows === null ? index : (rows[index] as number);
    const time = at[row] as number;
    if (time >= from && time < to) kept.push(row);
  }
  const part = chosen(columns, kept, columns.n);
  return part === null ? [] : [part];
}

/** Samples per block. The event loop runs in between, since objects can only be created in this thread. */
const MAX_BLOCK = 2000;

/** Whole samples, oldest first, from a scan by columns. */
export function createScan(scanColumns: SampleStore['scanColumns']): SampleStore['scan'] {
  return async function* scan(query) {
    for await (const columns of scanColumns(query)) {
      const read = rowReader(columns);
      for (let first = 0; first < columns.n; first += MAX_BLOCK) {
        const block: StoredSample[] = [];
        for (let row = first; row < Math.min(columns.n, first + MAX_BLOCK); row++) block.push(read(row));
        yield block;
        await setImmediate();
      }
    }
  };
}
