import { Type } from 'typebox';
import { whyNotCompared } from '../../shared/statistics/comparability.ts';
import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { ASKED_DIMENSIONS, isFewBrowsers } from '../../shared/vocabulary/dimensions.ts';
import {
  type AnswerOf,
  Count,
  each,
  MethodSchema,
  Milliseconds,
  object,
  orNull,
  pair,
  words,
} from '../analysis/answer-schema.ts';
import { type DistanceCell, divideDistances, type Effect, MIN_LINES } from '../analysis/sites/divide-distances.ts';
import { type BrowserValues, collectBrowserValues } from '../storage/passes/collect-browser-values.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { filters, RANGE } from './parameters.ts';
import { describeMethod, foldedCells, question } from './question.ts';
import { foldingReadings, foldSmallGroups } from './visibility/fold-small-groups.ts';
import { createVisibility, type ViewerRule } from './visibility/visibility.ts';

const BY = ['site', 'host', 'source'] as const;
/** Most sites, and most hosts: those with most values. Each draw divides a table of them. */
const MAX_LINES = 40;
/** Seeds the draws, so that an answer can be reproduced. */
const SEED = 1;

const EFFECT = {
  effect: Milliseconds,
  /** 95 %; null if it could not be drawn. */
  interval: orNull(pair),
  standsOut: Type.Boolean(),
};
const Answer = object({
  method: MethodSchema,
  /** Connect time at the median site for the median host; null if it was not divided. */
  overall: orNull(Milliseconds),
  /** Why not: there are fewer than 3 of them, so the unusual one cannot be told. */
  undivided: orNull(words(['few_sites', 'few_hosts'])),
  /** Largest effect first: what is added to the connect times of a site, whatever the host. */
  sites: Type.Array(object({ site: Type.String(), ...EFFECT })),
  /** Likewise for a host, whatever the site. */
  hosts: Type.Array(object({ host: Type.String(), ...EFFECT })),
  cells: Type.Array(
    object({
      site: Type.String(),
      host: Type.String(),
      median: Milliseconds,
      n: Count,
      /** Whose values they are: those of pages, or of probes where too few browsers opened connections in pages. */
      from: words(['pages', 'probes']),
      browsers: Count,
      /** What only this pair has, beyond its site's and its host's effect; null if nothing was divided. */
      pair: orNull(object(EFFECT)),
    }),
  ),
  /** Pairs with too few values to compare, of users as of probes; pairs beyond the 40 largest sites and hosts; values without a site. */
  leftOut: each(['tooFew', 'beyond', 'withoutSite'], Count),
});
/** `GET /api/v1/site-hosts`. */
export type SiteHostsDocument = AnswerOf<typeof Answer>;

export interface SiteHostsPlan extends Pick<StoreQuery, 'range' | 'filters'>, ViewerRule {}

/** Whether a long connect belongs to a site's line, to a host, or to the pair of them. Only samples know their browser. */
export const siteHosts = question({
  name: 'site-hosts',
  address: '/api/v1/site-hosts',
  description: 'Connect times of each site and host, divided into what the site, the host and the pair of them add.',
  parameters: { range: RANGE, filters: filters(ASKED_DIMENSIONS) },
  query: (given) => given,
  answer: Answer,
  takesLong: () => true,
  plan: ({ filters }, { range, rule }): SiteHostsPlan => ({ range, filters, ...rule }),
  asked: (plan) => ({ ...plan, by: ['site', 'host'] }),
  async read(source, plan) {
    const { range, filters, minGroupSize } = plan;
    const opened = await source.open(range, 'fine', 1 + foldingReadings(minGroupSize));
    const all = opened.reader();
    const folded = await foldSmallGroups(createVisibility(source, plan, range), all, { by: BY, filters });
    const pass = all.filtered(filters).pass();
    const groups = pass.groups(BY, filters, folded.folding);
    const collected = collectBrowserValues(pass, groups, 'tcp');
    await pass.run();
    const { measured, tooFew, withoutSite } = measuredOf([...collected().values()]);
    const largest = withinLargest(measured);
    all.checkpoint();
    const sites = new Set(largest.map(({ site }) => site));
    const divided = divideDistances(largest, seededRandom(SEED));
    return {
      ...(await describeMethod(opened, foldedCells(folded, minGroupSize), true)),
      overall: divided === null ? null : divided.overall / 1000,
      undivided: divided !== null ? null : sites.size < MIN_LINES ? ('few_sites' as const) : ('few_hosts' as const),
      sites: byEffect(divided?.sites).map(([site, effect]) => ({ site, ...effect })),
      hosts: byEffect(divided?.hosts).map(([host, effect]) => ({ host, ...effect })),
      cells: largest.map(({ site, host, values, n, browsers, from }, i) => {
        const found = divided?.pairs[i] ?? null;
        const median = values[quantileRank(0.5, values.length)] as number;
        return { site, host, median: median / 1000, n, from, browsers, pair: found && effectInMs(found) };
      }),
      leftOut: { tooFew, beyond: measured.length - largest.length, withoutSite },
    };
  },
});

