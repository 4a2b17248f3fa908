import { onceEach } from '../../lib/once.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { visitCountBlock } from '../rollups/count-block.ts';
import { COUNTS, TIME_METRICS, type TimeMetric } from '../rollups/time-metrics.ts';
import { visitValueCounts } from '../rollups/value-block.ts';
import type { BrowserCollector } from './browser-sets.ts';
import { type BlockRequest, type CellSelection, inBoth } from './cell-selection.ts';
import type { CollectedValues, Collector } from './collectors.ts';
import { type CounterTotals, createCounterTotals } from './counter-totals.ts';
import { dimensionColumn } from './dimension-column.ts';
import { createMonthlyBrowsers, type MonthlyBrowsers } from './monthly-browsers.ts';
import { createQueryGroups, type Grouping, type QueryGroups } from './query-groups.ts';
import type { RangeSource } from './range-source.ts';
import type { RowPart } from './row-part.ts';

/**
 * One pass over a range. Collectors are added first; `run` then reads each rollup block and each chunk once, and
 * results are empty until then. Only one chunk is in memory at a time.
 */
export interface RangePass extends Grouping {
  /** Counters of every group, including `connection:new` and so on, and `reusedUsable`. */
  count(groups: QueryGroups): CounterTotals;
  /** The number of samples of each group. */
  tally(groups: QueryGroups): (group: number) => number;
  /** How many browsers each group has. */
  browsers(groups: QueryGroups): MonthlyBrowsers;
  /** Adds the browsers of each group to `sets`, and returns it. */
  collectBrowsers<C extends BrowserCollector>(groups: QueryGroups, sets: C): C;
  /** The largest clock step of each group's usable samples, µs; null if it has none. */
  clockSteps(groups: QueryGroups): (group: number) => number | null;
  /**
   * The values of some metrics together, of every group.
   * @param within excludes cells and rows that are in none of these groups
   */
  collect(metrics: readonly TimeMetric[], groups: QueryGroups, within?: QueryGroups): TakeValues;
  /** The number of values of each group, without reading them. */
  countValues(metric: TimeMetric, groups: QueryGroups, within: QueryGroups): (group: number) => number;
  /** Values that rows have and rollups don't: µs per row, NaN for none. @param rowsOf groups per row */
  collectRows(columnsOf: (part: RowPart) => readonly Float64Array[], rowsOf: (part: RowPart) => Int32Array): TakeValues;
  /** Anything else that is read from rows. There are no rows if rollup blocks hold everything. */
  rows(visit: (part: RowPart) => void): void;
  run(): Promise<void>;
}

export type TakeValues = (group: number) => CollectedValues;

interface Source extends Pick<RangeSource, 'prepare' | 'blocks' | 'clientBlocks'> {
  /** One after the other; the reader keeps none of them. */
  parts(): AsyncIterable<RowPart>;
  newCollector(): Collector;
}

