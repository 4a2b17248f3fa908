import { CONNECTION } from '../../reductions/request-table.ts';
import { type LikeMedians, likeMedians } from '../findings/like-medians.ts';
import type { Waits } from '../findings/waits.ts';
import { SavedTime, type Units } from './saved-time.ts';
import { MIN_REQUESTS, type Saving, unknownSaving } from './saving.ts';

/** What depends on the distance. Lookups go to a resolver, and `blocked` is the browser's own. */
const PHASES = ['tcp', 'tls', 'wait', 'receive'] as const;
const REMEDY = { remedy: 'nearer_site' } as const;

/** Users of each site, if they were as far from the hosts as those of the nearest site. */
export function predictNearerSite(
  waits: Waits,
  units: Units,
  minBrowsers: number,
  isShown: (site: string) => boolean,
): Saving[] {
  const { timed, left, site, sites, table } = waits;
  const likes = Object.fromEntries(
    PHASES.map((phase) => [phase, likeMedians(waits, timed, left[phase], site, sites.length)]),
  ) as unknown as Readonly<Record<(typeof PHASES)[number], LikeMedians>>;
  const connects = new Int32Array(sites.length);
  const beyond = new Float64Array(sites.length);
  for (const row of timed) {
    const place = site[row] as number;
    if (place < 0 || table.connection[row] !== CONNECTION.new) continue;
    const one = waits.stratum[row] as number;
    const shift = likes.tcp.at(one, place) - (likes.tcp.like[one] as number);
    if (Number.isNaN(shift)) continue;
    connects[place] = (connects[place] as number) + 1;
    beyond[place] = (beyond[place] as number) + shift;
  }
  const distance = (place: number) => (beyond[place] as number) / (connects[place] as number);
  const places = sites
    .map((_, place) => place)
    .filter((place) => (connects[place] as number) >= MIN_REQUESTS && isShown(sites[place] as string))
    .sort((a, b) => distance(a) - distance(b));
  const [nearest, ...others] = places;
  if (nearest === undefined || others.length === 0) return [unknownSaving(REMEDY, 'few_sites')];
  const saved = new Map(others.map((place) => [place, new SavedTime(waits, units)]));
  for (const row of timed) {
    const place = site[row] as number;
    const own = saved.get(place);
    if (own === undefined) continue;
    const one = waits.stratum[row] as number;
    let ms = 0;
    for (const phase of PHASES) {
      if (Number.isNaN(left[phase][row] as number)) continue;
      const shift = likes[phase].at(one, place) - likes[phase].at(one, nearest);
      if (!Number.isNaN(shift)) ms += shift;
    }
    if (ms !== 0) own.add(row, ms);
  }
  return others
    .map((place) => {
      const named = { site: sites[place] as string, nearSite: sites[nearest] as string };
      const facts = { fartherMs: distance(place) - distance(nearest) };
      return (saved.get(place) as SavedTime).saving({ ...REMEDY, ...named, facts }, minBrowsers);
    })
    .sort((a, b) => (b.savedMs ?? 0) - (a.savedMs ?? 0));
}
