import type { StoredSample } from '../../../shared/sample/sample.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { dividableWait, ownRoundTrip } from './own-round-trip.ts';

interface BorrowedRoundTrip {
  /** µs */
  readonly time: number;
  readonly from: 'browser' | 'site';
}

/** The two paths whose round trip a request may borrow. */
export interface Route {
  readonly browser: string;
  /** null if the browser has no site label: browsers without one have nothing in common. */
  readonly site: string | null;
}

/**
 * Median `tcp` per browser and host, and per site and host, for requests on reused connections, which show no round
 * trip of their own. Computed from new connections with a known server share, since rollups keep only those.
 */
export interface RoundTripIndex {
  add(sample: StoredSample): void;
  lookUp(route: Route): BorrowedRoundTrip | null;
}

export function toRoute(sample: StoredSample): Route {
  const { client, site } = sample.origin;
  return { browser: `${client}\n${sample.host}`, site: site === '' ? null : `${site}\n${sample.host}` };
}

export function createRoundTripIndex(): RoundTripIndex {
  const browsers = new Map<string, Entry>();
  const sites = new Map<string, Entry>();
  return {
    add(sample) {
      const time = ownRoundTrip(sample);
      if (time === null || dividableWait(sample) === null) return;
      const { browser, site } = toRoute(sample);
      note(browsers, browser, time);
      if (site !== null) note(sites, site, time);
    },
    lookUp({ browser, site }) {
      const own = browsers.get(browser);
      if (own) return { time: median(own), from: 'browser' };
      const shared = site === null ? undefined : sites.get(site);
      return shared ? { time: median(shared), from: 'site' } : null;
    },
  };
}

interface Entry {
  readonly times: number[];
  median: number | null;
}

function note(entries: Map<string, Entry>, key: string, time: number): void {
  const entry = entries.get(key);
  if (!entry) {
    entries.set(key, { times: [time], median: null });
    return;
  }
  entry.times.push(time);
  entry.median = null;
}

function median(entry: Entry): number {
  if (entry.median === null) {
    const sorted = Float64Array.from(entry.times).sort();
    entry.median = sorted[quantileRank(0.5, sorted.length)] as number;
  }
  return entry.median;
}
