import type { StoredSample } from '../../../shared/sample/sample.ts';
import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { rowReader } from '../../../shared/sample/sample-reader.ts';
import { pickRows } from '../columns/select-rows.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';
import type { RowPart } from './row-part.ts';

/** Candidates of one part are cut to the limit whenever they are this many times as many. */
const CUT_AT = 4;

export interface FirstSamples {
  /** All samples that have a rank. */
  readonly matching: number;
  /** Those of the lowest ranks, lowest first; of equal ranks the earliest read. */
  readonly samples: readonly StoredSample[];
}

export interface FirstTimes extends Pick<FirstSamples, 'matching'> {
  /** When they were, epoch ms. */
  readonly times: readonly number[];
}

/** A rank per row, NaN for a row that does not match; null if none of the part does. */
export type RanksOf = (part: RowPart) => Float64Array | null;

/**
 * Whole samples of the lowest ranks, of all groups together. Holds at most a few times `limit` samples, however many are
 * read. Call the result once the pass has run.
 *
 * @param groups null for all rows of the range, imported recordings included
 */
export function collectFirstSamples(
  pass: RangePass,
  groups: QueryGroups | null,
  ranksOf: RanksOf,
  limit: number,
): () => FirstSamples {
  const found = collectFirst(pass, groups, ranksOf, limit, (columns, rows) => {
    const read = rowReader(pickRows(columns, rows));
    return Array.from(rows, (_, index) => read(index));
  });
  return () => ({ matching: found().matching, samples: found().first });
}

/** Only their times: reading whole samples would decode all forty columns of every part that has one. */
export function collectFirstTimes(
  pass: RangePass,
  groups: QueryGroups | null,
  ranksOf: RanksOf,
  limit: number,
): () => FirstTimes {
  const found = collectFirst(pass, groups, ranksOf, limit, (columns, rows) => {
    const at = columns.at();
    return Array.from(rows, (row) => at[row] as number);
  });
  return () => ({ matching: found().matching, times: found().first });
}

interface Ranked<T> {
  readonly rank: number;
  readonly one: T;
}

function collectFirst<T>(
  pass: RangePass,
  groups: QueryGroups | null,
  ranksOf: RanksOf,
  limit: number,
  read: (columns: SampleColumns, rows: Int32Array) => readonly T[],
): () => { readonly matching: number; readonly first: readonly T[] } {
  let first: readonly Ranked<T>[] = [];
  let matching = 0;
  pass.rows((part) => {
    const ranks = ranksOf(part);
    if (ranks === null) return;
    const ofRow = groups?.groupsOfRows(part);
    const isSelected = (row: number) => (ofRow === undefined ? part.inside?.[row] !== 0 : (ofRow[row] as number) >= 0);
    const byRank = (a: number, b: number) => (ranks[a] as number) - (ranks[b] as number) || a - b;
    const worst = first.length < limit ? Number.POSITIVE_INFINITY : (first.at(-1)?.rank ?? Number.POSITIVE_INFINITY);
    let rows: number[] = [];
    for (let row = 0; row < ranks.length; row++) {
      const rank = ranks[row] as number;
      if (Number.isNaN(rank) || !isSelected(row)) continue;
      matching++;
      if (rank >= worst) continue;
      rows.push(row);
      if (rows.length >= CUT_AT * limit) rows = rows.sort(byRank).slice(0, limit);
    }
    if (rows.length === 0) return;
    const chosen = rows.sort(byRank).slice(0, limit);
    const found = read(part.columns, Int32Array.from(chosen)).map((one, index) => ({
      rank: ranks[chosen[index] as number] as number,
      one,
    }));
    // A stable sort keeps what was read earlier in front.
    first = [...first, ...found].sort((a, b) => a.rank - b.rank).slice(0, limit);
  });
  return () => ({ matching, first: first.map(({ one }) => one) });
}
