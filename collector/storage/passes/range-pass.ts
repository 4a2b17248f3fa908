import { onceEach } from '../columns/once.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { visitCountPack } from '../rollups/count-pack.ts';
import { CLIENTS, COUNTS, MEASURES, type Measure } from '../rollups/measures.ts';
import { visitValueCounts } from '../rollups/value-pack.ts';
import { type BrowserSets, createBrowserSets } from './browser-sets.ts';
import type { Collector, PlainDistribution } from './collectors.ts';
import { type CounterTotals, createCounterTotals } from './counter-totals.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RowPart } from './row-part.ts';
import { wordsOfRows } from './row-words.ts';

/**
 * One reading of a range. First it is said what to gather, then `run` goes over the packs and over each chunk once, and
 * only then the results hold something: however many samples there are, one chunk of them is in memory at a time.
 */
export interface RangePass {
  /** Counters of every group; `connection:new` and so on, and `reusedUsable`, among them. */
  count(groups: QueryGroups): CounterTotals;
  /** Only how many samples each group has. */
  tally(groups: QueryGroups): (group: number) => number;
  /** @param sets what collects them; all of each group unless given */
  browsers(groups: QueryGroups, sets?: BrowserSets): BrowserSets;
  /** The largest clock step of each group's usable samples, µs; null where it has none. */
  clockSteps(groups: QueryGroups): (group: number) => number | null;
  /**
   * The values of some measures, together, of every group.
   * @param within only what these groups have too
   */
  collect(measures: readonly Measure[], groups: QueryGroups, within?: QueryGroups): Taken;
  /** Only how many values each group has: what they are is not looked at. */
  countValues(measure: Measure, groups: QueryGroups, within: QueryGroups): (group: number) => number;
  /** The same of columns that rows have and rollups have not: µs per row, NaN where it has none. @param rowsOf groups per row */
  collectRows(columnsOf: (part: RowPart) => readonly Float64Array[], rowsOf: (part: RowPart) => Int32Array): Taken;
  /** Anything else that is read from rows; there are none where packs hold everything. */
  rows(visit: (part: RowPart) => void): void;
  run(): void;
}

export type Taken = (group: number) => PlainDistribution;

interface Source {
  packs(measure: number): Iterable<Uint8Array>;
  /** One after the other; none is kept by who reads it. */
  parts(): Iterable<RowPart>;
  newCollector(): Collector;
}

export function createRangePass(source: Source, catalog: CellCatalog): RangePass {
  const packs: (() => void)[] = [];
  const visits: ((part: RowPart) => void)[] = [];

  return {
    count(groups) {
      const totals = createCounterTotals();
      packs.push(() => {
        for (const pack of source.packs(COUNTS)) addCounts(pack, groups, catalog, totals);
      });
      visits.push((part) => {
        if (groups.hasRows(part)) addCountsOfRows(part, groups, totals);
      });
      return totals;
    },
    tally(groups) {
      const totals = createCounterTotals();
      const samples = totals.placeOf('samples');
      packs.push(() => {
        for (const pack of source.packs(COUNTS)) addCounts(pack, groups, catalog, totals);
      });
      visits.push((part) => {
        const ofRow = groups.groupsOfRows(part);
        for (let row = 0; row < ofRow.length; row++) {
          const group = ofRow[row] as number;
          if (group >= 0) totals.raise(group, samples, 1);
        }
      });
      return (group) => totals.get(group, 'samples');
    },
    clockSteps(groups) {
      const steps: number[] = [];
      const note = (group: number, step: number) => {
        if (group >= 0 && step > (steps[group] ?? 0)) steps[group] = step;
      };
      packs.push(() => {
        const stepOf = onceEach((counter: number) => clockStepOf(catalog.textOf(counter) ?? '') ?? 0);
        for (const pack of source.packs(COUNTS)) {
          visitCountPack(
            pack,
            (cell) => groups.groupOfCell(cell) >= 0,
            (cell, counter) => note(groups.groupOfCell(cell), stepOf(counter)),
          );
        }
      });
      visits.push((part) => {
        if (!groups.hasRows(part)) return;
        const ofRow = groups.groupsOfRows(part);
        const usable = part.measures.usable();
        const origin = part.columns.origin();
        const clocks = part.columns.origins.map(({ clockStep }) => clockStep);
        for (let row = 0; row < ofRow.length; row++) {
          if (usable[row] === 1) note(ofRow[row] as number, clocks[origin[row] as number] as number);
        }
      });
      return (group) => steps[group] ?? null;
    },
    browsers(groups, sets = createBrowserSets(catalog)) {
      packs.push(() => {
        for (const pack of source.packs(CLIENTS)) {
          visitCountPack(
            pack,
            (cell) => groups.groupOfCell(cell) >= 0,
            (cell, client) => sets.addClient(groups.groupOfCell(cell), client),
          );
        }
      });
      visits.push((part) => {
        if (groups.hasRows(part)) sets.addRows(wordsOfRows(part.columns, 'client'), groups.groupsOfRows(part));
      });
      return sets;
    },
    collect(measures, groups, within = groups) {
      const collector = source.newCollector();
      const groupOf = (cell: number) => (within.groupOfCell(cell) < 0 ? -1 : groups.groupOfCell(cell));
      packs.push(() => {
        for (const measure of measures) {
          for (const pack of source.packs(MEASURES[measure])) {
            collector.addPack(pack, within === groups ? groups.groupOfCell : groupOf);
          }
        }
      });
      visits.push((part) => {
        if (!groups.hasRows(part) || !within.hasRows(part)) return;
        const rows = within === groups ? groups.groupsOfRows(part) : bothOf(part, groups, within);
        for (const measure of measures) collector.addRows(part.measures.values(measure), rows);
      });
      return (group) => collector.take(group);
    },
    countValues(measure, groups, within) {
      const totals: number[] = [];
      const note = (group: number, n: number) => {
        totals[group] = (totals[group] ?? 0) + n;
      };
      const groupOf = (cell: number) => (within.groupOfCell(cell) < 0 ? -1 : groups.groupOfCell(cell));
      packs.push(() => {
        for (const pack of source.packs(MEASURES[measure])) {
          visitValueCounts(
            pack,
            (cell) => groupOf(cell) >= 0,
            (cell, n) => note(groups.groupOfCell(cell), n),
          );
        }
      });
      visits.push((part) => {
        if (!groups.hasRows(part) || !within.hasRows(part)) return;
        const rows = bothOf(part, groups, within);
        const values = part.measures.values(measure);
        for (let row = 0; row < rows.length; row++) {
          if ((rows[row] as number) >= 0 && !Number.isNaN(values[row])) note(rows[row] as number, 1);
        }
      });
      return (group) => totals[group] ?? 0;
    },
    collectRows(columnsOf, rowsOf) {
      const collector = source.newCollector();
      visits.push((part) => {
        for (const values of columnsOf(part)) collector.addRows(values, rowsOf(part));
      });
      return (group) => collector.take(group);
    },
    rows: (visit) => void visits.push(visit),
    run() {
      for (const read of packs) read();
      if (visits.length === 0) return;
      for (const part of source.parts()) for (const visit of visits) visit(part);
    },
  };
}