interface Measured extends DistanceCell {
  /** Ascending. */
  readonly values: Float64Array;
  readonly n: number;
  readonly browsers: number;
  readonly from: 'pages' | 'probes';
}

/** Pages where enough browsers opened connections, otherwise probes. */
function measuredOf(groups: readonly BrowserValues[]) {
  const pairs = new Map<string, { site: string; host: string; pages: BrowserValues[]; probes: BrowserValues[] }>();
  let withoutSite = 0;
  for (const group of groups) {
    const { site, host, source } = group.key;
    if (group.values.length === 0 || isFewBrowsers(group.key)) continue;
    // Null for browsers that were given none.
    if (!site || !host) {
      withoutSite += group.values.length;
      continue;
    }
    const id = JSON.stringify([site, host]);
    const known = pairs.get(id) ?? { site, host, pages: [], probes: [] };
    pairs.set(id, known);
    known[source === 'page' ? 'pages' : 'probes'].push(group);
  }
  const measured = [...pairs.values()].flatMap(({ site, host, pages, probes }): Measured[] => {
    const users = mediansOfBrowsers(pages);
    if (whyNotCompared(users) === null) return [{ site, host, from: 'pages', ...users }];
    const probed = eachValue(probes);
    const chosen = { n: probed.n, browsers: null };
    return whyNotCompared(chosen) === null ? [{ site, host, from: 'probes', ...probed }] : [];
  });
  return { measured, tooFew: pairs.size - measured.length, withoutSite };
}

type Units = Pick<Measured, 'values' | 'units' | 'n' | 'browsers'>;

/** Each browser counts once, however often it connected. */
function mediansOfBrowsers(groups: readonly BrowserValues[]): Units {
  const byBrowser = new Map<string, number[]>();
  for (const { values, clients, names } of groups) {
    for (let i = 0; i < values.length; i++) {
      const name = names[clients.values[i] as number] ?? '';
      const own = byBrowser.get(name) ?? [];
      own.push(values.values[i] as number);
      byBrowser.set(name, own);
    }
  }
  const medians = [...byBrowser].map(([name, own]) => {
    const sorted = own.sort((a, b) => a - b);
    return [name, sorted[quantileRank(0.5, sorted.length)] as number] as const;
  });
  const n = groups.reduce((sum, { values }) => sum + values.length, 0);
  return { ...inOrder(medians), n, browsers: medians.length };
}

/** Few browsers run probes, so their values are the units. */
function eachValue(groups: readonly BrowserValues[]): Units {
  const browsers = new Set<string>();
  const named = groups.flatMap(({ values, clients, names }, group) =>
    Array.from(values.values.subarray(0, values.length), (value, i) => {
      browsers.add(names[clients.values[i] as number] ?? '');
      return [`probe ${group} ${i}`, value] as const;
    }),
  );
  return { ...inOrder(named), n: named.length, browsers: browsers.size };
}

function inOrder(named: readonly (readonly [string, number])[]): Pick<Units, 'values' | 'units'> {
  // Equal values are ordered by name: an answer must not depend on the order in which chunks were read.
  const sorted = [...named].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1));
  return { values: Float64Array.from(sorted, ([, value]) => value), units: sorted.map(([name]) => name) };
}

function withinLargest(measured: readonly Measured[]): Measured[] {
  const largest = (name: 'site' | 'host') => {
    const sizes = new Map<string, number>();
    for (const cell of measured) sizes.set(cell[name], (sizes.get(cell[name]) ?? 0) + cell.n);
    const order = [...sizes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return new Set(order.slice(0, MAX_LINES).map(([value]) => value));
  };
  const [sites, hosts] = [largest('site'), largest('host')];
  return measured
    .filter(({ site, host }) => sites.has(site) && hosts.has(host))
    .sort((a, b) => (a.site < b.site ? -1 : a.site > b.site ? 1 : a.host < b.host ? -1 : 1));
}

function byEffect(effects: ReadonlyMap<string, Effect> | undefined): [string, Effect][] {
  return [...(effects ?? [])]
    .map(([name, effect]): [string, Effect] => [name, effectInMs(effect)])
    .sort((a, b) => Math.abs(b[1].effect) - Math.abs(a[1].effect) || (a[0] < b[0] ? -1 : 1));
}

function effectInMs({ effect, interval, standsOut }: Effect): Effect {
  return {
    effect: effect / 1000,
    interval: interval && ([interval[0] / 1000, interval[1] / 1000] as const),
    standsOut,
  };
}
