import Database from 'better-sqlite3';
import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { Retention } from '../../../shared/settings/read-retention.ts';
import type { SampleQuery } from '../../../shared/vocabulary/dimensions.ts';
import type { JobControl } from '../../lib/worker-pool.ts';
import { toClientColumns } from '../columns/batch-columns.ts';
import { createBufferPool } from '../columns/buffer-pool.ts';
import { ByteWriter } from '../columns/bytes.ts';
import { concatColumns } from '../columns/concat-columns.ts';
import { inOrder, matchingRows } from '../passes/matching-rows.ts';
import { createQuestionJobs, type QuestionJobs } from '../passes/question-jobs.ts';
import { keptRange } from '../passes/stored-plan.ts';
import { bucketStart } from '../rollups/resolutions.ts';
import { createClockCorrections } from '../sqlite/clock-corrections.ts';
import { intact } from '../sqlite/intact.ts';
import type { DatabaseLocation } from '../sqlite/open-database.ts';
import { type BatchRows, createBlockReader, type OutboxBlock } from '../sqlite/outbox.ts';
import { createReadTransaction } from '../sqlite/read-transaction.ts';
import type { ScanJobs } from '../sqlite/scan-columns.ts';
import { createFleetSource } from '../sqlite/sqlite-fleet.ts';
import type { ErasedBy } from '../store.ts';
import { createClickHouseRanges, type JobState, readSlices } from './clickhouse-ranges.ts';
import { type EncodedBlock, encodeBlock, forwardBlock, withoutRows } from './forward-block.ts';
import { migrateTables } from './migrate-tables.ts';
import { ALL_COLUMNS, withNeededColumns } from './needed-columns.ts';
import { openClickHouse } from './open-clickhouse.ts';
import { createReadCells } from './read-cells.ts';
import { eraseSamples, removeExpired } from './remove-samples.ts';
import { findFaults, repairSamples } from './sample-faults.ts';
import { NUMBERED_CLIENTS } from './statements.ts';
import { readBuckets, samplesFrom } from './stored-buckets.ts';
import { writeRollups } from './write-rollups.ts';

/** Rows cross the network once per pass, up to 200 bytes each: beyond this the answer would take too long. */
const MAX_FINE_SAMPLES = 20_000_000;
/** Rows of an export that are in memory at once. */
const SCANNED_ROWS = 20_000;

/** All jobs that talk to ClickHouse. Plain data in and out. */
export interface ClickHouseJobs extends QuestionJobs, ScanJobs {
  /** Creates the tables, or brings them up to date. */
  migrate(): Promise<null>;
  /**
   * Resolves once ClickHouse has accepted the block.
   *
   * @param following is prepared meanwhile, since it is the next
   * @param others rows that other collectors forward
   * @returns how many of its samples came too late to be kept: those of their day have expired
   */
  forward(block: OutboxBlock, following: OutboxBlock | null, others: readonly BatchRows[]): Promise<number>;
  /** Brings rollups up to date; those of days and months once they are over at `now` (epoch ms). */
  rollUp(now: number): Promise<null>;
  /** Faults, in words. */
  check(): Promise<readonly string[]>;
  removeExpired(now: number, retention: Retention, oldestWaiting: number | null): Promise<null>;
  samplesFrom(): Promise<number>;
  /** Takes what is stored for what has arrived, and forgets wrong rollups. Returns the days of these, such as 2026-02-26. */
  repair(): Promise<readonly string[]>;
  /** @returns how many samples there were */
  erase(whose: ErasedBy): Promise<{ readonly samples: number; readonly days: number }>;
}