/** Of a counter such as `clock:100`. */
function clockStepOf(counter: string): number | null {
  return counter.startsWith('clock:') ? Number(counter.slice(6)) : null;
}

function bothOf(part: RowPart, groups: QueryGroups, within: QueryGroups): Int32Array {
  const inside = within.groupsOfRows(part);
  return groups.groupsOfRows(part).map((group, row) => ((inside[row] as number) < 0 ? -1 : group));
}

function addCounts(pack: Uint8Array, groups: QueryGroups, catalog: CellCatalog, totals: CounterTotals): void {
  const samples = totals.placeOf('samples');
  const usable = totals.placeOf('evidence:usable');
  const reusedUsable = totals.placeOf('reusedUsable');
  const placeOfWord: number[] = [];
  visitCountPack(
    pack,
    (cell) => groups.groupOfCell(cell) >= 0,
    (cell, counter, by) => {
      let place = placeOfWord[counter];
      if (place === undefined) {
        place = totals.placeOf(catalog.textOf(counter) ?? '');
        placeOfWord[counter] = place;
      }
      const group = groups.groupOfCell(cell);
      totals.raise(group, place, by);
      if (place !== samples && place !== usable) return;
      const connection = catalog.wordsOf(cell)?.connection;
      if (place === samples) totals.raise(group, totals.placeOf(`connection:${connection}`), by);
      else if (connection === 'reused') totals.raise(group, reusedUsable, by);
    },
  );
}

function addCountsOfRows(part: RowPart, groups: QueryGroups, totals: CounterTotals): void {
  const ofRow = groups.groupsOfRows(part);
  const { codes, names } = part.counters();
  const usable = part.measures.usable();
  const { entries, codes: connections } = part.columns.text('connection');
  const reused = entries.indexOf('reused');
  // Rows that raise the same counters of the same group are few kinds: names are looked up once a kind.
  const kinds = new Map<number, number>();
  const width = entries.length * 2;
  for (let row = 0; row < ofRow.length; row++) {
    const group = ofRow[row] as number;
    if (group < 0) continue;
    const counters = (group * names.length + (codes[row] as number)) * width;
    const kind = counters + (connections[row] as number) * 2 + (usable[row] as number);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  for (const [kind, n] of kinds) {
    const counters = Math.floor(kind / width);
    const group = Math.floor(counters / names.length);
    const connection = Math.floor((kind % width) / 2);
    for (const name of names[counters % names.length] ?? []) totals.raise(group, totals.placeOf(name), n);
    totals.raise(group, totals.placeOf(`connection:${entries[connection]}`), n);
    if (connection === reused && kind % 2 === 1) totals.raise(group, totals.placeOf('reusedUsable'), n);
  }
}
