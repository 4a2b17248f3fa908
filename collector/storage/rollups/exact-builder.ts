import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { MeasurePack } from './bucket-rollup.ts';
import type { CellCatalog } from './cell-catalog.ts';
import { cellsOf } from './cell-dimensions.ts';
import { MEASURE_NAMES, MEASURES, type Measure, measureRows } from './measures.ts';
import { encodeExactPack } from './value-pack.ts';

/** Every value of every cell of one day, so that exact answers need no chunk. */
export interface ExactDay {
  /** Rows outside of [from, to) are left out. */
  add(columns: SampleColumns, from: number, to: number): void;
  packs(): MeasurePack[];
}

export function createExactDay(catalog: CellCatalog): ExactDay {
  const all = new Map<Measure, Map<number, number[]>>();
  return {
    add(columns, from, to) {
      const at = columns.at();
      const cells = cellsOf(columns, catalog);
      const { ids } = cells;
      const measures = measureRows(columns);
      for (const name of MEASURE_NAMES) {
        const byCell = all.get(name) ?? new Map<number, number[]>();
        all.set(name, byCell);
        const lists = ids.map((id) => byCell.get(id) ?? []);
        const values = measures.values(name);
        for (const row of measures.rows(name)) {
          const value = values[row] as number;
          const time = at[row] as number;
          if (!Number.isNaN(value) && time >= from && time < to) lists[cells.codes[row] as number]?.push(value);
        }
        lists.forEach((list, place) => {
          if (list.length > 0) byCell.set(ids[place] as number, list);
        });
      }
    },
    packs: () =>
      MEASURE_NAMES.flatMap((name) => {
        const cells = all.get(name);
        if (cells === undefined || cells.size === 0) return [];
        return [{ measure: MEASURES[name], bytes: encodeExactPack(cells) }];
      }),
  };
}
