import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { TimeRange } from '../../../shared/summary/dimensions.ts';
import { measureRows, type RowMeasures } from '../rollup/measures.ts';

/** Samples of one chunk, and which of them are asked for. */
export interface RowPart {
  readonly columns: SampleColumns;
  readonly measures: RowMeasures;
  /** Per row 1 if it lies in the range. */
  readonly inside: Uint8Array;
  /** Its rows grouped by some dimensions, by their names: asked for again by every part of an answer. */
  readonly grouped: Map<string, GroupedRows>;
}

export interface GroupedRows {
  /** Per row, the place of its group below. */
  readonly codes: Int32Array;
  readonly words: readonly (readonly (string | null)[])[];
  /** Of the words. */
  readonly ids: readonly string[];
}

export function rowPart(columns: SampleColumns, ranges: readonly TimeRange[]): RowPart {
  const at = columns.at();
  const inside = new Uint8Array(at.length);
  for (const { from, to } of ranges) {
    for (let row = 0; row < at.length; row++) {
      const time = at[row] as number;
      if (time >= from && time < to) inside[row] = 1;
    }
  }
  return { columns, measures: measureRows(columns), inside, grouped: new Map() };
}
