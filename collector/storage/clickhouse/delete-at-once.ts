import type { ClickHouse } from './blocking-query.ts';
import type { Statement } from './query-thread.mjs';

/** Less than a statement may take, s: nodes that are not done by then make it fail. */
const SECONDS = 590;

/** Removes rows on every node that is up, so that the next statement does not see them. Throws if one is not done. */
export function deleteAtOnce(
  { run, tables }: Pick<ClickHouse, 'run' | 'tables'>,
  table: string,
  condition: string,
  params?: Statement['params'],
): void {
  run(`ALTER TABLE ${tables.stored(table)} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`, params, {
    settings: { distributed_ddl_task_timeout: SECONDS, distributed_ddl_output_mode: 'throw_only_active' },
  });
}
