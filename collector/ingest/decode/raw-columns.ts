import type { ByIndex, EntryNumbers } from '../../../shared/sample/sample-columns.ts';

/** Stands for a whole number below zero, which NULL could be taken for. */
export const BELOW_ZERO = -2;
/** Stands for what is no whole number at all: text, a fraction, a list. */
export const NOT_WHOLE = -3;

/** A dictionary and the places in it; a null entry could not be read, any place below NULL is none. */
export interface RawText {
  readonly entries: readonly (string | null)[];
  readonly numbers?: EntryNumbers | undefined;
  readonly codes: Int32Array;
}

/** What a reader saw of whole numbers in passing, so that whoever judges them need not look at each again. */
export interface NumbersGlance {
  /** Per row one bit for each column of `numbers`, by place, that is NULL there. Columns that are absent have none. */
  readonly nulls: Int32Array;
  /** One bit for each column of `numbers`, by place, that has only NULL and numbers of at most nine digits. */
  readonly short: number;
}

/**
 * Columns whose outer shape is right: as many values as there are rows. What the values say is still anybody's guess.
 * Both readers, of bytes and of objects, end here, so that there is one judge for both.
 */
export interface RawColumns {
  readonly n: number;
  /** Delta-coded; NaN where it is no whole number. */
  readonly at: Float64Array;
  readonly texts: ByIndex<RawText>;
  /** Whole numbers ≥ 0, NULL, BELOW_ZERO or NOT_WHOLE. */
  readonly numbers: ByIndex<Float64Array>;
  /** Absent where nobody looked. */
  readonly glance?: NumbersGlance;
  /** NaN for null, infinite for what is no number. */
  readonly metrics: readonly (readonly [name: string, column: Float64Array])[];
}
