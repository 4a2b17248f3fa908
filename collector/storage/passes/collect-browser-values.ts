import type { CellKey } from '../../../shared/vocabulary/dimensions.ts';
import { type IntegerArray, WholeValues } from '../rollups/integer-list.ts';
import { type AskableTime, rowTimes } from './asked-times.ts';
import { groupId } from './cell-groups.ts';
import { dimensionColumn } from './dimension-column.ts';
import type { QueryGroups } from './query-groups.ts';
import { sortedCopy } from './radix-sort.ts';
import type { RangePass } from './range-pass.ts';

/** Every value of one time with the browser that measured it. */
export interface BrowserValues {
  readonly key: CellKey;
  /** µs. */
  readonly values: WholeValues;
  /** The same in ascending order. */
  sorted(): IntegerArray;
  /** The index of each value's browser in `names`. */
  readonly clients: WholeValues;
  /** Ids of the browsers of all groups, in order. */
  readonly names: readonly string[];
  /** The largest, µs. */
  readonly clockStep: number | null;
}

/** By `groupId`. Only samples know their browser. Call the result once the pass has run. */
export function collectBrowserValues(
  pass: RangePass,
  groups: QueryGroups,
  time: AskableTime,
): () => ReadonlyMap<string, BrowserValues> {
  const lists: { values: WholeValues; clients: WholeValues; clockStep: number | null }[] = [];
  const names: string[] = [];
  const places = new Map<string, number>();
  const placeOf = (client: string) => {
    const known = places.get(client) ?? names.push(client) - 1;
    places.set(client, known);
    return known;
  };
  pass.rows((part) => {
    if (!groups.hasRows(part)) return;
    const groupOf = groups.groupsOfRows(part);
    const { codes, strings: words } = dimensionColumn(part.columns, 'client');
    const own = Int32Array.from(words, placeOf);
    const origin = part.columns.origin();
    const clocks = part.columns.origins.map(({ clockStep }) => clockStep);
    for (const column of rowTimes(part, time)) {
      for (let row = 0; row < column.length; row++) {
        const value = column[row] as number;
        const group = groupOf[row] as number;
        if (group < 0 || Number.isNaN(value)) continue;
        while (lists.length <= group) {
          lists.push({ values: new WholeValues(), clients: new WholeValues(), clockStep: null });
        }
        const list = lists[group] as (typeof lists)[number];
        list.values.add(value);
        list.clients.add(own[codes[row] as number] as number);
        const step = clocks[origin[row] as number] as number;
        if (list.clockStep === null || step > list.clockStep) list.clockStep = step;
      }
    }
  });
  return () => {
    // Numbered in the order of their names, so that the order in which they were read does not matter.
    const order = names.map((_, place) => place).sort((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1));
    const rank = new Int32Array(names.length);
    order.forEach((place, at) => {
      rank[place] = at;
    });
    const sorted = order.map((place) => names[place] ?? '');
    for (const { clients } of lists) {
      for (let i = 0; i < clients.length; i++) clients.values[i] = rank[clients.values[i] as number] as number;
    }
    return new Map(
      groups.keys.map((key, group): [string, BrowserValues] => {
        const { values = new WholeValues(), clients = new WholeValues(), clockStep = null } = lists[group] ?? {};
        const inOrder = () => sortedCopy([values.values.subarray(0, values.length)]);
        return [groupId(Object.values(key)), { key, values, sorted: inOrder, clients, names: sorted, clockStep }];
      }),
    );
  };
}
