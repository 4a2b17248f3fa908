import { SKETCH_BOUND } from '../../shared/statistics/sketch-buckets.ts';
import type { FoldedCells } from '../analysis/summary/summary-document.ts';
import type { OpenedRange } from '../storage/passes/reading-source.ts';
import type { Folded } from './viewer/fold-small-groups.ts';

/** How an answer came about, as far as the store knows it. */
export interface ComputeMethod {
  readonly exact: boolean;
  /** Largest relative error of a quantile; 0 when exact. */
  readonly bound: number;
  readonly dataHash: string;
  /** null where nothing had to be folded. */
  readonly folded: FoldedCells | null;
}

/** @param exact whether every value was read and kept */
export function methodOf(opened: OpenedRange, folded: FoldedCells | null, exact = opened.exact): ComputeMethod {
  const { dataHash } = opened;
  return { exact, bound: exact ? 0 : SKETCH_BOUND, dataHash, folded };
}

export function foldedCells({ folding }: Folded, below: number): FoldedCells | null {
  return folding === null ? null : { below, shownTogether: !folding.hidden };
}
