import { CELL_DIMENSIONS } from '../rollups/cell-dimensions.ts';
import { StoreError } from '../store-error.ts';
import type { ClickHouse } from './blocking-query.ts';
import type { ClickHouseAddress } from './clickhouse-address.ts';
import { sampleDefinitions, TYPES } from './sample-table.ts';
import type { TablePlacement } from './table-placement.ts';

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
 * The shard of a row. A browser's samples are on one shard, and a block is split the same way each time, so that each shard
 * recognizes its part. Rollups are written from the samples of all shards; a cell's are on one.
 */
const SHARD_OF: Readonly<Record<string, string>> = {
  sample: 'cityHash64(client)',
  arrival: 'cityHash64(token)',
  rollup_value: `cityHash64(${CELL_KEY})`,
  rollup_count: `cityHash64(${CELL_KEY})`,
  rollup_client: `cityHash64(${CELL_KEY})`,
  bucket: 'bucket',
  client: 'cityHash64(client)',
  state: 'cityHash64(name)',
};

/**
 * Step i migrates the tables from version i to i + 1. Released steps never change; new ones are appended. Two collectors may
 * run the same step at once.
 */
const STEPS: readonly ((tables: TablePlacement) => readonly string[])[] = [
  ({ stored, engine, remembering, ofAllShards }) => [
    // Day by day since 1970 (UTC), so that expired days are dropped whole.
    `CREATE TABLE IF NOT EXISTS ${stored('sample')} (
    ${sampleDefinitions()}
  ) ENGINE = ${engine('sample', 'MergeTree')}
  PARTITION BY intDiv(at, 86400000)
  ORDER BY (target, host, type, connection, at)
  SETTINGS ${remembering(REMEMBERED_BLOCKS)}, ${DURABLE}`,
    // Which blocks have samples of an hour, and the sums of their hashes. One that is written twice counts once.
    `CREATE TABLE IF NOT EXISTS ${stored('arrival')} (hour UInt32, token String, n UInt64, a UInt32, b UInt32)
  ENGINE = ${engine('arrival', 'ReplacingMergeTree')} PARTITION BY intDiv(hour, 744) ORDER BY (hour, token)
  SETTINGS ${DURABLE}`,
    // One metric of one cell: sums relative to the least value, and the buckets of its sketch, the first of which follows from
    // the least value, each other one as the step from the one before.
    `CREATE TABLE IF NOT EXISTS ${stored('rollup_value')} (${ROLLUP_KEY}, metric UInt8, ${CELL},
    least Int64 CODEC(T64, ZSTD(3)), spread UInt64 CODEC(T64, ZSTD(3)), excess UInt64 CODEC(T64, ZSTD(3)),
    squares UInt128 CODEC(ZSTD(3)), steps Array(UInt16) CODEC(T64, ZSTD(3)), times Array(UInt32) CODEC(T64, ZSTD(3)))
  ENGINE = ${engine('rollup_value', 'MergeTree')} ${ROLLUP_PARTITION} ORDER BY (metric, ${CELL_KEY}, bucket)`,
    `CREATE TABLE IF NOT EXISTS ${stored('rollup_count')} (${ROLLUP_KEY}, ${CELL}, counters ${TYPES.text}, n UInt64 CODEC(T64, ZSTD))
  ENGINE = ${engine('rollup_count', 'MergeTree')} ${ROLLUP_PARTITION} ORDER BY (${CELL_KEY}, bucket)`,
    `CREATE TABLE IF NOT EXISTS ${stored('rollup_client')} (${ROLLUP_KEY}, ${CELL}, clients Array(UInt64) CODEC(ZSTD))
  ENGINE = ${engine('rollup_client', 'MergeTree')} ${ROLLUP_PARTITION} ORDER BY (${CELL_KEY}, bucket)`,
    // Which rollups are complete, and the samples that they have.
    `CREATE TABLE IF NOT EXISTS ${stored('bucket')} (${ROLLUP_KEY}, n UInt64, a UInt32, b UInt32)
  ENGINE = ${engine('bucket', 'MergeTree')} ORDER BY (resolution, bucket)`,
    // The number that rollups have for a browser: its id is not needed longer than its samples. lastDay: newest with some.
    `CREATE TABLE IF NOT EXISTS ${stored('client')} (client String, lastDay UInt32, number UInt64 MATERIALIZED cityHash64(client))
  ENGINE = ${engine('client', 'ReplacingMergeTree', 'lastDay')} ORDER BY client`,
    `CREATE TABLE IF NOT EXISTS ${stored('state')} (name String, value Int64) ENGINE = ${engine('state', 'MergeTree')} ORDER BY name`,
    ...Object.entries(SHARD_OF).flatMap(([table, shard]) => ofAllShards(table, shard)),
  ],
];

/** Creates the tables, or brings them up to date. Throws a StoreError. */
export function migrateTables(clickHouse: ClickHouse, { cluster, database }: ClickHouseAddress): void {
  const [engine = null] = clickHouse
    .select(`SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'migration'`)
    .text('engine').strings;
  if (engine === null) createMigration(clickHouse);
  else if ((engine === 'Distributed') !== (cluster !== null)) throw otherPlacement(database, cluster);
  const version = clickHouse.select('SELECT max(version) AS version FROM migration').numbers('version')[0] ?? 0;
  if (version > STEPS.length) {
    throw new StoreError(
      'store_too_new',
      `the tables were written by a newer Lastbyte (version ${version}, this one knows ${STEPS.length})`,
      'Use the newer Lastbyte, or another database.',
    );
  }
  for (const [index, statements] of STEPS.entries()) {
    // A node that is new in its cluster lacks the tables that the others have: all steps are repeated.
    if (engine !== null && index < version) continue;
    for (const sql of statements(clickHouse.tables)) clickHouse.run(sql);
    clickHouse.run(`INSERT INTO migration VALUES (${index + 1})`);
  }
}

function createMigration({ tables: { stored, engine, ofAllShards }, run }: ClickHouse): void {
  run(
    `CREATE TABLE IF NOT EXISTS ${stored('migration')} (version UInt32) ENGINE = ${engine('migration', 'MergeTree')} ORDER BY version`,
  );
  for (const sql of ofAllShards('migration', 'version')) run(sql);
}

function otherPlacement(database: string, cluster: string | null): StoreError {
  return cluster === null
    ? new StoreError(
        'data_folder_unusable',
        `the tables of the database ${database} are those of a cluster`,
        'Add --cluster with its name.',
      )
    : new StoreError(
        'data_folder_unusable',
        `the tables of the database ${database} are on one server, not in the cluster ${cluster}`,
        'Leave out --cluster, or name an empty database and copy the samples with lastbyte migrate.',
      );
}
