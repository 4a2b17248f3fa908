import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { type AnyDimension, FEW_BROWSERS, type Filters, type TimeRange } from '../../../shared/summary/dimensions.ts';
import { visitCountPack } from '../pack/count-pack.ts';
import type { CellCatalog } from '../rollup/cell-catalog.ts';
import { CLIENTS, COUNTS, MEASURES, type Measure } from '../rollup/measures.ts';
import { countersOf } from '../rollup/row-counters.ts';
import { toDistribution } from './cell-aggregate-of.ts';
import { groupId } from './cell-groups.ts';
import { type Collector, exactCollector, type PlainDistribution, sketchCollector } from './collectors.ts';
import type { ReusedWaits } from './plain-answer.ts';
import { createQueryGroups, type Folding, type QueryGroups } from './query-groups.ts';
import { rowPart } from './row-part.ts';

/** What an engine gives for one range: rollups of the buckets inside, and the samples that no such bucket holds. */
export interface RangeSource {
  /** Every pack of one measure. */
  packs(measure: number): Iterable<Uint8Array>;
  /** Columns, and which of their rows count: those whose `at` lies in one of the ranges. */
  rows(): Iterable<{ readonly columns: SampleColumns; readonly ranges: readonly TimeRange[] }>;
  /** Called often while rows are worked on; throws to give up. */
  checkpoint?(): void;
}

export interface GroupedBy {
  readonly by: readonly AnyDimension[];
  readonly filters: Filters;
}

/** One measure of all groups. */
export interface Grouped {
  readonly groups: QueryGroups;
  take(group: number): PlainDistribution;
}

export type RangeReader = ReturnType<typeof createRangeReader>;

/** Answers questions on one range, engine-neutral: every engine that has packs and chunks reads them like this. */
export function createRangeReader(source: RangeSource, catalog: CellCatalog, exact: boolean) {
  // Kept while the range is read: the same few chunks are asked for one measure after the other.
  const parts = [...source.rows()].map(({ columns, ranges }) => rowPart(columns, ranges));

  function collect(
    measures: readonly Measure[],
    { by, filters }: GroupedBy,
    groups = createQueryGroups(by, filters, catalog),
  ): Grouped {
    const collector: Collector = exact ? exactCollector() : sketchCollector();
    for (const measure of measures) {
      for (const pack of source.packs(MEASURES[measure])) collector.addPack(pack, (cell) => groups.groupOfCell(cell));
      for (const part of parts) {
        source.checkpoint?.();
        collector.addRows(part.measures.values(measure), groups.groupsOfRows(part));
      }
    }
    return { groups, take: (group) => collector.take(group) };
  }

  /** Counters of every group, by name; `connection:new` and so on among them. */
  function count(groups: QueryGroups): Map<string, number>[] {
    const totals: Map<string, number>[] = [];
    const raise = (group: number, name: string, by: number) => {
      while (totals.length <= group) totals.push(new Map());
      totals[group]?.set(name, (totals[group]?.get(name) ?? 0) + by);
    };
    for (const pack of source.packs(COUNTS)) {
      visitCountPack(
        pack,
        (cell) => groups.groupOfCell(cell) >= 0,
        (cell, counter, by) => {
          const name = catalog.textOf(counter) ?? '';
          const group = groups.groupOfCell(cell);
          const connection = catalog.wordsOf(cell)?.connection;
          raise(group, name, by);
          if (name === 'samples') raise(group, `connection:${connection}`, by);
          if (name === 'evidence:usable' && connection === 'reused') raise(group, 'reusedUsable', by);
        },
      );
    }
    for (const part of parts) {
      source.checkpoint?.();
      const ofRow = groups.groupsOfRows(part);
      const { codes, names } = countersOf(part.columns, part.measures);
      const usable = part.measures.usable();
      const { entries, codes: connections } = part.columns.text('connection');
      const reused = entries.indexOf('reused');
      // Rows that raise the same counters of the same group are few kinds: names are looked up once a kind.
      const kinds = new Map<number, number>();
      const width = entries.length * 2;
      for (let row = 0; row < ofRow.length; row++) {
        const group = ofRow[row] as number;
        if (group < 0) continue;
        const connection = connections[row] as number;
        const counters = (group * names.length + (codes[row] as number)) * width;
        const kind = counters + connection * 2 + (usable[row] as number);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      for (const [kind, n] of kinds) {
        const counters = Math.floor(kind / width);
        const group = Math.floor(counters / names.length);
        const connection = Math.floor((kind % width) / 2);
        for (const name of names[counters % names.length] ?? []) raise(group, name, n);
        raise(group, `connection:${entries[connection]}`, n);
        if (connection === reused && kind % 2 === 1) raise(group, 'reusedUsable', n);
      }
    }
    return totals;
  }

  /** The browsers of every group. */
  function browsers(groups: QueryGroups): Set<string>[] {
    const sets: Set<string>[] = [];
    const note = (group: number, client: string) => {
      while (sets.length <= group) sets.push(new Set());
      sets[group]?.add(client);
    };
    for (const pack of source.packs(CLIENTS)) {
      visitCountPack(
        pack,
        (cell) => groups.groupOfCell(cell) >= 0,
        (cell, client) => note(groups.groupOfCell(cell), catalog.textOf(client) ?? ''),
      );
    }
    for (const part of parts) {
      source.checkpoint?.();
      const origin = part.columns.origin();
      groups.groupsOfRows(part).forEach((group, row) => {
        if (group >= 0) note(group, part.columns.origins[origin[row] as number]?.client ?? '');
      });
    }
    return sets;
  }

  /** Waits on reused connections by the group's key, with the round trip that new connections had on their route. */
  function reusedWaits({ by, filters }: GroupedBy, folding: Folding | null): Map<string, ReusedWaits[]> {
    const route: readonly AnyDimension[] = ['site', 'host'];
    const trips = collect(['roundTrip'], { by: route, filters });
    const medians = new Map<string, number>();
    for (const group of trips.groups.sorted()) {
      const { site, host } = trips.groups.keys[group] ?? {};
      // Browsers without a site label have nothing in common.
      if (site !== null) noteMedian(medians, `${site}\n${host}`, trips.take(group));
    }
    const found = new Map<string, ReusedWaits[]>();
    if (filters.connection !== undefined && !filters.connection.includes('reused')) return found;
    const fine = { by: [...new Set([...by, ...route])], filters: { ...filters, connection: ['reused'] } };
    const waits = collect(['wait'], fine);
    for (const group of waits.groups.sorted()) {
      const key = waits.groups.keys[group] ?? {};
      const roundTrip = medians.get(`${key.site}\n${key.host}`) ?? null;
      const own = groupId(by.map((dimension) => key[dimension] ?? null));
      const id = folding?.ids.has(own) ? groupId(by.map(() => FEW_BROWSERS)) : own;
      const list = found.get(id) ?? [];
      list.push({ waits: waits.take(group), roundTrip, from: roundTrip === null ? 'none' : 'site' });
      found.set(id, list);
    }
    return found;
  }

  return { parts, collect, count, browsers, reusedWaits, checkpoint: () => source.checkpoint?.() };
}

function noteMedian(medians: Map<string, number>, route: string, plain: PlainDistribution): void {
  const { n, valueAtRank } = toDistribution(plain);
  if (n > 0) medians.set(route, Math.round(valueAtRank(quantileRank(0.5, n))));
}