export function createRangePass(source: Source, catalog: CellCatalog): RangePass {
  const requests: BlockRequest[] = [];
  const blocks: (() => Promise<void>)[] = [];
  const visits: ((part: RowPart) => void)[] = [];

  /** To be read when the pass runs. */
  function blocksOf(metric: number, selection: CellSelection, onlyCounts = false) {
    const request: BlockRequest = { metric, selection, onlyCounts };
    requests.push(request);
    return () => source.blocks(request);
  }

  /** @param named whether `sets` looks up ids */
  function addBrowsers<C extends BrowserCollector>(groups: QueryGroups, sets: C, named: boolean): C {
    blocks.push(async () => {
      for (const { month, block } of await source.clientBlocks(groups.selection, named)) {
        visitCountBlock(
          block,
          (cell) => groups.groupOfCell(cell) >= 0,
          (cell, client) => sets.addClient(groups.groupOfCell(cell), client, month),
        );
      }
    });
    visits.push((part) => {
      if (!groups.hasRows(part)) return;
      const { columns } = part;
      sets.addRows(dimensionColumn(columns, 'client'), groups.groupsOfRows(part), columns.at);
    });
    return sets;
  }

  return {
    groups: (by, filters, folding) => createQueryGroups(by, filters, catalog, folding),
    count(groups) {
      const totals = createCounterTotals();
      const read = blocksOf(COUNTS, withConnection(groups.selection));
      blocks.push(async () => {
        for (const block of await read()) addCounts(block, groups, catalog, totals);
      });
      visits.push((part) => {
        if (groups.hasRows(part)) addCountsOfRows(part, groups, totals);
      });
      return totals;
    },
    tally(groups) {
      const totals = createCounterTotals();
      const samples = totals.indexOf('samples');
      const read = blocksOf(COUNTS, withConnection(groups.selection));
      blocks.push(async () => {
        for (const block of await read()) addCounts(block, groups, catalog, totals);
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
      const read = blocksOf(COUNTS, withConnection(groups.selection));
      blocks.push(async () => {
        const stepOf = onceEach((counter: number) => clockStepOf(catalog.stringOf(counter) ?? '') ?? 0);
        for (const block of await read()) {
          visitCountBlock(
            block,
            (cell) => groups.groupOfCell(cell) >= 0,
            (cell, counter) => note(groups.groupOfCell(cell), stepOf(counter)),
          );
        }
      });
      visits.push((part) => {
        if (!groups.hasRows(part)) return;
        const ofRow = groups.groupsOfRows(part);
        const usable = part.metrics.usable();
        const origin = part.columns.origin();
        const clocks = part.columns.origins.map(({ clockStep }) => clockStep);
        for (let row = 0; row < ofRow.length; row++) {
          if (usable[row] === 1) note(ofRow[row] as number, clocks[origin[row] as number] as number);
        }
      });
      return (group) => steps[group] ?? null;
    },
    browsers: (groups) => addBrowsers(groups, createMonthlyBrowsers(catalog), false),
    collectBrowsers: (groups, sets) => addBrowsers(groups, sets, true),
    collect(metrics, groups, within = groups) {
      const collector = source.newCollector();
      const groupOf = (cell: number) => (within.groupOfCell(cell) < 0 ? -1 : groups.groupOfCell(cell));
      const selection = inBoth(groups.selection, within.selection);
      const reads = metrics.map((metric) => blocksOf(TIME_METRICS[metric], selection));
      blocks.push(async () => {
        for (const read of reads) {
          for (const block of await read()) collector.addBlock(block, within === groups ? groups.groupOfCell : groupOf);
        }
      });
      visits.push((part) => {
        if (!groups.hasRows(part) || !within.hasRows(part)) return;
        const rows = within === groups ? groups.groupsOfRows(part) : bothOf(part, groups, within);
        for (const metric of metrics) collector.addRows(part.metrics.values(metric), rows);
      });
      return (group) => collector.take(group);
    },
    countValues(metric, groups, within) {
      const totals: number[] = [];
      const note = (group: number, n: number) => {
        totals[group] = (totals[group] ?? 0) + n;
      };
      const groupOf = (cell: number) => (within.groupOfCell(cell) < 0 ? -1 : groups.groupOfCell(cell));
      const read = blocksOf(TIME_METRICS[metric], inBoth(groups.selection, within.selection), true);
      blocks.push(async () => {
        for (const block of await read()) {
          visitValueCounts(
            block,
            (cell) => groupOf(cell) >= 0,
            (cell, n) => note(groups.groupOfCell(cell), n),
          );
        }
      });
      visits.push((part) => {
        if (!groups.hasRows(part) || !within.hasRows(part)) return;
        const rows = bothOf(part, groups, within);
        const values = part.metrics.values(metric);
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
    async run() {
      source.prepare?.(requests);
      for (const read of blocks) await read();
      if (visits.length === 0) return;
      for await (const part of source.parts()) for (const visit of visits) visit(part);
    },
  };
}

/** Some counters are divided by connection. */
function withConnection(selection: CellSelection): CellSelection {
  return { ...selection, dimensions: [...new Set([...selection.dimensions, 'connection' as const])] };
}

/** From a counter such as `clock:100`. */
function clockStepOf(counter: string): number | null {
  return counter.startsWith('clock:') ? Number(counter.slice(6)) : null;
}

function bothOf(part: RowPart, groups: QueryGroups, within: QueryGroups): Int32Array {
  const inside = within.groupsOfRows(part);
  return groups.groupsOfRows(part).map((group, row) => ((inside[row] as number) < 0 ? -1 : group));
}

function addCounts(block: Uint8Array, groups: QueryGroups, catalog: CellCatalog, totals: CounterTotals): void {
  const samples = totals.indexOf('samples');
  const usable = totals.indexOf('evidence:usable');
  const reusedUsable = totals.indexOf('reusedUsable');
  const indexOfString: number[] = [];
  visitCountBlock(
    block,
    (cell) => groups.groupOfCell(cell) >= 0,
    (cell, counter, by) => {
      let index = indexOfString[counter];
      if (index === undefined) {
        index = totals.indexOf(catalog.stringOf(counter) ?? '');
        indexOfString[counter] = index;
      }
      const group = groups.groupOfCell(cell);
      totals.raise(group, index, by);
      if (index !== samples && index !== usable) return;
      const connection = catalog.dimensionsOf(cell)?.connection;
      if (index === samples) totals.raise(group, totals.indexOf(`connection:${connection}`), by);
      else if (connection === 'reused') totals.raise(group, reusedUsable, by);
    },
  );
}

function addCountsOfRows(part: RowPart, groups: QueryGroups, totals: CounterTotals): void {
  const ofRow = groups.groupsOfRows(part);
  const { codes, names } = part.counters();
  const usable = part.metrics.usable();
  const { strings, codes: connections } = part.columns.text('connection');
  const reused = strings.indexOf('reused');
  // Few combinations of a group and its counters occur, so names are looked up once per combination.
  const kinds = new Map<number, number>();
  const width = strings.length * 2;
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
    for (const name of names[counters % names.length] ?? []) totals.raise(group, totals.indexOf(name), n);
    totals.raise(group, totals.indexOf(`connection:${strings[connection]}`), n);
    if (connection === reused && kind % 2 === 1) totals.raise(group, totals.indexOf('reusedUsable'), n);
  }
}
