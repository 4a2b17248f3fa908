import type { Detector } from './candidate.ts';
import { ANYWHERE } from './finding.ts';
import { likeMedians } from './like-medians.ts';
import { type SiteLikes, siteLikes, siteShift, typicalShift } from './site-shift.ts';

/**
 * Light in a fibre travels about 100 km and back per millisecond: 50 ms more is another continent, or a detour as long. A VPN
 * or a line at home adds 10 to 40.
 */
const MIN_SHIFT_MS = 50;

/** A site to which every round trip is long, whatever the host. */
export const findFarSite: Detector = (waits) => {
  const { timed, left, site, sites } = waits;
  const connects = likeMedians(waits, timed, left.tcp, site, sites.length);
  let likes: SiteLikes | null = null;
  return sites.flatMap((name, place) => {
    // Of most connections: a line that is full for some hours has a long average too.
    if (typicalShift(waits, connects, place) < MIN_SHIFT_MS) return [];
    likes ??= siteLikes(waits);
    const shift = siteShift(waits, likes, place);
    const { sums, connectMs, connectElsewhereMs, mean } = shift;
    // A long connect alone may be lost packets or a slow gateway: requests on open connections have to wait as well.
    if (connectMs < MIN_SHIFT_MS || mean.wait < MIN_SHIFT_MS / 2) return [];
    return [
      {
        kind: 'far_site' as const,
        place: { ...ANYWHERE, site: name },
        phase: 'tcp' as const,
        since: null,
        facts: { connectMs: connectMs + connectElsewhereMs, elsewhereMs: connectElsewhereMs },
        affectedRequests: sums.affected,
        units: sums.units(),
        placeMs: shift.placeMs,
        cure: shift.cure,
      },
    ];
  });
};
