import type { Distribution } from '../../../../shared/statistics/distribution.ts';
import type { AnyDimension } from '../../../../shared/summary/dimensions.ts';
import { type Overhead, overheads } from '../../../../shared/summary/overhead.ts';
import type { CellCatalog } from '../../rollup/cell-catalog.ts';
import { toDistribution } from '../cell-aggregate-of.ts';
import { groupId } from '../cell-groups.ts';
import { createQueryGroups, type Folding } from '../query-groups.ts';
import type { RangePass } from '../range-pass.ts';
import type { GroupedBy } from '../range-reader.ts';

/** Dimensions that tell scenarios apart: a comparison of scenarios can't be inside one of them. */
const OF_SCENARIO: readonly AnyDimension[] = ['scenario', 'connection', 'scheme', 'handshake'];

/** What each scenario adds over its baseline, by the group's id. What is returned is asked once the pass has run. */
export function gatherOverheads(
  pass: RangePass,
  { by, filters }: GroupedBy,
  catalog: CellCatalog,
  folding: Folding | null,
): () => Map<string, Overhead[]> {
  const rest = by.filter((dimension) => !OF_SCENARIO.includes(dimension));
  const open = Object.fromEntries(
    Object.entries(filters).filter(([dimension]) => !OF_SCENARIO.includes(dimension as AnyDimension)),
  );
  const gather = (extra: AnyDimension, only: GroupedBy['filters'], name: (word: string) => string | null) => {
    const groups = createQueryGroups([...rest, extra], { ...open, ...only }, catalog);
    const take = pass.collect(['ttlb'], groups);
    return () =>
      groups.sorted().flatMap((group) => {
        const key = groups.keys[group] ?? {};
        const word = key[extra] ?? null;
        const scenario = word === null ? null : name(word);
        if (scenario === null) return [];
        return [{ id: groupId(rest.map((dimension) => key[dimension] ?? null)), scenario, values: take(group) }];
      });
  };
  const parts = [
    gather('scenario', {}, (scenario) => scenario),
    gather('handshake', { scenario: ['https-new'] }, (word) => (word === 'unknown' ? null : `https-new-${word}`)),
  ];
  const cells = createQueryGroups(by, filters, catalog, folding);
  // Numbers every group of the answer.
  pass.tally(cells);

  return () => {
    const measured = new Map<string, Record<string, Distribution>>();
    for (const { id, scenario, values } of parts.flatMap((part) => part())) {
      measured.set(id, { ...measured.get(id), [scenario]: toDistribution(values) });
    }
    const idOf = (key: (typeof cells.keys)[number]) => groupId(rest.map((dimension) => key[dimension] ?? null));
    return new Map(
      cells.keys.map((key): [string, Overhead[]] => {
        const own = measured.get(idOf(key));
        return [groupId(Object.values(key)), own === undefined ? [] : overheads(own)];
      }),
    );
  };
}
