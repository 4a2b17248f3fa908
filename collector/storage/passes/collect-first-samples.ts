import type { StoredSample } from '../../../shared/sample/sample.ts';
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

interface Ranked {
  readonly rank: number;
  readonly sample: StoredSample;
}

/**
 * Whole samples of the lowest ranks, of all groups together. Holds at most a few times `limit` samples, however many are
 * read. Call the result once the pass has run.
 *
 * @param groups null for all rows of the range, imported recordings included
 * @param ranksOf a rank per row, NaN for a row that does not match; null if none of the part does
 */
export function collectFirstSamples(
  pass: RangePass,
  groups: QueryGroups | null,
  ranksOf: (part: RowPart) => Float64Array | null,
  limit: number,
): () => FirstSamples {
  let first: readonly Ranked[] = [];
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
    const read = rowReader(pickRows(part.columns, Int32Array.from(chosen)));
    const found = chosen.map((row, index) => ({ rank: ranks[row] as number, sample: read(index) }));
    // A stable sort keeps what was read earlier in front.
    first = [...first, ...found].sort((a, b) => a.rank - b.rank).slice(0, limit);
  });
  return () => ({ matching, samples: first.map(({ sample }) => sample) });
}
