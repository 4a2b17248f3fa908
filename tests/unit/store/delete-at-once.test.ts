import { expect, test } from 'vitest';
import type { ClickHouse } from '../../../collector/storage/clickhouse/blocking-query.ts';
import { deleteAtOnce } from '../../../collector/storage/clickhouse/delete-at-once.ts';
import { tablePlacement } from '../../../collector/storage/clickhouse/table-placement.ts';

test('with a cluster, nodes that are not done in time make it fail', () => {
  const run: { sql: string; settings: unknown }[] = [];
  const clickHouse: Pick<ClickHouse, 'run' | 'tables'> = {
    tables: tablePlacement({ cluster: 'lastbyte', database: 'lastbyte' }),
    run: (sql, _params, how) => void run.push({ sql, settings: how?.settings }),
  };
  deleteAtOnce(clickHouse, 'sample', 'at = 1');
  expect(run).toEqual([
    {
      sql: "ALTER TABLE sample_local ON CLUSTER 'lastbyte' DELETE WHERE at = 1 SETTINGS mutations_sync = 2",
      // Less than the ten minutes that the client waits.
      settings: { distributed_ddl_task_timeout: 590, distributed_ddl_output_mode: 'throw_only_active' },
    },
  ]);
});
