import type { TimeRange } from '../../shared/summary/dimensions.ts';
import type { FleetCounts, FleetDocument, SeenBrowser } from '../../shared/summary/fleet-document.ts';
import type { StoredBrowser } from '../store/store.ts';
import type { Asker } from './asker.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { EVERYTHING, foldBelowFor } from './privacy.ts';

/** More than a page shows; what is beyond is counted in no total, and said. */
const MAX_BROWSERS = 20_000;
/** Named one by one at most, to admins. */
const MAX_NAMED = 2_000;

/** `from`, `to` and `site`. Throws a QueryError. */
export function parseFleetQuery(parameters: Parameters, now: number): { range: TimeRange; sites: readonly string[] } {
  const read = readParameters(parameters, ['from', 'to', 'site']);
  return { range: read.range(now), sites: read.filters(['site']).site ?? [] };
}

/** How the browsers that report are doing: counts for everybody, single browsers for admins. Throws a StoreError. */
export async function runFleet(
  { store, audience = EVERYTHING, signal, token }: Asker,
  { range, sites }: ReturnType<typeof parseFleetQuery>,
): Promise<FleetDocument> {
  const read = await store.fleet.browsers(range, MAX_BROWSERS);
  const all = read.filter(({ site }) => sites.length === 0 || sites.includes(site));
  const counts = countFleet(all, await foldBelowFor(store, audience, range, { signal, token }));
  return {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    truncated: read.length === MAX_BROWSERS,
    ...counts,
    named: audience.role === 'admin' ? all.slice(0, MAX_NAMED).map(seenBrowser) : null,
  };
}

/** Sums over browsers. Numbers of fewer browsers than `foldBelow` are null: nobody is told by them. */
function countFleet(browsers: readonly StoredBrowser[], foldBelow: number): FleetCounts {
  const shown = (count: number) => (count > 0 && count < foldBelow ? null : count);
  const withStatus = browsers.flatMap(({ status }) => (status === null ? [] : [status]));
  const clocks = browsers.filter(({ clockCorrection }) => clockCorrection !== 0);
  const sites = new Map<string, StoredBrowser[]>();
  for (const browser of browsers) sites.set(browser.site, [...(sites.get(browser.site) ?? []), browser]);
  return {
    browsers: browsers.length,
    states: {
      collecting: shown(withStatus.filter(({ state }) => state === 'collecting').length),
      degraded: shown(withStatus.filter(({ state }) => state === 'degraded').length),
      unknown: shown(browsers.length - withStatus.length),
    },
    clocksWrong: shown(clocks.length),
    dropped: summed(
      withStatus.map(({ dropped }) => dropped),
      foldBelow,
    ),
    rejected: summed(
      withStatus.map(({ rejected }) => rejected),
      foldBelow,
    ),
    lost: summed(
      withStatus.map(({ lost }) => lost),
      foldBelow,
    ),
    sites: [...sites]
      .filter(([, own]) => own.length >= foldBelow)
      .map(([site, own]) => ({
        site,
        browsers: own.length,
        degraded: shown(own.filter(({ status }) => status?.state === 'degraded').length),
        lastAt: new Date(Math.max(...own.map(({ lastAt }) => lastAt))).toISOString(),
      }))
      .sort((a, b) => b.browsers - a.browsers || (a.site < b.site ? -1 : 1)),
  };
}

/** By reason: how many, and of how many browsers. Reasons of too few browsers are left out. */
function summed(counts: readonly Readonly<Record<string, number>>[], foldBelow: number): FleetCounts['dropped'] {
  const sums = new Map<string, { count: number; browsers: number }>();
  for (const own of counts) {
    for (const [reason, count] of Object.entries(own)) {
      const sum = sums.get(reason) ?? { count: 0, browsers: 0 };
      sums.set(reason, { count: sum.count + count, browsers: sum.browsers + 1 });
    }
  }
  return [...sums]
    .filter(([, { browsers }]) => browsers >= foldBelow)
    .map(([reason, sum]) => ({ reason, ...sum }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

function seenBrowser({ firstAt, lastAt, status, ...browser }: StoredBrowser): SeenBrowser {
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);
  return {
    ...browser,
    firstAt: new Date(firstAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    state: status?.state ?? null,
    waiting: status?.waiting ?? null,
    dropped: status === null ? null : sum(status.dropped) + sum(status.rejected),
    lost: status === null ? null : sum(status.lost),
  };
}
