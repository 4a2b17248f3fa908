import type { StoredSample } from '../../../shared/sample/sample.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { dividableWait, ownRoundTrip } from './own-round-trip.ts';

/**
 * Median `tcp` per site and host: the round trip of each of its requests, those on reused connections included, which show none of
 * their own. Computed from new connections with a known server share, because rollups keep only those; nor do rollups know
 * which browser a request is from.
 */
export interface RoundTripIndex {
  add(sample: StoredSample): void;
  /** µs; null if the route has none. */
  lookUp(route: string | null): number | null;
}

/** Site and host; null if the browser has no site label: browsers without one have nothing in common. */
export function toRoute({ origin: { site }, host }: StoredSample): string | null {
  return site === '' ? null : `${site}\n${host}`;
}

export function createRoundTripIndex(): RoundTripIndex {
  const routes = new Map<string, number[]>();
  const medians = new Map<string, number>();
  return {
    add(sample) {
      const time = ownRoundTrip(sample);
      const route = toRoute(sample);
      if (time === null || route === null || dividableWait(sample) === null) return;
      medians.delete(route);
      const times = routes.get(route);
      if (times === undefined) routes.set(route, [time]);
      else times.push(time);
    },
    lookUp(route) {
      const times = route === null ? undefined : routes.get(route);
      if (route === null || times === undefined) return null;
      const median = medians.get(route) ?? (Float64Array.from(times).sort()[quantileRank(0.5, times.length)] as number);
      medians.set(route, median);
      return median;
    },
  };
}
