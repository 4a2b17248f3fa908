import { expect, test } from 'vitest';
import { createFleetCounts, type FleetCounts } from '../../../collector/questions/fleet-counts.ts';
import type { StoredBrowser } from '../../../collector/storage/passes/reading-source.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { browserId } from '../../collector/fill-store.ts';
import { rounds } from '../../rounds.ts';

const BELOW = 5;
const FLEETS = rounds(20, 60);
const SITES = ['Berlin', 'Lyon', 'Porto', 'Rome'];
const STATES = ['collecting', 'degraded', null] as const;
const NONE = new Set<string>();
const REASONS = { dropped: new Set(['full']), rejected: NONE, lost: new Set(['flood']), ignored: NONE };
/** After it a browser doesn't count. */
const SINCE = 1000;

function fleetOf(random: () => number): StoredBrowser[] {
  const skew = 1 + 3 * random();
  const one = <T>(values: readonly T[]): T => values[Math.floor(values.length * random() ** skew)] as T;
  return Array.from({ length: 12 + Math.floor(50 * random()) }, (_, n) => {
    const state = one(STATES);
    const loss = (chance: number, reason: string) =>
      random() < chance ? { [reason]: 1 + Math.floor(9 * random()) } : {};
    return {
      client: browserId(n),
      site: one(SITES),
      browser: 'chromium',
      browserVersion: '128.0',
      extensionVersion: '1.0.0',
      firstAt: random() < 0.05 ? SINCE + 1 : 0,
      lastAt: 2000,
      clockCorrection: random() < 0.15 ? 60_000 : 0,
      status:
        state === null
          ? null
          : { state, waiting: 0, dropped: loss(0.3, 'full'), rejected: {}, lost: loss(0.6, 'flood') },
    };
  });
}

type Is = (browser: StoredBrowser) => boolean;

/** The browsers behind each number of an answer, by what it divides them by. No number stands for no browser. */
function numbersOf(
  fleet: readonly StoredBrowser[],
  asked: readonly string[],
  { browsers, states, clocksWrong, dropped, lost, sites }: FleetCounts,
): Record<string, (readonly [number, ReadonlySet<StoredBrowser>])[]> {
  const whole = fleet.filter(({ site }) => asked.length === 0 || asked.includes(site));
  const number = (shown: number | null, is: Is) =>
    shown === null ? [] : [[shown, new Set(whole.filter(is))] as const];
  const all = number(browsers, () => true);
  const ofSites = sites.flatMap((row) => number(row.browsers, ({ site }) => site === row.site));
  const ofStates = (['collecting', 'degraded', 'unknown'] as const).flatMap((state) =>
    number(states[state], ({ status }) => (status?.state ?? 'unknown') === state),
  );
  const degraded = sites.flatMap((row) =>
    number(row.degraded, ({ site, status }) => site === row.site && status?.state === 'degraded'),
  );
  return {
    sites: [...all, ...ofSites],
    states: [...all, ...ofStates],
    sitesAndStates: [...all, ...ofSites, ...ofStates, ...degraded],
    clocks: [...all, ...ofSites, ...number(clocksWrong, ({ clockCorrection }) => clockCorrection !== 0)],
    dropped: [...all, ...ofSites, ...dropped.flatMap((row) => number(row.browsers, hasTold('dropped', 'full')))],
    lost: [...all, ...ofSites, ...lost.flatMap((row) => number(row.browsers, hasTold('lost', 'flood')))],
  };
}

function hasTold(loss: 'dropped' | 'lost', reason: string): Is {
  return ({ status }) => status?.[loss][reason] !== undefined;
}

function isFew(browsers: Iterable<StoredBrowser>): boolean {
  const counted = [...browsers].filter(({ firstAt }) => firstAt <= SINCE).length;
  return counted > 0 && counted < BELOW;
}

test('no two answers about a fleet differ by a few browsers', () => {
  let [shown, compared] = [0, 0];
  for (let seed = 0; seed < FLEETS; seed++) {
    const random = seededRandom(seed);
    const fleet = fleetOf(random);
    const questions = Array.from({ length: 2 ** SITES.length }, (_, set) => SITES.filter((_, i) => (set >> i) & 1));
    const answers = questions.map((asked) => {
      const isAsked = (site: string) => asked.length === 0 || asked.includes(site);
      const byFilter = asked.length > 0;
      const counts = createFleetCounts({ isAsked, byFilter, minGroupSize: BELOW, freshSince: SINCE }, REASONS);
      for (const browser of fleet) counts.add(browser);
      return numbersOf(
        fleet,
        asked,
        counts.total(() => {}),
      );
    });
    for (const [one, ofOne] of answers.entries()) {
      for (const numbers of Object.values(ofOne)) {
        for (const [n, browsers] of numbers) {
          shown++;
          expect([seed, n]).toEqual([seed, browsers.size]);
          expect([seed, questions[one], isFew(browsers)]).toEqual([seed, questions[one], false]);
        }
      }
      for (const [other, ofOther] of answers.entries()) {
        for (const name of Object.keys(ofOne)) {
          for (const [, whole] of ofOne[name] ?? []) {
            // Each number within it by itself, and rows that share no browser together.
            const within = (ofOther[name] ?? []).filter(([, part]) => [...part].every((browser) => whole.has(browser)));
            const rows = within.filter(([n]) => n < whole.size).flatMap(([, part]) => [...part]);
            const subtracted = name === 'sites' || name === 'states' ? [rows] : [];
            for (const parts of [...within.map(([, part]) => [...part]), ...subtracted]) {
              compared++;
              const left = new Set(whole);
              for (const browser of parts) left.delete(browser);
              if (isFew(left)) expect.fail(JSON.stringify([seed, name, questions[one], questions[other]]));
            }
          }
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(1_600 * FLEETS);
  // Not because nothing is shown.
  expect(shown / (FLEETS * 2 ** SITES.length)).toBeGreaterThan(8);
});

test('over several months a fleet has the browsers of the month with most; what may be shown is decided by all ids', () => {
  const [january, february] = [Date.UTC(2026, 0, 20), Date.UTC(2026, 1, 3)];
  const countsOf = (fleet: readonly StoredBrowser[]) => {
    const counts = createFleetCounts(
      { isAsked: () => true, byFilter: false, minGroupSize: BELOW, freshSince: null },
      REASONS,
    );
    for (const browser of fleet) counts.add(browser);
    return counts.total(() => {});
  };
  const [one] = fleetOf(seededRandom(1)) as [StoredBrowser];
  const status = { state: 'collecting', waiting: 0, dropped: { full: 2 }, rejected: {}, lost: {} } as const;
  const heard = (n: number, lastAt: number) =>
    Array.from({ length: n }, (_, i) => ({
      ...one,
      client: browserId(i),
      site: 'Berlin',
      status,
      clockCorrection: 0,
      lastAt,
    }));
  const most = { browsers: 9, browsersMonth: '2026-01' };
  const both = countsOf([...heard(9, january), ...heard(7, february)]);
  expect(both).toMatchObject({ ...most, states: { collecting: 9 }, sites: [most], dropped: [{ ...most, count: 32 }] });
  const alone = countsOf(heard(9, january));
  expect([alone.browsers, 'browsersMonth' in alone]).toEqual([9, false]);
  // Four and three ids are seven, as before.
  expect(countsOf([...heard(4, january), ...heard(3, february)]).browsers).toBe(4);
});
