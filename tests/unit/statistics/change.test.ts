import { describe, expect, test } from 'vitest';
import { change, type Observation } from '../../../shared/statistics/change.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { normal } from './seeded-distributions.ts';

const CLOCK_STEP = 100;

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
  for (let seed = 0; seed < 60; seed++) {
    const before = fleet(2 * seed, 12, 80_000);
    const after = fleet(2 * seed + 1, 12, 80_000);
    const anonymous = (group: Observation[]) => group.map(({ value }) => ({ value, browser: null }));
    const outside = (found: ReturnType<typeof change>) =>
      found !== null && (found.interval[0] > 0 || found.interval[1] < 0);
    if (outside(change(before, after, CLOCK_STEP, seededRandom(seed)))) byBrowser++;
    if (outside(change(anonymous(before), anonymous(after), CLOCK_STEP, seededRandom(seed)))) bySample++;
  }
  expect(byBrowser).toBeLessThanOrEqual(9);
  expect(bySample).toBeGreaterThan(25);
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

  test('samples, where browsers are too few to stand for others', () => {
    const found = change(fleet(1, 5, 80_000), fleet(2, 30, 80_000), CLOCK_STEP, seededRandom(1));
    expect(found).toMatchObject({ over: 'samples', because: 'few_browsers' });
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

test('an empty group cannot be compared', () => {
  expect(change([], fleet(1, 10, 80_000), CLOCK_STEP, seededRandom(1))).toBeNull();
});
