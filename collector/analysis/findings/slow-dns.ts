import { CONNECTION } from '../../reductions/request-table.ts';
import { type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE } from './finding.ts';
import { findMedian } from './like-medians.ts';
import type { Waits } from './waits.ts';

/** A shorter one was answered by a cache of the browser or the machine. */
const MIN_LOOKUP_MS = 1;
/** A resolver in the same network answers within a few ms, one that has to ask others within 50; people notice 100. */
const MIN_SLOW_MS = 100;
/** Times the typical site's. */
const MIN_FACTOR = 3;
const MIN_LOOKUPS = 20;

/** A site whose lookups take long, whatever the name. */
export const findSlowDns: Detector = (waits) => {
  const { sites, left, timed, site, table } = waits;
  const lookups = sites.map(() => [] as number[]);
  for (const row of timed) {
    if (isLookup(waits, row) && (site[row] as number) >= 0) lookups[site[row] as number]?.push(left.dns[row] as number);
  }
  const medians = lookups.map((all) => (all.length < MIN_LOOKUPS ? Number.NaN : findMedian(Float64Array.from(all))));
  return sites.flatMap((name, place) => {
    const own = medians[place] as number;
    const usual = findMedian(Float64Array.from(medians.filter((ms, other) => other !== place && !Number.isNaN(ms))));
    if (Number.isNaN(usual) || !(own >= MIN_SLOW_MS) || own < MIN_FACTOR * usual) return [];
    const sums = new UnitSums();
    for (const row of timed) {
      if (site[row] === place && isLookup(waits, row))
        sums.add(table.browser[row] as number, (left.dns[row] as number) - usual);
    }
    return [
      {
        kind: 'slow_dns' as const,
        place: { ...ANYWHERE, site: name },
        phase: 'dns' as const,
        since: null,
        facts: { lookupMs: own, elsewhereMs: usual },
        affectedRequests: sums.affected,
        units: sums.units(),
        placeMs: sums.total,
        cure: () => cure(waits, place, usual),
      },
    ];
  });
};

function isLookup({ left, table }: Waits, row: number): boolean {
  return table.connection[row] === CONNECTION.new && (left.dns[row] as number) >= MIN_LOOKUP_MS;
}

/** Where the browser counts a lookup as blocked, that is where it is taken from. */
function cure(waits: Waits, place: number, usual: number): void {
  const { left, timed, site, table } = waits;
  for (const row of timed) {
    if (site[row] !== place || table.connection[row] !== CONNECTION.new) continue;
    const phase = isLookup(waits, row) ? 'dns' : 'blocked';
    const value = left[phase][row] as number;
    if (!(value > usual)) continue;
    left[phase][row] = usual;
    left.ttlb[row] = (left.ttlb[row] as number) - (value - usual);
  }
}
