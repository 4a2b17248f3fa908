import { beforeAll, expect, test } from 'vitest';
import type { LocalState } from '../../../extension/background/local-state.ts';
import { PauseSwitch } from '../../../extension/background/pause.ts';
import { StateStore } from '../../../extension/background/state-store.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { memoryStorage } from './fakes.ts';

const BROWSERS = 10_000;

let share: unknown;
let browsers: PauseSwitch[];

beforeAll(() => {
  const random = seededRandom(45);
  browsers = Array.from({ length: BROWSERS }, () => {
    const state = new StateStore<LocalState>(memoryStorage());
    return new PauseSwitch({
      state,
      now: () => 1,
      random,
      mayPauseForGood: async () => true,
      share: async () => share,
    });
  });
});

/** Places of those that measure. */
async function measuring(percent: unknown): Promise<number[]> {
  share = percent;
  const pauses = await Promise.all(browsers.map((browser) => browser.current()));
  return pauses.flatMap((pause, place) => (pause === null ? [place] : []));
}

test('a share of 10 is a tenth of the browsers, give or take five standard deviations', async () => {
  const { length } = await measuring(10);
  expect(Math.abs(length - BROWSERS / 10)).toBeLessThan(5 * Math.sqrt(BROWSERS * 0.1 * 0.9));
});

test('as the share grows browsers join and none leaves, and each asked again answers as before', async () => {
  let before = await measuring(1);
  for (const percent of [10, 50, 99]) {
    const now = new Set(await measuring(percent));
    expect(before.filter((place) => !now.has(place))).toEqual([]);
    expect(now.size).toBeGreaterThan(before.length);
    before = [...now];
  }
  expect(await measuring(99)).toEqual(before);
});

test('all measure at 100 and without a share; none under a share that cannot be read', async () => {
  expect(await measuring(100)).toHaveLength(BROWSERS);
  expect(await measuring(undefined)).toHaveLength(BROWSERS);
  expect(await measuring('a tenth')).toEqual([]);
});

test('once its turn has come, a browser does not take what pages have kept from the time before', async () => {
  let at = 100;
  const state = new StateStore<LocalState>(memoryStorage());
  const asked = {
    state,
    now: () => at,
    random: () => 0.5,
    mayPauseForGood: async () => true,
    share: async () => share,
  };
  const browser = new PauseSwitch(asked);
  share = 10;
  expect(await browser.current()).toEqual({ until: 'turn', from: 100 });
  at = 200;
  expect(await browser.current()).toEqual({ until: 'turn', from: 100 });
  share = 51;
  expect(await browser.current()).toBeNull();
  const covers = await browser.covers();
  expect([99, 100, 200, 201].map(covers)).toEqual([false, true, true, false]);
});
