import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { once, onceEach } from '../../lib/once.ts';
import { pickRows } from '../columns/select-rows.ts';
import { countRows, type RowCounters } from '../rollups/row-counters.ts';
import { type RowMetrics, rowMetrics, type TimeMetric } from '../rollups/time-metrics.ts';
import type { DimensionColumn } from './dimension-column.ts';

/** Samples of one chunk, and which of them are selected. */
export interface RowPart {
  readonly columns: SampleColumns;
  readonly metrics: RowMetrics;
  /** The counters of its rows, shared by all groupings of an answer. */
  readonly counters: () => RowCounters;
  /** 1 per row that lies in the range; null if all do. */
  readonly inside: Uint8Array | null;
  /** No row here or in a later part of the same pass is earlier. */
  readonly t0: number;
  /** Its rows grouped by some dimensions, by their names, shared by all parts of an answer. */
  readonly grouped: Map<string, GroupedRows>;
}

export interface GroupedRows {
  /** Per row, the number of its group. */
  readonly codes: Int32Array;
  /** The first row of each group, which represents it. */
  readonly first: readonly number[];
  /** One per dimension. */
  readonly columns: readonly DimensionColumn[];
}

/**
 * @param ranges null if all rows are selected
 * @param t0 no row of this or a later part is earlier
 */
export function rowPart(columns: SampleColumns, ranges: readonly TimeRange[] | null, t0: number): RowPart {
  if (ranges === null) return partOf(columns, null, t0);
  const at = columns.at();
  const inside = new Uint8Array(at.length);
  for (const { from, to } of ranges) {
    for (let row = 0; row < at.length; row++) {
      const time = at[row] as number;
      if (time >= from && time < to) inside[row] = 1;
    }
  }
  return partOf(columns, inside, t0);
}

/** The same rows in the same groups, with other columns. */
export function changedPart({ inside, t0, grouped }: RowPart, columns: SampleColumns): RowPart {
  return { ...partOf(columns, inside, t0), grouped };
}

function partOf(columns: SampleColumns, inside: Uint8Array | null, t0: number): RowPart {
  const metrics = rowMetrics(columns);
  // Several parts of an answer read the same metric.
  const values = onceEach((metric: TimeMetric) => metrics.values(metric));
  const own = { ...metrics, values };
  return { columns, metrics: own, counters: once(() => countRows(columns, own)), inside, t0, grouped: new Map() };
}

/** Only its rows that are in a group. @param groups per row, −1 for none */
export function pickedPart(part: RowPart, groups: Int32Array): RowPart {
  let n = 0;
  for (let row = 0; row < groups.length; row++) if ((groups[row] as number) >= 0) n++;
  if (n === groups.length) return part;
  const rows = new Int32Array(n);
  let index = 0;
  for (let row = 0; row < groups.length; row++) if ((groups[row] as number) >= 0) rows[index++] = row;
  return partOf(pickRows(part.columns, rows), null, part.t0);
}
