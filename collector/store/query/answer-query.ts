import type { SummaryTime } from '../../../shared/summary/cell-aggregate.ts';
import type { CellCatalog } from '../rollup/cell-catalog.ts';
import { MEASURE_NAMES, type Measure } from '../rollup/measures.ts';
import { groupId } from './cell-groups.ts';
import type { PlainDistribution } from './collectors.ts';
import type { PlainCell, PlainDistributionAnswer, PlainQuery } from './plain-answer.ts';
import { createQueryGroups, type Folding } from './query-groups.ts';
import { createRangeReader, type GroupedBy, type RangeReader, type RangeSource } from './range-reader.ts';

/** Everything known of every group. */
export function answerAggregate(query: PlainQuery, source: RangeSource, catalog: CellCatalog): PlainCell[] {
  return aggregateCells(query, createRangeReader(source, catalog, query.exact), catalog, null);
}

export function aggregateCells(
  query: GroupedBy,
  reader: RangeReader,
  catalog: CellCatalog,
  folding: Folding | null,
): PlainCell[] {
  const { by } = query;
  const groups = createQueryGroups(by, query.filters, catalog, folding);
  const counts = reader.count(groups);
  const browsers = reader.browsers(groups);
  const measured = MEASURE_NAMES.map((name) => [name, reader.collect([name], query, groups)] as const);
  // What is no new connection has no set-up to be taken off; its whole times were not stored twice.
  const notNew = ['reused', 'cache', 'opaque', 'worker', 'failed', 'unknown'];
  const wanted = query.filters.connection?.filter((name) => notNew.includes(name)) ?? notNew;
  const otherGroups = createQueryGroups(by, { ...query.filters, connection: wanted }, catalog, folding);
  const others = reader.collect(['ttlb'], query, otherGroups);
  const othersOf = new Map(otherGroups.keys.map((key, group) => [groupId(Object.values(key)), group]));
  const waits = reader.reusedWaits(query, folding);

  return groups
    .sorted()
    .filter((group) => (counts[group]?.get('samples') ?? 0) > 0)
    .map((group): PlainCell => {
      const key = groups.keys[group] ?? {};
      const id = groupId(Object.values(key));
      const other = othersOf.get(id);
      const counters = [...(counts[group] ?? [])];
      const values = Object.fromEntries(measured.map(([name, { take }]) => [name, take(group)])) as Record<
        Measure,
        PlainDistribution
      >;
      return {
        key,
        counters: counters.filter(([name]) => !name.startsWith('connection:') && name !== 'reusedUsable'),
        browsers: browsers[group]?.size ?? 0,
        values,
        withoutSetup: other === undefined ? [] : [others.take(other)],
        reusedWaits: waits.get(id) ?? [],
        connections: counters.flatMap(([name, n]) =>
          name.startsWith('connection:') ? [[name.slice(11), n] as const] : [],
        ),
        reusedUsable: counts[group]?.get('reusedUsable') ?? 0,
      };
    });
}

/** The measures whose values together are one time of a summary. */
export function measuresOf(time: SummaryTime): readonly Measure[] {
  return time === 'wait' ? ['wait', 'waitWhole'] : [time];
}

/** One time of every group, and nothing else: a fraction of the work. Groups without any value are left out. */
export function answerDistributions(
  query: PlainQuery & { readonly time: SummaryTime },
  source: RangeSource,
  catalog: CellCatalog,
): PlainDistributionAnswer['cells'] {
  const { groups, take } = createRangeReader(source, catalog, query.exact).collect(measuresOf(query.time), query);
  return groups.sorted().map((group) => ({ key: groups.keys[group] ?? {}, values: take(group) }));
}
