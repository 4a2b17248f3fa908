import { CellValues } from '../pack/cell-values.ts';

/** Ids of the counters that rows of one kind raise. */
type Profile = readonly number[];

/** Everything a rollup knows of one cell in one bucket. */
export class CellRollup {
  /** By number of measure; a hole where the cell has none. */
  readonly values: (CellValues | undefined)[] = [];
  /** By id of counter, and samples by id of browser. */
  readonly counts = new Map<number, number>();
  readonly clients = new Map<number, number>();

  valuesOf(measure: number): CellValues {
    let values = this.values[measure];
    if (values === undefined) {
      values = new CellValues();
      this.values[measure] = values;
    }
    return values;
  }

  /** Rows that raise the same counters. */
  count(counters: Profile, rows: number): void {
    for (const counter of counters) raise(this.counts, counter, rows);
  }
}

export function raise(counts: Map<number, number>, id: number, by: number): void {
  counts.set(id, (counts.get(id) ?? 0) + by);
}
