import type { Waits } from '../findings/waits.ts';
import { type Saving, type SavingOf, unknownSaving } from './saving.ts';

const Z_95 = 1.96;
/** With fewer browsers, their minutes are the units: those of different minutes are mostly of different page views. */
const MIN_BROWSERS = 10;
const MINUTE_MS = 60_000;
const MINUTES = 2 ** 27;

/** What varies independently of each other: browsers, or the minutes of a few browsers. */
export interface Units {
  readonly n: number;
  of(row: number): number;
}

export function unitsOf({ table, waited }: Waits): Units {
  const browserOf = (row: number) => table.browser[row] as number;
  const minuteOf = (row: number) => browserOf(row) * MINUTES + Math.floor((table.at[row] as number) / MINUTE_MS);
  const browsers = new Set<number>();
  for (const row of waited) browsers.add(browserOf(row));
  if (browsers.size >= MIN_BROWSERS) return { n: browsers.size, of: browserOf };
  const minutes = new Set<number>();
  for (const row of waited) minutes.add(minuteOf(row));
  return { n: minutes.size, of: minuteOf };
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
    let [sum, squares] = [0, 0];
    for (const ms of this.#sums.values()) {
      sum += ms;
      squares += ms * ms;
    }
    // Units without a saving count as 0. Variance of a sum of n independent units.
    const variance = n < 2 ? 0 : Math.max(0, (n * (squares - (sum * sum) / n)) / (n - 1));
    const error = t95(n - 1) * Math.sqrt(variance);
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

/** Two-sided 95 % point of Student's t (Abramowitz and Stegun 26.7.5). */
function t95(freedom: number): number {
  const z = Z_95;
  const n = Math.max(1, freedom);
  return z + (z ** 3 + z) / (4 * n) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * n * n);
}
