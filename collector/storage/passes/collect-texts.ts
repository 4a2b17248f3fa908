import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { calendarMonth } from '../../reductions/browser-count.ts';
import { canDivideBy } from '../../reductions/scenario-rows.ts';
import { dimensionColumn } from './dimension-column.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass, TakeValues } from './range-pass.ts';
import type { RowPart } from './row-part.ts';

type TextName = Parameters<SampleColumns['text']>[0];

export interface TextValue {
  readonly value: string;
  samples: number;
  /** Of each browser the month in which it was last seen, see `largestMonth`. */
  readonly months: Map<string, number>;
}

/** How many samples are in a group. Call the result once the pass has run. */
export function countSamples(pass: RangePass, groups: QueryGroups): () => number {
  return countRows(pass, groups, () => () => true);
}

/** How many samples of the groups have a value in at least one of the columns. Call the result once the pass has run. */
export function countWithText(pass: RangePass, groups: QueryGroups, names: readonly TextName[]): () => number {
  return countRows(pass, groups, ({ columns }) => {
    const filled = names
      .map((name) => columns.text(name))
      .flatMap(({ strings, codes }) => (strings.length > 0 ? [codes] : []));
    return (row) => filled.some((codes) => (codes[row] as number) >= 0);
  });
}

function countRows(
  pass: RangePass,
  groups: QueryGroups,
  wantedOf: (part: RowPart) => (row: number) => boolean,
): () => number {
  let total = 0;
  pass.rows((part) => {
    const isWanted = wantedOf(part);
    groups.groupsOfRows(part).forEach((group, row) => {
      if (group >= 0 && isWanted(row)) total++;
    });
  });
  return () => total;
}

/**
 * Samples and browsers of each value of a column, by index with its `tls` and `ttlb`, and `trips`: round trips of each handshake,
 * thousandths. Complete once the pass has run.
 */
export function collectTextValues(
  pass: RangePass,
  groups: QueryGroups,
  name: TextName,
): {
  readonly values: readonly TextValue[];
  readonly tls: TakeValues;
  readonly ttlb: TakeValues;
  readonly trips: TakeValues;
} {
  const values: TextValue[] = [];
  const indexes = new Map<string, number>();
  const known = new WeakMap<RowPart, Int32Array>();

  function indexOf(value: string): number {
    const index = indexes.get(value) ?? values.push({ value, samples: 0, months: new Map() }) - 1;
    indexes.set(value, index);
    return index;
  }

  /** Per row the index of its value, −1 if it has none. Values are counted the first time. */
  function indexesOf(part: RowPart): Int32Array {
    const before = known.get(part);
    if (before !== undefined) return before;
    const inside = groups.groupsOfRows(part);
    const { strings, codes } = part.columns.text(name);
    const indexOfEntry = strings.map(indexOf);
    const clients = dimensionColumn(part.columns, 'client');
    const at = part.columns.at();
    const found = new Int32Array(inside.length).fill(-1);
    for (let row = 0; row < inside.length; row++) {
      const code = codes[row] as number;
      if ((inside[row] as number) < 0 || code < 0) continue;
      const index = indexOfEntry[code] as number;
      found[row] = index;
      const value = values[index] as TextValue;
      value.samples++;
      const client = clients.strings[clients.codes[row] as number] ?? '';
      const month = calendarMonth(at[row] as number);
      if (month > (value.months.get(client) ?? -1)) value.months.set(client, month);
    }
    known.set(part, found);
    return found;
  }

  // Most chunks come from browsers that report no TLS: their times are not even decoded.
  const isFilled = (part: RowPart) => part.columns.text(name).strings.length > 0;
  const collect = (of: (part: RowPart) => Float64Array) =>
    pass.collectRows((part) => (isFilled(part) ? [of(part)] : []), indexesOf);
  return {
    values,
    tls: collect(({ metrics }) => metrics.values('tls')),
    ttlb: collect(({ metrics }) => metrics.values('ttlb')),
    trips: collect(handshakeTrips),
  };
}

/** TLS ÷ TCP within each new connection, thousandths; NaN where a round trip is too short to divide by. */
function handshakeTrips({ columns, metrics }: RowPart): Float64Array {
  const [tls, tcp, origin] = [metrics.values('tls'), metrics.values('tcp'), columns.origin()];
  return tls.map((time, row) => {
    const trip = tcp[row] as number;
    const { clockStep = null } = columns.origins[origin[row] as number] ?? {};
    return canDivideBy(trip, clockStep) ? Math.round((1000 * time) / trip) : Number.NaN;
  });
}

/** By group: samples, and the browsers that count. */
export type TextCells = Map<number, { samples: number; readonly clients: Set<string> }>;

/** The cells of each column by value. Complete once the pass has run. */
export function collectTextCells<N extends TextName>(
  pass: RangePass,
  groups: QueryGroups,
  names: readonly N[],
  counts: (client: string) => boolean,
): Readonly<Record<N, ReadonlyMap<string, TextCells>>> {
  const found = Object.fromEntries(names.map((name) => [name, new Map()])) as Record<N, Map<string, TextCells>>;
  pass.rows((part) => {
    const inside = groups.groupsOfRows(part);
    const clients = dimensionColumn(part.columns, 'client');
    const counted = clients.strings.map(counts);
    for (const name of names) {
      const { strings, codes } = part.columns.text(name);
      if (strings.length === 0) continue;
      const ofEntry = strings.map((value) => {
        const cells: TextCells = found[name].get(value) ?? new Map();
        found[name].set(value, cells);
        return cells;
      });
      for (let row = 0; row < inside.length; row++) {
        const group = inside[row] as number;
        const own = ofEntry[codes[row] as number];
        if (group < 0 || own === undefined) continue;
        const cell = own.get(group) ?? { samples: 0, clients: new Set() };
        own.set(group, cell);
        cell.samples++;
        const client = clients.codes[row] as number;
        if (counted[client] === true) cell.clients.add(clients.strings[client] as string);
      }
    }
  });
  return found;
}
