import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { slowThreshold } from '../../../shared/statistics/slow-threshold.ts';
import { findMedian } from '../findings/like-medians.ts';
import type { Waits } from '../findings/waits.ts';
import { SavedTime, type Units } from './saved-time.ts';
import { MIN_REQUESTS, type Saving, unknownSaving } from './saving.ts';
import { rowSetUp } from './set-up-times.ts';

/** Chromium's; a coarser clock moves the threshold by less than its own step. */
const CLOCK_STEP_US = 100;
/** Fewer requests have no median worth taking. */
const MIN_REST = 5;
const REMEDY = { remedy: 'slow_group' } as const;

/** If the slow requests took what the rest of their like take. Set-up is left as it is, as in the division of the gap. */
export function predictSlowGroup(waits: Waits, units: Units, minBrowsers: number): Saving {
  const { timed, stratum, strata, left } = waits;
  if (timed.length < MIN_REQUESTS) return unknownSaving(REMEDY, 'too_few_requests');
  const without = Float64Array.from(timed, (row) => Math.max(0, (left.ttlb[row] as number) - rowSetUp(waits, row)));
  const threshold = slowThreshold(exactDistribution(without.map((ms) => Math.round(1000 * ms))), CLOCK_STEP_US);
  const from = threshold === null ? Number.POSITIVE_INFINITY : threshold.from / 1000;
  const rest = Array.from({ length: strata }, (): number[] => []);
  const all: number[] = [];
  timed.forEach((row, i) => {
    const ms = without[i] as number;
    if (ms >= from) return;
    rest[stratum[row] as number]?.push(ms);
    all.push(ms);
  });
  const ofAll = findMedian(Float64Array.from(all));
  const medians = new Map<number, number>();
  const usual = (one: number) => {
    const known = medians.get(one);
    if (known !== undefined) return known;
    const own = rest[one] ?? [];
    const median = own.length < MIN_REST ? ofAll : findMedian(Float64Array.from(own));
    medians.set(one, median);
    return median;
  };
  const saved = new SavedTime(waits, units);
  let slow = 0;
  timed.forEach((row, i) => {
    const ms = without[i] as number;
    if (ms < from) return;
    slow++;
    saved.add(row, ms - usual(stratum[row] as number));
  });
  const facts = { slowShare: slow / timed.length, ...(slow === 0 ? {} : { fromMs: from }) };
  return saved.saving({ ...REMEDY, facts }, minBrowsers);
}