export function openClickHouseJobs(
  { file, clickHouse: address }: DatabaseLocation,
  control: JobControl,
): ClickHouseJobs {
  if (address === null || address === undefined) throw new RangeError('There is no address of ClickHouse.');
  const database = new Database(file, { readonly: true });
  const clickHouse = openClickHouse(address, control.checkpoint);
  const inTransaction = createReadTransaction(database);
  let cells = createReadCells(clientIds);
  let state: Promise<JobState> | null = null;
  let columns = ALL_COLUMNS;
  const chunksOf = createBlockReader(database);
  const pool = createBufferPool();
  /** Where the next block goes, and the one after it, which may be encoded while the first is being sent. */
  let bodies: readonly [ByteWriter, ByteWriter] = [new ByteWriter(true), new ByteWriter(true)];
  let prepared: EncodedBlock | null = null;
  const scans = new Map<number, AsyncGenerator<SampleColumns>>();
  let lastScan = 0;

  function stateNow(): Promise<JobState> {
    state ??= readBuckets(clickHouse).then((buckets) => ({ buckets, cells, columns }));
    return state;
  }

  async function clientIds(): Promise<ReadonlyMap<string, string>> {
    const block = await clickHouse.select(NUMBERED_CLIENTS);
    const [numbers, ids] = [block.text('number'), block.text('client')];
    return new Map(
      Array.from(numbers.codes, (code, row) => [
        numbers.strings[code] as string,
        ids.strings[ids.codes[row] as number] as string,
      ]),
    );
  }

  /** null if other collectors forward all of it, or another process has. */
  function encode(block: OutboxBlock, others: readonly BatchRows[]): EncodedBlock | null {
    const chunks = Array.from(chunksOf(block), ({ id, ...blob }) => ({
      id,
      bytes: intact(blob, 'a chunk of samples'),
    }));
    if (chunks.length === 0) return null;
    const columns =
      others.length > 0
        ? withoutRows(chunks, others)
        : concatColumns(
            chunks.map(({ bytes }) => bytes),
            pool,
          );
    if (columns === null) return null;
    const [body, other] = bodies;
    bodies = [other, body];
    return encodeBlock(columns, block.token, pool, body);
  }

  /** Samples of days that have expired are sent too, since a block must stay the same, and removed with the next ones. */
  async function expiredOf({ samplesOfHours }: EncodedBlock): Promise<number> {
    const from = await samplesFrom(clickHouse);
    return [...samplesOfHours].reduce((sum, [hour, n]) => sum + (bucketStart('hour', hour) < from ? n : 0), 0);
  }

  function prepare(block: OutboxBlock): void {
    try {
      prepared = encode(block, []);
    } catch {
      // Not a fault of the block that is being sent: it fails again, and is reported, when it is sent itself.
      prepared = null;
    }
  }

  const extent = async () => {
    const block = await clickHouse.select('SELECT count() AS n, min(at) AS first, max(at) AS last FROM sample');
    const [n = 0, first = 0, last = 0] = ['n', 'first', 'last'].map((name) => block.numbers(name)[0] as number);
    return n === 0 ? null : { from: first, to: last + 1 };
  };

  async function* matching(query: SampleQuery): AsyncGenerator<SampleColumns> {
    for await (const columns of readSlices(clickHouse, [query.range], SCANNED_ROWS)) {
      const rows = matchingRows(columns, query);
      if (rows !== null) yield inOrder([rows]);
    }
  }

  return {
    ...createQuestionJobs(
      {
        ...createClickHouseRanges(clickHouse, stateNow),
        isKept: async ({ from }) => from >= (await stateNow()).buckets.samplesFrom(),
        maxFineSamples: MAX_FINE_SAMPLES,
        kept: async () => keptRange((await stateNow()).buckets, await extent()),
        clockCorrections: createClockCorrections(database),
        fleet: createFleetSource(database),
        catalog: () => cells.catalog,
        inSnapshot: (reading, job) =>
          withNeededColumns(reading, (needed) => {
            state = null;
            cells = createReadCells(clientIds);
            columns = needed;
            return inTransaction(job);
          }),
      },
      control,
    ),
    openScan(query) {
      scans.set(++lastScan, matching(query));
      return lastScan;
    },
    async nextBlock(scan) {
      const next = await scans.get(scan)?.next();
      if (next !== undefined && next.done !== true) return toClientColumns(next.value);
      scans.delete(scan);
      return null;
    },
    closeScan(scan) {
      scans.delete(scan);
      return null;
    },
    async migrate() {
      await migrateTables(clickHouse, address.database);
      return null;
    },
    async forward(block, following, others) {
      const encoded = prepared?.token === block.token ? prepared : encode(block, others);
      prepared = null;
      if (encoded === null) return 0;
      try {
        await forwardBlock(clickHouse, encoded, () => {
          if (following !== null) prepare(following);
        });
      } catch (error) {
        // A connection that has failed may still be reading it.
        bodies = [new ByteWriter(true), new ByteWriter(true)];
        throw error;
      }
      return expiredOf(encoded);
    },
    async rollUp(now) {
      await writeRollups(clickHouse, now);
      return null;
    },
    check: () => findFaults(clickHouse),
    repair: () => repairSamples(clickHouse),
    async removeExpired(now, retention, oldestWaiting) {
      await removeExpired(clickHouse, now, retention, oldestWaiting);
      return null;
    },
    samplesFrom: () => samplesFrom(clickHouse),
    erase: (whose) => eraseSamples(clickHouse, whose),
    close() {
      clickHouse.close();
      database.close();
    },
  };
}
