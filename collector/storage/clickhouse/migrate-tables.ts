import { CELL_DIMENSIONS } from '../rollups/cell-dimensions.ts';
import { StoreError } from '../store-error.ts';
import type { ClickHouse } from './open-clickhouse.ts';
import { defineColumn, STORED_COLUMNS, sampleDefinitions, TYPES } from './sample-table.ts';

/** Inserted blocks that the server remembers, to recognize one that comes again: several hours of a busy collector. */
const REMEMBERED_BLOCKS = 10_000;

/** The collector removes its own copy once an insert was answered, so it has to survive a power failure. */
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1';

const CELL = CELL_DIMENSIONS.map((name) => `\`${name}\` ${TYPES.text}`).join(', ');
const CELL_KEY = CELL_DIMENSIONS.map((name) => `\`${name}\``).join(', ');
/** Which rollup a row is of: the numbers of resolutions.ts. Only the newest generation of a bucket counts. */
const ROLLUP_KEY = 'resolution UInt8, bucket UInt32 CODEC(Delta, ZSTD), generation UInt64 CODEC(ZSTD)';
/** About a day of hours, a month of days. */
const ROLLUP_PARTITION = 'PARTITION BY (resolution, intDiv(bucket, 24))';

/**
 * Step i migrates the tables from version i to i + 1. Released steps never change; new ones are appended. Two collectors may
 * run the same step at once.
 */
const STEPS: readonly (readonly string[])[] = [
  [
    // Day by day since 1970 (UTC), so that expired days are dropped whole.
    `CREATE TABLE IF NOT EXISTS sample (
    ${sampleDefinitions()}
  ) ENGINE = MergeTree
  PARTITION BY intDiv(at, 86400000)
  ORDER BY (target, host, type, connection, at)
  SETTINGS non_replicated_deduplication_window = ${REMEMBERED_BLOCKS}, ${DURABLE}`,
    // Which blocks have samples of an hour, and the sums of their hashes. One that is written twice counts once.
    `CREATE TABLE IF NOT EXISTS arrival (hour UInt32, token String, n UInt64, a UInt32, b UInt32)
  ENGINE = ReplacingMergeTree PARTITION BY intDiv(hour, 744) ORDER BY (hour, token)
  SETTINGS ${DURABLE}`,
    // One metric of one cell: sums relative to the least value, and the buckets of its sketch, the first of which follows from
    // the least value, each other one as the step from the one before.
    `CREATE TABLE IF NOT EXISTS rollup_value (${ROLLUP_KEY}, metric UInt8, ${CELL},
    least Int64 CODEC(T64, ZSTD(3)), spread UInt64 CODEC(T64, ZSTD(3)), excess UInt64 CODEC(T64, ZSTD(3)),
    squares UInt128 CODEC(ZSTD(3)), steps Array(UInt16) CODEC(T64, ZSTD(3)), times Array(UInt32) CODEC(T64, ZSTD(3)))
  ENGINE = MergeTree ${ROLLUP_PARTITION} ORDER BY (metric, ${CELL_KEY}, bucket)`,
    `CREATE TABLE IF NOT EXISTS rollup_count (${ROLLUP_KEY}, ${CELL}, counters ${TYPES.text}, n UInt64 CODEC(T64, ZSTD))
  ENGINE = MergeTree ${ROLLUP_PARTITION} ORDER BY (${CELL_KEY}, bucket)`,
    `CREATE TABLE IF NOT EXISTS rollup_client (${ROLLUP_KEY}, ${CELL}, clients Array(UInt64) CODEC(ZSTD))
  ENGINE = MergeTree ${ROLLUP_PARTITION} ORDER BY (${CELL_KEY}, bucket)`,
    // Which rollups are complete, and the samples that they have.
    `CREATE TABLE IF NOT EXISTS bucket (${ROLLUP_KEY}, n UInt64, a UInt32, b UInt32)
  ENGINE = MergeTree ORDER BY (resolution, bucket)`,
    // The number that rollups have for a browser: its id is not needed longer than its samples. lastDay: newest with some.
    `CREATE TABLE IF NOT EXISTS client (client String, lastDay UInt32, number UInt64 MATERIALIZED cityHash64(client))
  ENGINE = ReplacingMergeTree(lastDay) ORDER BY client`,
    `CREATE TABLE IF NOT EXISTS state (name String, value Int64) ENGINE = MergeTree ORDER BY name`,
  ],
  // Before, no sample knew its journey. A table that was created just now has the columns.
  STORED_COLUMNS.filter(({ name }) => ['journey', 'step', 'run'].includes(name)).map(
    (column) => `ALTER TABLE sample ADD COLUMN IF NOT EXISTS ${defineColumn(column)}`,
  ),
];

/**
 * Creates the tables, or brings them up to date. Tables that an operator has created before, such as replicated ones, are
 * used as they are. Throws a StoreError.
 */
export async function migrateTables(clickHouse: ClickHouse, database: string): Promise<void> {
  const [distributed = 0] = (
    await clickHouse.select(
      `SELECT count() AS n FROM system.tables
       WHERE database = currentDatabase() AND name = 'sample' AND engine = 'Distributed'`,
    )
  ).numbers('n');
  if (distributed > 0) {
    throw new StoreError(
      'data_folder_unusable',
      `the tables of the database ${database} are spread over the shards of a cluster, and rows cannot be removed through them`,
      'Name another database, on one server or with replicated tables: docs/scale.md.',
    );
  }
  await clickHouse.run('CREATE TABLE IF NOT EXISTS migration (version UInt32) ENGINE = MergeTree ORDER BY version');
  const version = (await clickHouse.select('SELECT max(version) AS version FROM migration')).numbers('version')[0] ?? 0;
  if (version > STEPS.length) {
    throw new StoreError(
      'store_too_new',
      `the tables were written by a newer Lastbyte (version ${version}, this one knows ${STEPS.length})`,
      'Use the newer Lastbyte, or another database.',
    );
  }
  for (const [index, statements] of STEPS.entries()) {
    if (index < version) continue;
    for (const sql of statements) await clickHouse.run(sql);
    await clickHouse.run(`INSERT INTO migration VALUES (${index + 1})`);
  }
}
