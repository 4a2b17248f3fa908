import { expect, test } from 'vitest';
import { type DistanceCell, divideDistances } from '../../../collector/analysis/sites/divide-distances.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { rounds } from '../../rounds.ts';

const SITES = ['Berlin', 'Lyon', 'Porto', 'Oslo', 'Graz'];
const HOSTS = ['a.example', 'b.example', 'c.example', 'd.example'];
const BROWSERS = 14;

interface Planted {
  readonly site?: Readonly<Record<string, number>>;
  readonly host?: Readonly<Record<string, number>>;
  /** `site host`. */
  readonly pair?: Readonly<Record<string, number>>;
  /** Spread of the browsers' own parts, ms: each is the same to all hosts. */
  readonly spread?: number;
}

/** 20 ms, what is planted, each browser's own part, and 1 ms of chance. */
function fleet(seed: number, { site = {}, host = {}, pair = {}, spread = 3 }: Planted): DistanceCell[] {
  const random = seededRandom(seed);
  return SITES.flatMap((where) => {
    const own = Array.from({ length: BROWSERS }, () => spread * (random() - 0.5));
    return HOSTS.map((to) => ({
      site: where,
      host: to,
      values: own.map(
        (part) => 1000 * (20 + part + random() + (site[where] ?? 0) + (host[to] ?? 0) + (pair[`${where} ${to}`] ?? 0)),
      ),
      units: own.map((_, i) => `browser ${i}`),
    }));
  });
}

function standingOut(seed: number, planted: Planted): string[] {
  const cells = fleet(seed, planted);
  const divided = divideDistances(cells, seededRandom(seed + 1));
  if (divided === null) throw new Error('not divided');
  const names = (effects: ReadonlyMap<string, { readonly standsOut: boolean }>) =>
    [...effects].flatMap(([name, { standsOut }]) => (standsOut ? [name] : []));
  return [
    ...names(divided.sites),
    ...names(divided.hosts),
    ...divided.pairs.flatMap(({ standsOut }, i) => (standsOut ? [`${cells[i]?.site} ${cells[i]?.host}`] : [])),
  ];
}

test.each<[string, Planted, string[]]>([
  ['a site far from everything', { site: { Oslo: 90 } }, ['Oslo']],
  ['a host far from everyone', { host: { 'c.example': 60 } }, ['c.example']],
  ['a pair with a detour', { pair: { 'Graz b.example': 70 } }, ['Graz b.example']],
  [
    'all three at once',
    { site: { Oslo: 90 }, host: { 'a.example': 40 }, pair: { 'Lyon d.example': 55 } },
    ['Oslo', 'a.example', 'Lyon d.example'],
  ],
  ['a site nearer than the others', { site: { Berlin: -15 } }, ['Berlin']],
  ['nothing', {}, []],
  ['less than is of use', { site: { Oslo: 4 } }, []],
])('%s', (_, planted, expected) => {
  for (let seed = 1; seed <= rounds(2, 5); seed++) expect(standingOut(seed, planted)).toEqual(expected);
});

test('the parts of each median add up, and an interval contains what was planted', () => {
  let contained = 0;
  const seeds = rounds(8, 40);
  for (let seed = 0; seed < seeds; seed++) {
    const divided = divideDistances(fleet(seed, { site: { Oslo: 90 }, spread: 20 }), seededRandom(seed + 1));
    const [low, high] = divided?.sites.get('Oslo')?.interval ?? [0, 0];
    if (low <= 90_000 && high >= 90_000) contained++;
    fleet(seed, {}).forEach(({ site, host }, i) => {
      const { median = 0, effect = 0 } = divided?.pairs[i] ?? {};
      const sum = (divided?.overall ?? 0) + (divided?.sites.get(site)?.effect ?? 0) + effect;
      expect(sum + (divided?.hosts.get(host)?.effect ?? 0)).toBeCloseTo(median, 6);
    });
  }
  // 95 % of 40 are 38; a right one has fewer than 34 once in 150 times.
  expect(contained).toBeGreaterThanOrEqual(Math.floor(0.85 * seeds));
});

test('browsers are drawn, not pairs of browser and host: what a slow browser has in common is not taken for chance', () => {
  const cells = fleet(7, { spread: 60 });
  const together = divideDistances(cells, seededRandom(1));
  const apart = divideDistances(
    cells.map((cell) => ({ ...cell, units: cell.units.map((unit) => `${cell.host} ${unit}`) })),
    seededRandom(1),
  );
  const width = (divided: typeof together) => {
    const [low, high] = divided?.hosts.get('b.example')?.interval ?? [0, 0];
    return high - low;
  };
  // The same browsers go to all hosts, so a host's own part is known far better.
  expect(width(together)).toBeLessThan(width(apart) / 3);
});

test('where browsers differ widely, sites differ by chance, and seldom stand out', () => {
  const seeds = Array.from({ length: rounds(6, 30) }, (_, seed) => seed);
  const found = seeds.flatMap((seed) => standingOut(seed, { spread: 200 }));
  // Of 5 effects of sites each; about a third are large enough.
  expect(found.filter((name) => SITES.includes(name)).length).toBeLessThanOrEqual(0.25 * seeds.length);
});

test('two sites cannot be told apart, nor two hosts', () => {
  const cells = fleet(1, {});
  const of = (sites: number, hosts: number) =>
    cells.filter(({ site, host }) => SITES.indexOf(site) < sites && HOSTS.indexOf(host) < hosts);
  expect(divideDistances(of(2, 4), seededRandom(1))).toBeNull();
  expect(divideDistances(of(5, 2), seededRandom(1))).toBeNull();
  expect(divideDistances(of(3, 3), seededRandom(1))).not.toBeNull();
  expect(divideDistances([], seededRandom(1))).toBeNull();
});
