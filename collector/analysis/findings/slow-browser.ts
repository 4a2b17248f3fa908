import { binomialTail } from '../../../shared/statistics/binomial-tail.ts';
import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import { type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE } from './finding.ts';
import { findMedian, likeMedians } from './like-medians.ts';

/** That much of each request is noticed by the one who uses it. */
const MIN_MS = 100;
/** Times the spread of the other browsers (Tukey's far fence). */
const FAR_FENCE = 3;
const MIN_ROWS = 10;
const MIN_HOSTS = 2;
/** Minutes in which it was kept back: one of them may be the moment in which the machine woke up. */
const MIN_MINUTES = 3;
const MINUTE_MS = 60_000;

/** One browser that keeps every request back, whatever the host. */
export const findSlowBrowser: Detector = (waits) => {
  const { table, timed, left, stratum, host } = waits;
  const nowhere = new Int8Array(table.n).fill(-1);
  const likes = likeMedians(waits, timed, left.blocked, nowhere, 0);
  const excess = table.browsers.map(() => [] as number[]);
  const rows = table.browsers.map(() => [] as number[]);
  for (const row of timed) {
    const more = (left.blocked[row] as number) - (likes.like[stratum[row] as number] as number);
    if (Number.isNaN(more)) continue;
    excess[table.browser[row] as number]?.push(more);
    rows[table.browser[row] as number]?.push(row);
  }
  const medians = excess.map((own) => (own.length < MIN_ROWS ? Number.NaN : findMedian(Float64Array.from(own))));
  const known = Float64Array.from(medians.filter((ms) => !Number.isNaN(ms))).sort();
  if (known.length < 6) return [];
  const [q1, q3] = [
    known[Math.floor((known.length - 1) / 4)] as number,
    known[Math.floor((3 * (known.length - 1)) / 4)] as number,
  ];
  const fence = Math.max(MIN_MS, q3 + FAR_FENCE * (q3 - q1));
  let minutes: Minutes[] | null = null;
  return table.browsers.flatMap(({ client, site }, browser) => {
    if (!((medians[browser] as number) > fence)) return [];
    const own = rows[browser] as number[];
    if (new Set(own.map((row) => host[row])).size < MIN_HOSTS) return [];
    minutes ??= minutesBeyond(rows, excess, table.at, fence);
    const { beyond, all } = minutes[browser] as Minutes;
    if (beyond < MIN_MINUTES || 2 * beyond <= all) return [];
    const sums = new UnitSums();
    let placeMs = 0;
    for (const row of own) {
      placeMs += left.ttlb[row] as number;
      // Requests of one page view are not independent; those of different minutes are mostly of different ones.
      const minute = Math.floor((table.at[row] as number) / MINUTE_MS);
      sums.add(minute, (left.blocked[row] as number) - (likes.like[stratum[row] as number] as number));
    }
    return [
      {
        kind: 'slow_browser' as const,
        place: { ...ANYWHERE, site, client },
        phase: 'blocked' as const,
        since: null,
        facts: { blockedMs: medians[browser] as number },
        affectedRequests: own.length,
        units: sums.units(),
        p: chanceOf(minutes, browser),
        placeMs,
        cure() {
          // Whatever keeps it back may also slow down what it does on the network.
          const typical = Object.fromEntries(
            PHASES.map((phase) => [phase, likeMedians(waits, timed, left[phase], nowhere, 0).like]),
          );
          for (const row of own) {
            for (const phase of PHASES) {
              const usual = typical[phase]?.[stratum[row] as number] as number;
              const value = left[phase][row] as number;
              if (!(value > usual)) continue;
              left[phase][row] = usual;
              left.ttlb[row] = (left.ttlb[row] as number) - (value - usual);
            }
          }
        },
      },
    ];
  });
};

/** Minutes in which a browser asked for something, and those in which most of it was kept back. */
interface Minutes {
  readonly beyond: number;
  readonly all: number;
}

function minutesBeyond(
  rows: readonly (readonly number[])[],
  excess: readonly (readonly number[])[],
  at: Float64Array,
  fence: number,
): Minutes[] {
  return rows.map((own, browser) => {
    const byMinute = new Map<number, number[]>();
    for (const [i, row] of own.entries()) {
      const minute = Math.floor((at[row] as number) / MINUTE_MS);
      const more = (excess[browser] as readonly number[])[i] as number;
      const values = byMinute.get(minute);
      if (values === undefined) byMinute.set(minute, [more]);
      else values.push(more);
    }
    const beyond = [...byMinute.values()].filter((values) => findMedian(Float64Array.from(values)) > fence).length;
    return { beyond, all: byMinute.size };
  });
}

/** That as many of its minutes are beyond by chance, as often as this happens to the others. */
function chanceOf(minutes: readonly Minutes[], browser: number): number {
  const { beyond, all } = minutes[browser] as Minutes;
  const others = minutes.filter((_, other) => other !== browser);
  const sum = (of: (one: Minutes) => number) => others.reduce((total, one) => total + of(one), 0);
  // With one more of each, so that what never happened is not impossible.
  const usual = (sum((one) => one.beyond) + 1) / (sum((one) => one.all) + 2);
  return binomialTail(beyond, all, usual);
}
