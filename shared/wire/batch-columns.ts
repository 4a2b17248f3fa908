import type { NumberName, TextName } from '../sample/sample-columns.ts';

/** As it came in the JSON: null is "not known". */
export type BatchColumn = readonly (number | null)[];

export interface BatchText {
  readonly entries: readonly string[];
  /** Places in `entries`. */
  readonly indexes: BatchColumn;
}

/**
 * The accepted rows of one batch, column by column, every value checked. Mostly the very arrays that were parsed:
 * an object per row would cost more than everything else that is done with a batch. A column that is absent is null in
 * every row.
 */
export interface BatchColumns {
  readonly n: number;
  /** Epoch ms by the collector's clock, not delta-coded. */
  readonly at: readonly number[];
  readonly texts: Readonly<Partial<Record<TextName, BatchText>>>;
  readonly numbers: Readonly<Partial<Record<NumberName, BatchColumn>>>;
  readonly metrics: readonly (readonly [name: string, column: BatchColumn])[];
}
