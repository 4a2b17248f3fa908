import { expect, test } from 'vitest';
import { startBackgroundUpkeep } from '../../../collector/store/sqlite/background-upkeep.ts';
import type { StoreUpkeep } from '../../../collector/store/store.ts';
import { type Retention, retentionOf } from '../../../shared/settings/retention-of.ts';

/** More samples than wait for the clock. */
const MANY = 10_000_000;

test('a server removes by the settings in force, asked anew each time', async () => {
  let settings = retentionOf({ version: 1, targets: [] });
  let now = 0;
  let told: (retention: Retention) => void = () => {};
  const pruned = () =>
    new Promise<Retention>((resolve) => {
      told = resolve;
    });
  const upkeep: Pick<StoreUpkeep, 'rollUp' | 'seal' | 'prune'> = {
    rollUp: async () => {},
    seal: async () => {},
    prune: async (_now, retention) => told(retention),
  };
  const background = startBackgroundUpkeep(
    upkeep as StoreUpkeep,
    async () => null,
    async () => settings,
    () => now,
    (error) => {
      throw error;
    },
  );
  let next = pruned();
  background.appended(MANY);
  expect(await next).toEqual({ sampleDays: 30, hourDays: 90, dayDays: 731, monthDays: null });

  settings = retentionOf({ version: 1, targets: [], retention: { sampleDays: 14, monthDays: 5000 } });
  now += 3_600_000;
  next = pruned();
  // Taken up when the run before has ended, or at once where it has.
  background.appended(MANY);
  expect(await next).toEqual({ sampleDays: 14, hourDays: 90, dayDays: 731, monthDays: 5000 });
  await background.stop();
});
