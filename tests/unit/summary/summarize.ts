import { summarizeCell } from '../../../collector/analysis/summary/summarize-cell.ts';
import type { SummaryDocument, SummaryMethod } from '../../../collector/analysis/summary/summary-document.ts';
import type { CellAggregate } from '../../../collector/reductions/cell-aggregate.ts';

/** What a store answers; `AggregateAnswer` of the collector has this shape. */
export interface AggregatedCells {
  readonly exact: boolean;
  /** Largest relative error of a quantile; 0 when exact. */
  readonly bound: number;
  /** SHA-256 of what is behind the answer, hexadecimal. */
  readonly dataHash: string;
  readonly cells: readonly CellAggregate[];
}

/** How the cells were asked for: the part of the method that the store does not know. */
export type MethodInputs = Omit<SummaryMethod, 'exact' | 'bound' | 'dataHash'>;

export function summarize(answer: AggregatedCells, method: MethodInputs): SummaryDocument {
  const { exact, bound, dataHash } = answer;
  return { method: { ...method, exact, bound, dataHash }, cells: answer.cells.map(summarizeCell) };
}
