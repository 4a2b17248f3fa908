import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { toDistribution } from './collectors.ts';
import type { QueryGroups } from './query-groups.ts';
import type { GroupedBy, RangeReader } from './range-reader.ts';
import { changedPart, type RowPart } from './row-part.ts';

/**
 * Which requests are excluded and counted as outliers: `tukey` those that took longer than p75 + 1.5 × (p75 − p25) of their
 * host and type; `cap` those that took longer than `ms`.
 */
export type OutlierRule =
  | { readonly rule: 'none' }
  | { readonly rule: 'tukey' }
  | { readonly rule: 'cap'; readonly ms: number };

/** https://en.wikipedia.org/wiki/Outlier#Tukey's_fences */
const FENCE = 1.5;
/** The exclusion reason of an outlier. */
const EXCLUDED = 'rule';

export interface OutlierMarker {
  /** The same rows with the outliers marked as excluded, and their number. */
  mark(part: RowPart): { readonly part: RowPart; readonly marked: number };
  /** Whether the fences come from exact quartiles; null if there are no fences. */
  readonly exactQuartiles: boolean | null;
}

/** How often `outlierMarker` reads the range. */
export function markerReadings({ rule }: OutlierRule): number {
  return rule === 'tukey' ? 1 : 0;
}

/** @param reader of the filtered samples, which determine the fences. Returns null for the rule `none`. */
export async function outlierMarker(
  rule: OutlierRule,
  reader: RangeReader,
  filters: GroupedBy['filters'],
): Promise<OutlierMarker | null> {
  switch (rule.rule) {
    case 'none':
      return null;
    case 'cap': {
      const groups = reader.groups([], filters);
      return { mark: (part) => marked(part, groups, [rule.ms * 1000]), exactQuartiles: null };
    }
    case 'tukey': {
      const groups = reader.groups(['host', 'type'], filters);
      const pass = reader.pass();
      const take = pass.collect(['ttlb'], groups);
      await pass.run();
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

/** @param longest time that isn't an outlier, µs, by group */
function marked(part: RowPart, groups: QueryGroups, longest: readonly number[]) {
  const ofRow = groups.groupsOfRows(part);
  const ttlb = part.metrics.values('ttlb');
  const outliers: number[] = [];
  for (let row = 0; row < ofRow.length; row++) {
    const group = ofRow[row] as number;
    // Unusable rows have NaN, which is not greater than anything.
    if (group >= 0 && (ttlb[row] as number) > (longest[group] as number)) outliers.push(row);
  }
  return {
    part: outliers.length === 0 ? part : changedPart(part, excluding(part.columns, outliers)),
    marked: outliers.length,
  };
}

function excluding(columns: SampleColumns, rows: readonly number[]): SampleColumns {
  const { strings, codes } = columns.text('excluded');
  const known = strings.indexOf(EXCLUDED);
  const all = known < 0 ? [...strings, EXCLUDED] : strings;
  const own = codes.slice();
  for (const row of rows) own[row] = known < 0 ? strings.length : known;
  const { n, at, origin, number, metric } = columns;
  return {
    ...{ n, at, origin, number, metric },
    // Not copied: reading them would decode them.
    get origins() {
      return columns.origins;
    },
    get metricNames() {
      return columns.metricNames;
    },
    text: (name) => (name === 'excluded' ? { strings: all, codes: own } : columns.text(name)),
  };
}
