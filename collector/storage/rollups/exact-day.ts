import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { RollupBlock } from './bucket-rollup.ts';
import type { CellCatalog } from './cell-catalog.ts';
import { toRowCells } from './row-cells.ts';
import { rowMetrics, TIME_METRIC_NAMES, TIME_METRICS, type TimeMetric } from './time-metrics.ts';
import { encodeExactBlock } from './value-block.ts';

/** Collects every value of every cell of one day, so that exact answers need no chunks. */
export interface ExactDay {
  /** Ignores rows outside [from, to). */
  add(columns: SampleColumns, from: number, to: number): void;
  blocks(): RollupBlock[];
}

export function createExactDay(catalog: CellCatalog): ExactDay {
  const all = new Map<TimeMetric, Map<number, number[]>>();
  return {
    add(columns, from, to) {
      const at = columns.at();
      const cells = toRowCells(columns, catalog);
      const { ids } = cells;
      const metrics = rowMetrics(columns);
      for (const name of TIME_METRIC_NAMES) {
        const byCell = all.get(name) ?? new Map<number, number[]>();
        all.set(name, byCell);
        const lists = ids.map((id) => byCell.get(id) ?? []);
        const values = metrics.values(name);
        for (const row of metrics.rows(name)) {
          const value = values[row] as number;
          const time = at[row] as number;
          if (!Number.isNaN(value) && time >= from && time < to) lists[cells.codes[row] as number]?.push(value);
        }
        lists.forEach((list, index) => {
          if (list.length > 0) byCell.set(ids[index] as number, list);
        });
      }
    },
    blocks: () =>
      TIME_METRIC_NAMES.flatMap((name) => {
        const cells = all.get(name);
        if (cells === undefined || cells.size === 0) return [];
        return [{ metric: TIME_METRICS[name], bytes: encodeExactBlock(cells) }];
      }),
  };
}
