import { studentPoint95 } from '../../../shared/statistics/student-tail.ts';
import type { Waits } from '../findings/waits.ts';
import { type Saving, type SavingOf, unknownSaving } from './saving.ts';

/** With fewer browsers, their page views are the units. */
const MIN_BROWSERS = 10;
/** A browser that has asked for nothing for so long has finished its page. */
const VIEW_GAP_MS = 1000;

/** What varies independently of each other: browsers, or the page views of a few browsers. */
export interface Units {
  readonly n: number;
  of(row: number): number;
}

export function toUnits({ table, waited }: Waits): Units {
  const browsers = new Set<number>();
  for (const row of waited) browsers.add(table.browser[row] as number);
  if (browsers.size >= MIN_BROWSERS) return { n: browsers.size, of: (row) => table.browser[row] as number };
  const inOrder = waited
    .slice()
    .sort((a, b) => browserOf(a) - browserOf(b) || (table.at[a] as number) - (table.at[b] as number));
  const views = new Int32Array(table.n);
  let [view, browser, endedAt] = [-1, -1, Number.NEGATIVE_INFINITY];
  for (const row of inOrder) {
    const at = table.at[row] as number;
    if (browserOf(row) !== browser || at - endedAt > VIEW_GAP_MS) {
      view++;
      endedAt = Number.NEGATIVE_INFINITY;
    }
    browser = browserOf(row);
    endedAt = Math.max(endedAt, at + (table.times.ttlb[row] as number));
    views[row] = view;
  }
  return { n: view + 1, of: (row) => views[row] as number };

  function browserOf(row: number): number {
    return table.browser[row] as number;
  }
}

/** Adds up what a remedy would save. */
export class SavedTime {
  readonly #waits: Waits;
  readonly #units: Units;
  readonly #sums = new Map<number, number>();
  readonly #browsers = new Set<number>();
  #affected = 0;
  #low = 0;
  #high = 0;

  constructor(waits: Waits, units: Units) {
    this.#waits = waits;
    this.#units = units;
  }

  /** @param unsure by how much the assumption behind it may be wrong, less and more */
  add(row: number, ms: number, unsure: readonly [less: number, more: number] = [0, 0]): void {
    const unit = this.#units.of(row);
    this.#sums.set(unit, (this.#sums.get(unit) ?? 0) + ms);
    this.#browsers.add(this.#waits.table.browser[row] as number);
    this.#affected++;
    this.#low += unsure[0];
    this.#high += unsure[1];
  }

  /** @param minBrowsers fewer affected browsers are not told of */
  saving(of: SavingOf, minBrowsers: number): Saving {
    if (this.#browsers.size > 0 && this.#browsers.size < minBrowsers) return unknownSaving(of, 'too_few_browsers');
    const { n } = this.#units;
    // Of a single one it is not known how much others would differ.
    if (n < 2) return unknownSaving(of, 'too_few_requests');
    let [sum, squares] = [0, 0];
    for (const ms of this.#sums.values()) {
      sum += ms;
      squares += ms * ms;
    }
    // Units without a saving count as 0. Variance of a sum of n independent units.
    const variance = Math.max(0, (n * (squares - (sum * sum) / n)) / (n - 1));
    const error = studentPoint95(n - 1) * Math.sqrt(variance);
    return {
      ...{ seconds: null, site: null, nearSite: null, facts: {} },
      ...of,
      reason: null,
      affectedRequests: this.#affected,
      savedMs: sum,
      savedInterval: [sum - error - this.#low, sum + error + this.#high],
      savedShare: this.#waits.totalMs === 0 ? 0 : sum / this.#waits.totalMs,
      perRequestMs: this.#affected === 0 ? 0 : sum / this.#affected,
    };
  }
}
