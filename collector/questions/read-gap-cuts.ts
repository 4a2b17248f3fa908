import { FEW_BROWSERS } from '../../shared/vocabulary/dimensions.ts';
import { gapCut } from '../analysis/summary/gap-cuts.ts';
import type { SummaryExtras } from '../analysis/summary/summary-document.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { collectTimeSums, type TimeSums } from '../storage/passes/collect-time-sums.ts';
import type { QueryGroups } from '../storage/passes/query-groups.ts';
import type { RangeReader } from '../storage/passes/range-reader.ts';
import type { Folded } from './visibility/fold-small-groups.ts';
import type { Visibility } from './visibility/visibility.ts';
import { smallGroups } from './visibility/visibility.ts';

/** Parts listed per cut; the others are one part, so that a cut still sums to the gap. */
const MAX_PARTS = 20;
const OTHERS = '(other)';

type Cuts = NonNullable<SummaryExtras['gapCuts']>;

interface GapCutRules {
  readonly visibility: Visibility;
  readonly nameBrowsers: boolean;
  /** The folded groups of the same query, grouped by host as well. */
  readonly foldedHosts: Folded;
}

/** The cuts of the gap for every group at once, from the samples. @param medians µs, by the group's id */
export async function readGapCuts(
  reader: RangeReader,
  groups: QueryGroups,
  medians: ReadonlyMap<string, number>,
  { visibility, nameBrowsers, foldedHosts }: GapCutRules,
): Promise<Map<string, Cuts>> {
  const { minGroupSize } = visibility;
  const pass = reader.pass();
  const all = collectTimeSums(pass, groups, (client) => minGroupSize > 1 && visibility.counts(client), nameBrowsers);
  await pass.run();
  return new Map(
    all.flatMap(({ hosts, browsers, hours, n }, group): [string, Cuts][] => {
      const id = groupId(Object.values(groups.keys[group] ?? {}));
      const median = medians.get(id);
      if (median === undefined) return [];
      const cut = (sums: TimeSums, below: number, isHidden = (_name: string) => false) =>
        largest(gapCut({ n, median }, folded(sums, below, isHidden)));
      const key = groups.keys[group] ?? {};
      const isHidden = (host: string) =>
        foldedHosts.folding?.ids.has(groupId(Object.values({ ...key, host }))) ?? false;
      const cuts: Cuts = {
        hosts: cut(hosts, minGroupSize, isHidden),
        browsers: nameBrowsers ? cut(browsers, 0) : null,
        hours: cut(hours, minGroupSize),
      };
      return [[id, cuts]];
    }),
  );
}

/** Merges the parts of too few browsers into one. */
function folded(
  sums: TimeSums,
  below: number,
  isHidden: (name: string) => boolean,
): [string, { n: number; sum: number }][] {
  if (below <= 1) return [...sums];
  const parts = [...sums];
  const sized = parts.map(([name, { n, clients }]) => ({
    browsers: clients.size,
    samples: n,
    hidden: isHidden(name),
  }));
  const together = (indexes: readonly number[]) =>
    new Set(indexes.flatMap((index) => [...(parts[index]?.[1].clients ?? [])])).size;
  const small = new Set(smallGroups(sized, below, together));
  const few = { n: 0, sum: 0 };
  const shown = parts.filter(([, { n, sum }], index) => {
    if (!small.has(index)) return true;
    few.n += n;
    few.sum += sum;
    return false;
  });
  return few.n === 0 ? shown : [...shown, [FEW_BROWSERS, few]];
}

function largest(parts: Cuts['hours']): Cuts['hours'] {
  const all = parts ?? [];
  if (all.length <= MAX_PARTS) return all;
  const rest = all.slice(MAX_PARTS - 1);
  const others = {
    name: OTHERS,
    n: rest.reduce((sum, { n }) => sum + n, 0),
    part: rest.reduce((sum, { part }) => sum + part, 0),
  };
  return [...all.slice(0, MAX_PARTS - 1), others];
}
