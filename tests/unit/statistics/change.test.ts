import { describe, expect, test } from 'vitest';
import type { Observation } from '../../../shared/statistics/bootstrap.ts';
import { compareGroups } from '../../../shared/statistics/change.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { rounds } from '../../rounds.ts';
import { normal } from './seeded-distributions.ts';

const CLOCK_STEP = 100;

const change = (...groups: Parameters<typeof compareGroups>) => compareGroups(...groups).change;

/** Browsers differ from each other (`between`) more than one browser's own requests do. */
function fleet(seed: number, browsers: number, median: number, between = 0.3): Observation[] {
  const random = seededRandom(seed);
  return Array.from({ length: browsers }, (_, b) => {
    const own = median * Math.exp(between * normal(random));
    return Array.from({ length: 40 }, () => ({
      value: Math.round(own * Math.exp(0.1 * normal(random))),
      browser: `browser-${b}`,
    }));
  }).flat();
}

test('twice as slow is found, with an interval around the difference', () => {
  const found = change(fleet(1, 30, 80_000), fleet(2, 30, 160_000), CLOCK_STEP, seededRandom(5));
  expect(found).toMatchObject({ changed: true, over: 'browsers', because: null });
  expect(found?.interval[0]).toBeGreaterThan(0);
  expect(found?.interval[0]).toBeLessThanOrEqual(found?.difference ?? 0);
  expect(found?.interval[1]).toBeGreaterThanOrEqual(found?.difference ?? 0);
});

test('the same seed gives the same interval', () => {
  const again = () => change(fleet(1, 10, 80_000), fleet(2, 10, 90_000), CLOCK_STEP, seededRandom(5));
  expect(again()).toEqual(again());
});

test('where nothing changed, drawing browsers cries wolf seldom and drawing samples often', () => {
  let byBrowser = 0;
  let bySample = 0;
  const pairs = rounds(10, 60);
  for (let seed = 0; seed < pairs; seed++) {
    const before = fleet(2 * seed, 12, 80_000);
    const after = fleet(2 * seed + 1, 12, 80_000);
    const anonymous = (group: Observation[]) => group.map(({ value }) => ({ value, browser: null }));
    const outside = (found: ReturnType<typeof change>) =>
      found !== null && (found.interval[0] > 0 || found.interval[1] < 0);
    if (outside(change(before, after, CLOCK_STEP, seededRandom(seed)))) byBrowser++;
    if (outside(change(anonymous(before), anonymous(after), CLOCK_STEP, seededRandom(seed)))) bySample++;
  }
  expect(byBrowser).toBeLessThanOrEqual(0.15 * pairs);
  expect(bySample).toBeGreaterThan(0.4 * pairs);
});

describe('the same browsers before and after', () => {
  /** Browsers far apart from each other, each `factor` slower than before. */
  function pair(seed: number, factor: number): [Observation[], Observation[]] {
    const before = fleet(seed, 20, 80_000, 0.8);
    const random = seededRandom(seed + 1000);
    const after = before.map(({ value, browser }) => ({
      value: Math.round(value * factor * Math.exp(0.1 * normal(random))),
      browser,
    }));
    return [before, after];
  }

  test('are drawn once for both, so that what differs between them cancels', () => {
    let [found, wolf] = [0, 0];
    const pairs = rounds(6, 30);
    for (let seed = 0; seed < pairs; seed++) {
      const [before, after] = pair(seed, 1.2);
      const changed = change(before, after, CLOCK_STEP, seededRandom(seed));
      expect(changed).toMatchObject({ over: 'browsers', sharedBrowsers: 20 });
      if (changed?.changed) found++;
      const [same, again] = pair(seed, 1);
      if (change(same, again, CLOCK_STEP, seededRandom(seed))?.changed) wolf++;
    }
    expect(found).toBeGreaterThanOrEqual((2 / 3) * pairs);
    expect(wolf).toBeLessThanOrEqual(0.1 * pairs);
  });

  test('browsers of one group only are drawn beside them', () => {
    const [before, after] = pair(7, 1.2);
    const newcomers = fleet(8, 6, 90_000).map(({ value, browser }) => ({ value, browser: `new-${browser}` }));
    expect(change(before, [...after, ...newcomers], CLOCK_STEP, seededRandom(1))?.sharedBrowsers).toBe(20);
    expect(change(before, newcomers, CLOCK_STEP, seededRandom(1))?.sharedBrowsers).toBe(0);
  });
});

