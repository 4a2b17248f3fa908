import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import { type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE } from './finding.ts';
import { likeMedians, medianOf } from './like-medians.ts';

/** That much of each request is noticed by the one who uses it. */
const MIN_MS = 100;
/** Times the spread of the other browsers (Tukey's far fence). */
const FAR_FENCE = 3;
const MIN_ROWS = 30;
const MIN_HOSTS = 2;
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
  const medians = excess.map((own) => (own.length < MIN_ROWS ? Number.NaN : medianOf(Float64Array.from(own))));
  const known = Float64Array.from(medians.filter((ms) => !Number.isNaN(ms))).sort();
  if (known.length < 6) return [];
  const [q1, q3] = [
    known[Math.floor((known.length - 1) / 4)] as number,
    known[Math.floor((3 * (known.length - 1)) / 4)] as number,
  ];
  const fence = Math.max(MIN_MS, q3 + FAR_FENCE * (q3 - q1));
  return table.browsers.flatMap(({ client, site }, browser) => {
    if (!((medians[browser] as number) > fence)) return [];
    const own = rows[browser] as number[];
    if (new Set(own.map((row) => host[row])).size < MIN_HOSTS) return [];
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
