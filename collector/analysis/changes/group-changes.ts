import { MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import { type ComparedGroup, whyNotCompared } from '../../../shared/statistics/comparability.ts';
import { MIN_DAYS_PER_SIDE, type Step, stepsIn } from '../../../shared/statistics/lasting-steps.ts';
import { studentPoint95 } from '../../../shared/statistics/student-tail.ts';
import { dayName } from '../findings/waits.ts';
import { CHANGE_STATISTICS, type ChangeStatistic, type GroupChange } from './group-change.ts';
import { COARSE_CLOCK_MS, type GroupDays } from './like-days.ts';

/** Thousands of days are looked at. */
const MIN_T = 6;

/** Whether a group has enough days to be tested. */
export function isTestable({ sums }: GroupDays): boolean {
  return sums.mean.expected.filter((ms) => ms > 0).length >= 2 * MIN_DAYS_PER_SIDE;
}

/** All lasting changes of a group, by each statistic, in order of time. */
export function groupChanges(group: GroupDays): GroupChange[] {
  return CHANGE_STATISTICS.flatMap((statistic) => {
    const steps = stepsIn(group.sums[statistic]).filter(({ t }) => Math.abs(t) >= MIN_T);
    return steps.flatMap((step, i) => {
      const span = [
        steps[i - 1]?.day ?? Number.NEGATIVE_INFINITY,
        steps[i + 1]?.day ?? Number.POSITIVE_INFINITY,
      ] as const;
      return toChange(group, statistic, step, span) ?? [];
    });
  });
}

/** @param span days of the changes before and after it @returns null if it is too small, or of too few browsers */
function toChange(
  { key, sums, level, requests, browsers }: GroupDays,
  statistic: ChangeStatistic,
  { day, interval: [low, high], size, t, p }: Step,
  [from, to]: readonly [number, number],
): GroupChange | null {
  const { days, observed, expected } = sums[statistic];
  const within = (first: number, end: number) =>
    [...days.keys()].filter((i) => (days[i] as number) >= first && (days[i] as number) < end);
  const [earlier, later] = [within(from, day), within(day, to)];
  const count = (side: readonly number[]) => side.reduce((sum, i) => sum + (requests[i] as number), 0);
  const compared = (side: readonly number[]): ComparedGroup => ({
    n: count(side),
    browsers:
      browsers === null
        ? null
        : browsersOfMonth(side.map((i) => [days[i] as number, browsers[i] as ReadonlySet<string>])),
  });
  if (whyNotCompared(compared(earlier), compared(later)) !== null) return null;
  const total = (values: Float64Array) =>
    later.reduce((sum, i) => sum + ((expected[i] as number) > 0 ? (values[i] as number) : 0), 0);
  const after = (level[statistic] * total(observed)) / total(expected);
  const differenceAt = (log: number) => after - after * Math.exp(-log);
  const difference = differenceAt(size);
  const before = after - difference;
  if (Math.abs(difference) < Math.max(COARSE_CLOCK_MS, MIN_RELATIVE_CHANGE * before)) return null;
  const half = studentPoint95(earlier.length + later.length - 2) * Math.abs(size / t);
  return {
    ...key,
    statistic,
    since: dayName(day),
    sinceInterval: [dayName(low), dayName(high)],
    direction: difference > 0 ? 'slower' : 'faster',
    before,
    after,
    difference,
    interval: [differenceAt(size - half), differenceAt(size + half)],
    pValue: p,
    requests: count(later),
  };
}

/** Ids change on the first of a month, so browsers are counted in the month that has most of them. */
function browsersOfMonth(days: readonly (readonly [day: number, browsers: ReadonlySet<string>])[]): number {
  const months = new Map<string, Set<string>>();
  for (const [day, browsers] of days) {
    const month = dayName(day).slice(0, 7);
    const own = months.get(month) ?? new Set();
    months.set(month, own);
    for (const browser of browsers) own.add(browser);
  }
  return Math.max(0, ...[...months.values()].map(({ size }) => size));
}
