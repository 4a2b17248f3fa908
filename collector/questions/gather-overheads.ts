import type { Distribution } from '../../shared/statistics/distribution.ts';
import { type AnyDimension, type CellKey, splitFilterName } from '../../shared/vocabulary/dimensions.ts';
import { DEFAULT_BASELINES, type Overhead, overheads } from '../analysis/summary/overhead.ts';
import { toDistribution } from '../storage/passes/cell-aggregate-of.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
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
    const byHost = pass.groups([...rest, extra, 'host'], { ...open, ...only });
    const tally = pass.tally(byHost);
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
      hosts: () =>
        byHost.keys.flatMap((key, group) =>
          placeOf(key).map((place) => ({ ...place, host: key.host ?? '', n: tally(group) })),
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
    const hosts = new Map<string, Map<string, Map<string, number>>>();
    for (const { id, scenario, host, n } of parts.flatMap((part) => part.hosts())) {
      const own = hosts.get(id) ?? new Map<string, Map<string, number>>();
      const counts = own.get(scenario) ?? new Map<string, number>();
      hosts.set(id, own.set(scenario, counts.set(host, (counts.get(host) ?? 0) + n)));
    }
    const idOf = (key: (typeof cells.keys)[number]) => groupId(rest.map((dimension) => key[dimension] ?? null));
    return new Map(
      cells.keys.map((key): [string, Overhead[]] => {
        const id = idOf(key);
        const own = measured.get(id);
        const found = own === undefined ? [] : overheads(own, DEFAULT_BASELINES, hosts.get(id));
        return [groupId(Object.values(key)), found];
      }),
    );
  };
}
