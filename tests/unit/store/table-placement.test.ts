import { expect, test } from 'vitest';
import type { ClickHouse } from '../../../collector/storage/clickhouse/blocking-query.ts';
import type { ClickHouseAddress } from '../../../collector/storage/clickhouse/clickhouse-address.ts';
import { migrateTables } from '../../../collector/storage/clickhouse/migrate-tables.ts';
import { readNative } from '../../../collector/storage/clickhouse/native-reader.ts';
import { CLUSTER_SETTINGS, tablePlacement } from '../../../collector/storage/clickhouse/table-placement.ts';
import { parseClickHouseAddress } from '../../../collector/storage/open-store.ts';

/** What creates the tables in an empty database. */
function created(cluster: string | undefined): string[] {
  const address = parseClickHouseAddress('clickhouse://ch1/lastbyte', { cluster });
  const statements: string[] = [];
  const clickHouse: Pick<ClickHouse, 'tables' | 'select' | 'run'> = {
    tables: tablePlacement(address),
    select: () => readNative(new Uint8Array(0)),
    run: (sql) => void statements.push(sql.replaceAll(/\s+/g, ' ')),
  };
  migrateTables(clickHouse as ClickHouse, address);
  return statements.filter((sql) => sql.startsWith('CREATE'));
}

test('on one server, each table is one, and nothing is said of clusters', () => {
  const statements = created(undefined);
  expect(statements.map((sql) => /EXISTS (\w+)/.exec(sql)?.[1])).toEqual([
    'migration',
    'sample',
    'arrival',
    'rollup_value',
    'rollup_count',
    'rollup_client',
    'bucket',
    'client',
    'state',
  ]);
  expect(statements.join()).not.toMatch(/CLUSTER|Replicated|Distributed|_local/);
  expect(statements.at(-2)).toBe(
    'CREATE TABLE IF NOT EXISTS client (client String, lastDay UInt32, number UInt64 MATERIALIZED cityHash64(client)) ENGINE = ReplacingMergeTree(lastDay) ORDER BY client',
  );
});

test('in a cluster, each is replicated on every node, and one more reads from all shards', () => {
  const statements = created('prod');
  expect(statements).toHaveLength(18);
  expect(statements.every((sql) => sql.includes(" ON CLUSTER 'prod' "))).toBe(true);
  expect(statements).toContain(
    "CREATE TABLE IF NOT EXISTS client_local ON CLUSTER 'prod' (client String, lastDay UInt32, number UInt64 MATERIALIZED cityHash64(client)) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/lastbyte/client', '{replica}', lastDay) ORDER BY client",
  );
  expect(statements).toContain(
    "CREATE TABLE IF NOT EXISTS sample ON CLUSTER 'prod' AS lastbyte.sample_local ENGINE = Distributed('prod', 'lastbyte', 'sample_local', cityHash64(client))",
  );
});

test('each shard answers from its own rows, and knows the buckets of all', () => {
  const { onEachShard } = tablePlacement({ cluster: 'prod', database: 'lastbyte' } as ClickHouseAddress);
  expect(onEachShard('SELECT n FROM rollup_count WHERE b GLOBAL IN (SELECT b FROM bucket)')).toBe(
    "SELECT * FROM cluster('prod', view(SELECT n FROM lastbyte.rollup_count_local AS rollup_count WHERE b GLOBAL IN (SELECT b FROM lastbyte.bucket)))",
  );
});

test('a name that would need more than quotes is refused', () => {
  expect(() => parseClickHouseAddress('clickhouse://ch1/lastbyte', { cluster: "x', y" })).toThrow(
    "x', y is not the name of a cluster",
  );
});

test('readings and writings of a cluster use the same replica, however busy it is', () => {
  expect(CLUSTER_SETTINGS).toMatchObject({ load_balancing: 'in_order', use_hedged_requests: 0 });
});
