import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import type { AnyDimension } from '../../shared/vocabulary/dimensions.ts';
import type { SummaryExtras } from '../analysis/summary/summary-document.ts';
import { sweepSlowGroup } from '../analysis/summary/sweep-slow-group.ts';
import type { SlowDimension } from '../reductions/slow-group-rows.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { collectAbandonedTimes } from '../storage/passes/collect-abandoned-times.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { collectSlowGroup } from '../storage/passes/collect-slow-group.ts';
import type { Folding } from '../storage/passes/query-groups.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import { StoreError } from '../storage/store-error.ts';
import { countingReader, drawnParts } from './drawn-parts.ts';
import { type Folded, foldEach, foldingReadings } from './visibility/fold-small-groups.ts';
import type { Visibility } from './visibility/visibility.ts';

/** More would take seconds: parts of hours are drawn then, and a slow group of one in a hundred still has thousands. */
const MAX_ROWS = 500_000;
/** What is asked of an answer by these could identify a person. */
const PERSONAL = ['template', 'host', 'site', 'browser'] as const;

type SampleExtras = Required<Pick<SummaryExtras, 'slowGroup' | 'abandoned'>>;

interface SampleExtrasPlan extends Pick<StoreQuery, 'range' | 'by' | 'filters'> {
  readonly nameBrowsers: boolean;
}

/**
 * What only samples know of each cell: what its slow group is, and how long pages waited that gave up.
 * @param fromOf where slow begins in a cell, µs by the group's id; cells without are left out
 */
export async function readSampleExtras(
  source: ReadingSource,
  { range, by, filters, nameBrowsers }: SampleExtrasPlan,
  fromOf: ReadonlyMap<string, number>,
  folding: Folding | null,
  visibility: Visibility,
): Promise<Map<string, SampleExtras>> {
  const { minGroupSize } = visibility;
  const { samples } = await (await source.open(range, 'sketches')).stored();
  const parts = drawnParts(range, samples, MAX_ROWS);
  const all = (await source.open(range, 'fine', 1 + foldingReadings(minGroupSize), parts)).reader();
  const hidden = await hiddenValues(() =>
    foldEach(
      visibility,
      all,
      PERSONAL.map((dimension) => ({ by: withDimension(by, dimension), filters })),
    ),
  );
  const counting = countingReader(all);
  const pass = counting.reader.filtered(filters).pass();
  const groups = pass.groups(by, filters, folding);
  const ids: string[] = [];
  const idOf = (group: number) => {
    ids[group] ??= groupId(Object.values(groups.keys[group] ?? {}));
    return ids[group] as string;
  };
  const rowsOf = collectSlowGroup(pass, groups, (group) => fromOf.get(idOf(group)) ?? null);
  const abandonedOf = collectAbandonedTimes(pass, groups, (client) => minGroupSize <= 1 || visibility.counts(client));
  await pass.run();
  const readShare = parts === null ? 1 : counting.read() / samples;
  const found = rowsOf();
  return new Map(
    groups.keys.map((key, group): [string, SampleExtras] => {
      all.checkpoint();
      const { times, browsers } = abandonedOf(group);
      const abandoned =
        times.length === 0 || browsers.size < minGroupSize
          ? null
          : { n: times.length, median: medianOf(times) / 1000, readShare };
      if (!fromOf.has(idOf(group))) return [idOf(group), { slowGroup: null, abandoned }];
      const swept = sweepSlowGroup(found(group), {
        minBrowsers: minGroupSize,
        counts: (client) => minGroupSize <= 1 || visibility.counts(client),
        mayName: (dimension, value) =>
          dimension === 'client'
            ? nameBrowsers
            : !hidden(dimension, (own) => (own === dimension ? value : (key[own] ?? null)), by),
      });
      return [idOf(group), { slowGroup: { ...swept, readShare }, abandoned }];
    }),
  );
}

function medianOf(times: readonly number[]): number {
  return Float64Array.from(times).sort()[quantileRank(0.5, times.length)] as number;
}

function withDimension(by: readonly AnyDimension[], dimension: AnyDimension): AnyDimension[] {
  return [...new Set([...by, dimension])];
}

/** Whether a summary by the cell's dimensions and this one would not show the value: all of them if that is too much to check. */
async function hiddenValues(fold: () => Promise<Folded[]>) {
  let folded: Folded[] | null;
  try {
    folded = await fold();
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'too_many_groups') throw error;
    folded = null;
  }
  return (
    dimension: SlowDimension,
    wordOf: (dimension: AnyDimension) => string | null,
    by: readonly AnyDimension[],
  ) => {
    const index = (PERSONAL as readonly string[]).indexOf(dimension);
    const name = PERSONAL[index];
    if (name === undefined) return false;
    if (folded === null) return true;
    return folded[index]?.folding?.ids.has(groupId(withDimension(by, name).map(wordOf))) ?? false;
  };
}
