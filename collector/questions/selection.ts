import type { Within } from '../storage/passes/reading-source.ts';
import type { RowPart } from '../storage/passes/row-part.ts';

/** Which samples of a range a question is about, beside its filters. */
export interface Selection {
  readonly within: Within;
  /** Puts each part of its rows in another's place, such as one without outliers; null for those that may have packs. */
  readonly change: ((part: RowPart) => RowPart) | null;
}

export const EVERYTHING: Selection = { within: null, change: null };
