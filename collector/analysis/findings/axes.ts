import { groupRows } from '../../reductions/combine-codes.ts';
import type { RequestGroup, TableBrowser } from '../../reductions/request-table.ts';
import type { FindingPlace } from './finding.ts';
import type { Waits } from './waits.ts';

/** What requests may have in common, as one code per row; −1 where it is unknown. */
export interface Axis {
  readonly codes: Int32Array;
  readonly size: number;
  /** What a place with this code says. */
  place(code: number): Partial<FindingPlace>;
}

export const AXES = [
  'target',
  'host',
  'type',
  'path',
  'site',
  'client',
  'engine',
  'version',
  'protocol',
  'hour',
  'minutes',
  'weekHour',
  'idle',
  'day',
] as const;
export type AxisName = (typeof AXES)[number];
export interface Axes extends Readonly<Record<AxisName, Axis>> {
  /**
   * Cells of rows that are alike, from the same site, with the same codes on these axes. What is usual is the same for all of them, so
   * places are compared by the sums of cells, of which there are far fewer than rows.
   */
  cells(names: readonly AxisName[]): Cells;
}

export interface Cells {
  /** Per row. */
  readonly codes: Int32Array;
  /** Per cell, one of its rows. */
  readonly rows: Int32Array;
}
/** Rows of a cell always have these in common. */
const IN_ANY_CELL: ReadonlySet<AxisName> = new Set(['target', 'host', 'type', 'path', 'site']);

/** Ordered axes: places on them are runs of neighbouring codes. */
export const RUNS: ReadonlySet<AxisName> = new Set(['hour', 'minutes', 'weekHour', 'day']);
/** Minutes of a bin of the hour: jobs begin on the full five minutes. */
export const BIN_MINUTES = 5;
const MINUTE_MS = 60_000;
/** Where classes of idle time begin, ms. */
const IDLE_FROM = [0, 1000, 5000, 20_000, 60_000, 300_000];

export function createAxes(waits: Waits): Axes {
  const { table, hour, day, site, sites, host, hosts } = waits;
  const ofGroup = (read: (group: RequestGroup) => string, name: 'target' | 'type') =>
    named(table.group, table.groups.map(read), (value) => ({ [name]: value }));
  const ofBrowser = (read: (browser: TableBrowser) => string, place: (value: string) => Partial<FindingPlace>) =>
    named(table.browser, table.browsers.map(read), place);
  const axes: Omit<Axes, 'cells'> = {
    target: ofGroup(({ target }) => target, 'target'),
    type: ofGroup(({ type }) => type, 'type'),
    host: { codes: host, size: hosts.length, place: (code) => ({ host: hosts[code] as string }) },
    site: { codes: site, size: sites.length, place: (code) => ({ site: sites[code] as string }) },
    // Apps share files: a path is the same whatever app asks for it.
    path: named(
      table.group,
      table.groups.map(({ host: name, template, type }) => JSON.stringify({ host: name, template, type })),
      (value) => JSON.parse(value) as Pick<RequestGroup, 'host' | 'template' | 'type'>,
    ),
    client: ofBrowser(
      ({ client }) => client,
      (client) => ({ client }),
    ),
    engine: ofBrowser(
      ({ engine }) => engine,
      (engine) => ({ engine }),
    ),
    version: ofBrowser(
      ({ version }) => version,
      (engine) => ({ engine }),
    ),
    protocol: {
      codes: table.protocol,
      size: table.protocols.length,
      place: (code) => ({ protocol: table.protocols[code] as string }),
    },
    hour: { codes: Int32Array.from(hour), size: 24, place: () => ({}) },
    minutes: {
      codes: day.map((_, row) => Math.floor((((table.at[row] as number) / MINUTE_MS) % 60) / BIN_MINUTES)),
      size: 60 / BIN_MINUTES,
      place: () => ({}),
    },
    // Day 0 of the epoch was a Thursday; weeks begin on Mondays.
    weekHour: {
      codes: day.map((one, row) => ((one + 3) % 7) * 24 + (hour[row] as number)),
      size: 7 * 24,
      place: () => ({}),
    },
    day: daysAxis(day),
    idle: {
      // −1 if it is unknown (NaN).
      codes: day.map((_, row) => IDLE_FROM.filter((from) => (table.idle[row] as number) >= from).length - 1),
      size: IDLE_FROM.length,
      place: () => ({}),
    },
  };
  const known = new Map<string, Cells>();
  const alike = { codes: waits.stratum, size: waits.strata };
  return {
    ...axes,
    cells(names) {
      const apart = names.filter((name) => !IN_ANY_CELL.has(name));
      const id = apart.join();
      const cells = known.get(id);
      if (cells !== undefined) return cells;
      const { codes, first } = groupRows(table.n, [alike, axes.site, ...apart.map((name) => axes[name])]);
      known.set(id, { codes, rows: new Int32Array(first) });
      return this.cells(names);
    },
  };
}

/** Values by name, each once. */
function named(codes: Int32Array, values: readonly string[], place: (value: string) => Partial<FindingPlace>): Axis {
  const names = [...new Set(values)].sort();
  const indexes = new Map(names.map((name, index) => [name, index]));
  const byCode = values.map((value) => indexes.get(value) as number);
  return {
    codes: codes.map((code) => byCode[code] as number),
    size: names.length,
    place: (code) => place(names[code] as string),
  };
}

function daysAxis(day: Int32Array): Axis {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const one of day) {
    first = Math.min(first, one);
    last = Math.max(last, one);
  }
  return { codes: day.map((one) => one - first), size: Math.max(0, last - first + 1), place: () => ({}) };
}

/** Places by several axes at once, as one code. */
export interface CombinedAxes {
  readonly size: number;
  /** −1 if any of them is unknown. */
  codeAt(row: number): number;
  /** The code on each axis. */
  split(code: number): ReadonlyMap<AxisName, number>;
}

export function combineAxes(axes: Axes, names: readonly AxisName[]): CombinedAxes {
  const own = names.map((name) => axes[name]);
  return {
    size: own.reduce((product, { size }) => product * size, 1),
    codeAt(row) {
      let code = 0;
      for (const { codes, size } of own) {
        const one = codes[row] as number;
        if (one < 0) return -1;
        code = code * size + one;
      }
      return code;
    },
    split(code) {
      let rest = code;
      const found = new Map<AxisName, number>();
      for (const name of [...names].reverse()) {
        found.set(name, rest % axes[name].size);
        rest = Math.floor(rest / axes[name].size);
      }
      return found;
    },
  };
}
