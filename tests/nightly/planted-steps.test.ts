import { expect, test } from 'vitest';
import { changeEvents } from '../../collector/analysis/changes/change-events.ts';
import type { GroupChange } from '../../collector/analysis/changes/group-change.ts';
import { changes } from '../../collector/questions/changes.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Reading } from '../../collector/storage/passes/reading-source.ts';
import type { Store } from '../../collector/storage/store.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { basePlan } from '../fleets/base-plan.ts';
import { plant } from '../fleets/causes.ts';
import { endOf, fillFleet, toSource } from '../fleets/fill-fleet.ts';

const DAY_MS = 24 * 3_600_000;
const FIRST_MS = Date.UTC(2026, 8, 7);
/** Every third has nothing wrong, the others an app whose server is slower or faster from a day on. */
const FLEETS = 60;
const CAUSES = [null, 'release_worse', 'fix_better'] as const;
/** Of those with a change, in how many every range is asked for. */
const ASKED = 5;

interface Fleet {
  readonly store: Store;
  readonly from: number;
  readonly to: number;
  /** Epoch ms of the first day; null for a fleet without a change. */
  readonly since: number | null;
}

async function fill(number: number): Promise<Fleet> {
  const random = seededRandom(number * 7919);
  const between = (low: number, high: number) => Math.round(low + (high - low) * random());
  const quiet = basePlan({
    name: 'steps',
    seed: number,
    from: FIRST_MS + between(0, 3) * 7 * DAY_MS,
    days: 7 * between(3, 5),
    samples: between(20_000, 80_000),
    browsers: between(40, 160),
    apps: between(3, 6),
    variety: 0.3,
  });
  const cause = CAUSES[number % CAUSES.length] as (typeof CAUSES)[number];
  const { plan, truth } = cause === null ? { plan: quiet, truth: [] } : plant(quiet, [cause]);
  const to = endOf(plan);
  const store = await openStore({ folder: await temporaryFolder(), as: 'command', clock: () => to });
  await fillFleet(store, toSource(plan), () => {});
  const day = truth[0]?.day;
  return { store, from: plan.from, to, since: day === undefined ? null : plan.from + day * DAY_MS };
}

const READING: Reading<Parameters<typeof changes.read>[1], readonly GroupChange[]> = {
  name: 'plantedSteps',
  takesLong: () => false,
  read: async (source, plan) => (await changes.read(source, plan)).changes,
};

function ask(store: Store, from: number, to: number): Promise<readonly GroupChange[]> {
  const plan = { range: { from, to }, filters: {}, zone: 'Europe/Berlin', minGroupSize: 0 };
  return store.samples.read(READING, plan);
}

const isBetween = (since: number, [first, last]: readonly [string, string]) =>
  since >= Date.parse(first) && since <= Date.parse(last);

test('planted steps are found in each range, on their day, and no others', { timeout: 1_200_000 }, async () => {
  let [planted, found, held, asked] = [0, 0, 0, 0];
  for (let number = 1; number <= FLEETS; number++) {
    const { store, from, to, since } = await fill(number);
    const all = await ask(store, from, to);
    const events = changeEvents(all).map(({ lead }) => lead);
    if (since === null) expect([number, events]).toEqual([number, []]);
    else {
      planted++;
      const isNear = ({ since: told, sinceInterval }: GroupChange) =>
        Math.abs(Date.parse(told) - since) <= DAY_MS || isBetween(since, sinceInterval);
      expect([number, events.filter((event) => !isNear(event))]).toEqual([number, []]);
      if (events[0] !== undefined) {
        found++;
        if (isBetween(since, events[0].sinceInterval)) held++;
        if (asked++ < ASKED) await askEach(store, all, from, to);
      }
    }
    await store.close();
  }
  expect(found / planted).toBeGreaterThanOrEqual(0.85);
  expect(held / found).toBeGreaterThanOrEqual(0.95);
});

/** Twenty starts and six ends. */
async function askEach(store: Store, all: readonly GroupChange[], from: number, to: number): Promise<void> {
  for (let start = 0; start < 20; start++) {
    for (let end = 0; end < 6; end++) {
      const range = [from + start * 0.8 * DAY_MS, to - end * 0.7 * DAY_MS] as const;
      const [first, last] = range.map((at) => new Date(at + 2 * 3_600_000).toISOString().slice(0, 10)) as [
        string,
        string,
      ];
      const inside = all.filter(({ since }) => since >= first && since <= last);
      expect([start, end, await ask(store, ...range)]).toEqual([start, end, inside]);
    }
  }
}