test('the interval leaves 2.5 % of the draws on either side', () => {
  // Normal values in groups of 400 anonymous samples: the standard error of a median is 1.2533 σ / √n.
  const random = seededRandom(11);
  const draw = () =>
    Array.from({ length: 400 }, () => ({ value: Math.round(100_000 + 10_000 * normal(random)), browser: null }));
  let width = 0;
  for (let seed = 0; seed < 12; seed++) {
    const [low, high] = change(draw(), draw(), CLOCK_STEP, seededRandom(seed))?.interval ?? [0, 0];
    width += (high - low) / 12;
  }
  const error = (1.2533 * 10_000 * Math.SQRT2) / Math.sqrt(400);
  expect(width / (2 * 1.96 * error)).toBeGreaterThan(0.9);
  expect(width / (2 * 1.96 * error)).toBeLessThan(1.15);
});

describe('what was drawn is said', () => {
  test('samples, where browsers are unknown', () => {
    const hidden = fleet(1, 10, 80_000).map(({ value }) => ({ value, browser: null }));
    expect(change(hidden, hidden, CLOCK_STEP, seededRandom(1))).toMatchObject({
      over: 'samples',
      because: 'unknown_browsers',
      changed: false,
    });
  });

  test('samples, where only one browser among known ones is unknown', () => {
    const [first, ...others] = fleet(1, 10, 80_000);
    const hidden = [{ value: first?.value ?? 0, browser: null }, ...others];
    for (const groups of [[hidden, others] as const, [others, hidden] as const]) {
      expect(change(...groups, CLOCK_STEP, seededRandom(1))).toMatchObject({
        over: 'samples',
        because: 'unknown_browsers',
      });
    }
  });

  test('samples, where the browsers were chosen, however few there are', () => {
    const [before, after] = [fleet(1, 1, 80_000), fleet(2, 1, 160_000)];
    expect(compareGroups(before, after, CLOCK_STEP, seededRandom(1), true).change).toMatchObject({
      over: 'samples',
      because: 'chosen_browsers',
      changed: true,
    });
  });
});

describe('nothing is compared', () => {
  const reason = (before: Observation[], after: Observation[], chosen = false) =>
    compareGroups(before, after, CLOCK_STEP, seededRandom(1), chosen);
  const many = fleet(1, 10, 80_000);

  test.each([
    ['of an unmeasured side', [], 'not_measured'],
    ['of 1 against 2 requests', many.slice(0, 1), 'few_samples'],
    ['of 29 requests', fleet(1, 29, 80_000).filter((_, i) => i % 40 === 0), 'few_samples'],
    ['of 4 browsers', fleet(1, 4, 80_000), 'few_browsers'],
  ] as const)('%s', (_name, few, notCompared) => {
    for (const sides of [[few, many] as const, [many, few] as const]) {
      expect(reason([...sides[0]], [...sides[1]])).toEqual({ change: null, notCompared });
    }
  });

  test('but from 30 requests of 5 browsers on', () => {
    const least = fleet(1, 5, 80_000).filter((_, i) => i % 40 < 6);
    expect(least).toHaveLength(30);
    expect(reason(least, least)).toMatchObject({ notCompared: null, change: { over: 'browsers', changed: false } });
  });

  test('of 29 requests even of chosen browsers', () => {
    expect(reason(fleet(1, 1, 80_000).slice(0, 29), many, true).notCompared).toBe('few_samples');
  });
});

describe('a certain difference can still be too small to matter', () => {
  const steady = (value: number) => fleet(1, 10, value, 0).map(({ browser }) => ({ value, browser }));

  test('below 5 % of the median', () => {
    expect(change(steady(100_000), steady(104_900), CLOCK_STEP, seededRandom(1))?.changed).toBe(false);
    expect(change(steady(100_000), steady(105_000), CLOCK_STEP, seededRandom(1))?.changed).toBe(true);
  });

  test('below the clock step', () => {
    expect(change(steady(2_000), steady(2_900), 1_000, seededRandom(1))?.changed).toBe(false);
    expect(change(steady(2_000), steady(3_000), 1_000, seededRandom(1))?.changed).toBe(true);
  });
});
