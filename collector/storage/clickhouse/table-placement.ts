import type { ClickHouseAddress } from './clickhouse-address.ts';

/** After this, a statement for all nodes no longer waits for those that have not answered, s. */
const DDL_SECONDS = 60;
/** How long a shard recognizes a block that comes again, s. */
const REMEMBERED_SECONDS = 7 * 86_400;

/** Of every statement, where there is a cluster. */
export const CLUSTER_SETTINGS = {
  // An insert is answered once each shard has stored its part.
  insert_distributed_sync: 1,
  // The first replica that is up, for reading and writing: what one statement has written, the next one finds.
  load_balancing: 'in_order',
  // Or readings would go to another one whenever the first needs more than 50 ms to begin.
  use_hedged_requests: 0,
  // One that cannot reach Keeper accepts nothing, though it is up.
  distributed_insert_skip_read_only_replicas: 1,
  prefer_localhost_replica: 0,
  distributed_ddl_task_timeout: DDL_SECONDS,
  // A node that is away catches up later, from the queue in Keeper.
  distributed_ddl_output_mode: 'null_status_on_timeout_only_active',
} as const;

/**
 * Where the rows of a table are: in the table itself or, with a cluster, in another one on each node, which the replicas of a
 * shard share. The table of the plain name is then that of all shards: questions and inserts use no other.
 */
export interface TablePlacement {
  /** The table that has the rows, as CREATE TABLE and ALTER TABLE name it. */
  stored(table: string): string;
  /** @param version column whose largest value is kept */
  engine(table: string, family: 'MergeTree' | 'ReplacingMergeTree', version?: string): string;
  /** Settings of a table that recognizes so many inserted blocks if they come again. */
  remembering(blocks: number): string;
  /** Creates the table of all shards; nothing on one server. @param shard expression that decides where a row goes */
  ofAllShards(table: string, shard: string): readonly string[];
  /**
   * A statement that each shard answers from its own rows: a group may then have a row of each. Through the table of all shards,
   * the rows of a nested query would all be sent to one node, and grouped there.
   */
  onEachShard(sql: string): string;
}

/** Tables with many rows. */
const GROUPED = /\bFROM (sample|rollup_value|rollup_count)\b/g;

const ON_ONE_SERVER: TablePlacement = {
  stored: (table) => table,
  engine: (_table, family, version) => (version === undefined ? family : `${family}(${version})`),
  remembering: (blocks) => `non_replicated_deduplication_window = ${blocks}`,
  ofAllShards: () => [],
  onEachShard: (sql) => sql,
};

export function tablePlacement({ cluster, database }: Pick<ClickHouseAddress, 'cluster' | 'database'>): TablePlacement {
  if (cluster === null) return ON_ONE_SERVER;
  const onNodes = `ON CLUSTER '${cluster}'`;
  return {
    stored: (table) => `${table}_local ${onNodes}`,
    engine(table, family, version) {
      const replica = `'/clickhouse/tables/{shard}/${database}/${table}', '{replica}'`;
      return `Replicated${family}(${replica}${version === undefined ? '' : `, ${version}`})`;
    },
    remembering: (blocks) =>
      `replicated_deduplication_window = ${blocks}, replicated_deduplication_window_seconds = ${REMEMBERED_SECONDS}`,
    ofAllShards: (table, shard) => [
      `CREATE TABLE IF NOT EXISTS ${table} ${onNodes} AS ${database}.${table}_local
  ENGINE = Distributed('${cluster}', '${database}', '${table}_local', ${shard})`,
    ],
    onEachShard(sql) {
      const own = sql
        .replaceAll(GROUPED, `FROM ${database}.$1_local AS $1`)
        .replaceAll(/\bFROM bucket\b/g, `FROM ${database}.bucket`);
      return `SELECT * FROM cluster('${cluster}', view(${own}))`;
    },
  };
}
