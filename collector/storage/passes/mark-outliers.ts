import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { toDistribution } from './cell-aggregate-of.ts';
import { createQueryGroups, type QueryGroups } from './query-groups.ts';
import type { GroupedBy, RangeReader } from './range-reader.ts';
import { changedPart, type RowPart } from './row-part.ts';

/**
 * What is left out, whole requests, and counted: `tukey` what took longer than p75 + 1.5 × (p75 − p25) of its host and
 * type; `cap` what took longer than so many ms.
 */
export type OutlierRule =
  | { readonly rule: 'none' }
  | { readonly rule: 'tukey' }
  | { readonly rule: 'cap'; readonly ms: number };

/** https://en.wikipedia.org/wiki/Outlier#Tukey's_fences */
const FENCE = 1.5;
/** What an outlier is excluded as. */
const EXCLUDED = 'rule';

export interface OutlierMarker {
  /** The same rows, those that are too long excluded by a rule, and how many these are. */
  mark(part: RowPart): { readonly part: RowPart; readonly marked: number };
  /** Whether the quartiles of the fences are those of every value; null where there are none. */
  readonly exactQuartiles: boolean | null;
}

/** How often `outlierMarker` reads the range. */
export function markerReadings({ rule }: OutlierRule): number {
  return rule === 'tukey' ? 1 : 0;
}

/** @param reader of samples, filtered: the fences are those of what is asked for; null where nothing is left out */
export function outlierMarker(
  rule: OutlierRule,
  reader: RangeReader,
  filters: GroupedBy['filters'],
  catalog: CellCatalog,
): OutlierMarker | null {
  switch (rule.rule) {
    case 'none':
      return null;
    case 'cap': {
      const groups = createQueryGroups([], filters, catalog);
      return { mark: (part) => marked(part, groups, [rule.ms * 1000]), exactQuartiles: null };
    }
    case 'tukey': {
      const groups = createQueryGroups(['host', 'type'], filters, catalog);
      const pass = reader.pass();
      const take = pass.collect(['ttlb'], groups);
      pass.run();
      const fences = groups.keys.map((_, group) => {
        const { n, valueAtRank } = toDistribution(take(group));
        if (n === 0) return Number.POSITIVE_INFINITY;
        const [p25, p75] = [valueAtRank(quantileRank(0.25, n)), valueAtRank(quantileRank(0.75, n))];
        return p75 + FENCE * (p75 - p25);
      });
      return { mark: (part) => marked(part, groups, fences), exactQuartiles: reader.exact() };
    }
  }
}

/** @param longest that still counts, µs, by group */
function marked(part: RowPart, groups: QueryGroups, longest: readonly number[]) {
  const ofRow = groups.groupsOfRows(part);
  const ttlb = part.metrics.values('ttlb');
  const outliers: number[] = [];
  for (let row = 0; row < ofRow.length; row++) {
    const group = ofRow[row] as number;
    // What is not usable has NaN, which is not longer than anything.
    if (group >= 0 && (ttlb[row] as number) > (longest[group] as number)) outliers.push(row);
  }
  return {
    part: outliers.length === 0 ? part : changedPart(part, excluding(part.columns, outliers)),
    marked: outliers.length,
  };
}

function excluding(columns: SampleColumns, rows: readonly number[]): SampleColumns {
  const { entries, codes } = columns.text('excluded');
  const known = entries.indexOf(EXCLUDED);
  const all = known < 0 ? [...entries, EXCLUDED] : entries;
  const own = codes.slice();
  for (const row of rows) own[row] = known < 0 ? entries.length : known;
  return { ...columns, text: (name) => (name === 'excluded' ? { entries: all, codes: own } : columns.text(name)) };
}
