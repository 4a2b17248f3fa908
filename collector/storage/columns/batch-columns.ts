import type { ByIndex, TextColumn } from '../../../shared/sample/sample-columns.ts';

/**
 * The accepted rows of one batch as one typed array per column, every value checked: an object per row, or an array of
 * boxed values per column, would cost more than everything else that is done with a batch. A column that is absent is
 * null in every row; NULL stands for a single one.
 */
export interface BatchColumns {
  readonly n: number;
  /** Epoch ms by the collector's clock, not delta-coded. */
  readonly at: Float64Array;
  readonly texts: ByIndex<TextColumn>;
  readonly numbers: ByIndex<Float64Array>;
  /** NaN where a row has no such metric. */
  readonly metrics: readonly (readonly [name: string, column: Float64Array])[];
}
