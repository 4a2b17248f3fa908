import type { Distribution } from '../../shared/statistics/distribution.ts';
import { type AnyDimension, type CellKey, splitFilterName } from '../../shared/vocabulary/dimensions.ts';
import { COMPARED_BY_ROLLUPS, type ComparedBy, countRequests } from '../analysis/summary/likeness.ts';
import { DEFAULT_BASELINES, overheads } from '../analysis/summary/overhead.ts';
import type { Overhead } from '../analysis/summary/summary-document.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { toDistribution } from '../storage/passes/collectors.ts';
import type { Folding } from '../storage/passes/query-groups.ts';
import type { RangePass } from '../storage/passes/range-pass.ts';
import type { GroupedBy } from '../storage/passes/range-reader.ts';

/** Dimensions that define scenarios: within one value of them, scenarios can't be compared. */
const OF_SCENARIO: readonly AnyDimension[] = ['scenario', 'connection', 'scheme', 'handshake'];

/** What each scenario adds over its baseline, by the group's id. Call the result once the pass has run. */
export function gatherOverheads(
  pass: RangePass,
  { by, filters }: GroupedBy,
  folding: Folding | null,
): () => Map<string, Overhead[]> {
  const rest = by.filter((dimension) => !OF_SCENARIO.includes(dimension));
  const open = Object.fromEntries(
    Object.entries(filters).filter(([name]) => !OF_SCENARIO.includes(splitFilterName(name).dimension as AnyDimension)),
  );
  const gather = (extra: AnyDimension, only: GroupedBy['filters'], name: (word: string) => string | null) => {
    const groups = pass.groups([...rest, extra], { ...open, ...only });
    const take = pass.collect(['ttlb'], groups);
    // Within a group of the answer, requests agree on what it is grouped by.
    const kinds = COMPARED_BY_ROLLUPS.filter((dimension) => !rest.includes(dimension)).map((dimension) => {
      const groupsOfKind = pass.groups([...rest, extra, dimension], { ...open, ...only });
      return { dimension, keys: groupsOfKind.keys, tally: pass.tally(groupsOfKind) };
    });
    const placeOf = (key: CellKey) => {
      const word = key[extra] ?? null;
      const scenario = word === null ? null : name(word);
      return scenario === null ? [] : [{ id: groupId(rest.map((dimension) => key[dimension] ?? null)), scenario }];
    };
    return {
      times: () =>
        groups
          .sorted()
          .flatMap((group) => placeOf(groups.keys[group] ?? {}).map((place) => ({ ...place, values: take(group) }))),
      counts: () =>
        kinds.flatMap(({ dimension, keys, tally }) =>
          keys.flatMap((key, group) =>
            placeOf(key).map((place) => ({ ...place, dimension, name: key[dimension] ?? '', n: tally(group) })),
          ),
        ),
    };
  };
  const parts = [
    gather('scenario', {}, (scenario) => scenario),
    gather('handshake', { scenario: ['https-new'] }, (word) => (word === 'unknown' ? null : `https-new-${word}`)),
  ];
  const cells = pass.groups(by, filters, folding);
  // Numbers every group of the answer.
  pass.tally(cells);

  return () => {
    const measured = new Map<string, Record<string, Distribution>>();
    for (const { id, scenario, values } of parts.flatMap(({ times }) => times())) {
      measured.set(id, { ...measured.get(id), [scenario]: toDistribution(values) });
    }
    const counts = new Map<string, Map<string, Partial<Record<ComparedBy, Map<string, number>>>>>();
    for (const { id, scenario, dimension, name, n } of parts.flatMap((part) => part.counts())) {
      const ofGroup = counts.get(id) ?? new Map<string, Partial<Record<ComparedBy, Map<string, number>>>>();
      const own = ofGroup.get(scenario) ?? {};
      counts.set(id, ofGroup.set(scenario, own));
      countRequests(own, dimension, name, n);
    }
    const idOf = (key: (typeof cells.keys)[number]) => groupId(rest.map((dimension) => key[dimension] ?? null));
    return new Map(
      cells.keys.map((key): [string, Overhead[]] => {
        const id = idOf(key);
        const own = measured.get(id);
        const found = own === undefined ? [] : overheads(own, DEFAULT_BASELINES, counts.get(id));
        return [groupId(Object.values(key)), found];
      }),
    );
  };
}
