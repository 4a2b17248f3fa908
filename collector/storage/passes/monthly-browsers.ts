import { type BrowserCount, calendarMonth, calendarMonthStart, mostInMonth } from '../../reductions/browser-count.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { type BrowserCollector, numberClients } from './browser-sets.ts';
import type { DimensionColumn } from './dimension-column.ts';

const BITS = 32;
const NO_MONTH = -1;

export interface MonthlyBrowsers extends BrowserCollector {
  of(group: number): BrowserCount;
}

/**
 * The browsers of each group, in the month that has most of them. An id belongs to the month in which it was last seen: what
 * a browser could not send before the first is delivered under its new id.
 */
export function createMonthlyBrowsers({ clients }: Pick<CellCatalog, 'clients'>): MonthlyBrowsers {
  const indices = numberClients(clients, null);
  /** One bit per browser. */
  const sets: Uint32Array[] = [];
  /** Of each browser, by index. */
  const months: number[] = [];

  function add(group: number, index: number): void {
    const word = Math.floor(index / BITS);
    while (sets.length <= group) sets.push(new Uint32Array(1));
    let set = sets[group] as Uint32Array;
    if (word >= set.length) {
      const grown = new Uint32Array(Math.max(word + 1, set.length * 2));
      grown.set(set);
      set = grown;
      sets[group] = set;
    }
    set[word] = (set[word] as number) | (1 << (index % BITS));
  }

  function seenIn(month: number, index: number): void {
    if (month > (months[index] ?? NO_MONTH)) months[index] = month;
  }

  return {
    addClient(group, client, month) {
      const index = indices.ofNumber(client);
      add(group, index);
      seenIn(month, index);
    },
    addRows(rows, groups, at) {
      indices.eachOfRows(rows, groups, add);
      const last = lastMonths(rows, groups, at());
      last.forEach((month, code) => {
        if (month !== NO_MONTH) seenIn(month, indices.ofText(rows.strings[code] ?? ''));
      });
    },
    of: (group) => mostInMonth(countMonths(sets[group] ?? new Uint32Array(0), months)),
  };
}

/** Of each client of these rows, by code; NO_MONTH if none of its rows is in a group. */
function lastMonths({ codes, strings }: DimensionColumn, groups: Int32Array, at: ArrayLike<number>): Int32Array {
  const last = new Int32Array(strings.length).fill(NO_MONTH);
  let month = NO_MONTH;
  let from = 0;
  let to = 0;
  for (let row = 0; row < groups.length; row++) {
    const code = codes[row] as number;
    if ((groups[row] as number) < 0 || code < 0) continue;
    const time = at[row] as number;
    if (time < from || time >= to) {
      month = calendarMonth(time);
      from = calendarMonthStart(month);
      to = calendarMonthStart(month + 1);
    }
    if (month > (last[code] as number)) last[code] = month;
  }
  return last;
}

/** Every cell of a summary counts its browsers, and most ranges lie within a month: neighbours are counted together. */
function countMonths(set: Uint32Array, months: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  let month = NO_MONTH;
  let n = 0;
  for (let word = 0; word < set.length; word++) {
    for (let bits = set[word] as number; bits !== 0; bits &= bits - 1) {
      const own = months[word * BITS + (BITS - 1 - Math.clz32(bits & -bits))] as number;
      if (own !== month) {
        if (n > 0) counts.set(month, (counts.get(month) ?? 0) + n);
        month = own;
        n = 0;
      }
      n++;
    }
  }
  if (n > 0) counts.set(month, (counts.get(month) ?? 0) + n);
  return counts;
}
