import { expect, test } from 'vitest';
import { startBackgroundUpkeep } from '../../../collector/store/sqlite/background-upkeep.ts';
import { STEP_SAMPLES } from '../../../collector/store/sqlite/roll-up-pending.ts';
import type { SqliteUpkeep } from '../../../collector/store/sqlite/sqlite-upkeep.ts';
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
  const upkeep: Pick<SqliteUpkeep, 'rollUpStep' | 'seal' | 'prune'> = {
    rollUpStep: async () => 0,
    seal: async () => {},
    prune: async (_now, retention) => told(retention),
  };
  const background = startBackgroundUpkeep(
    upkeep as SqliteUpkeep,
    async () => {},
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

test('a step that took all it could is followed by the next; one that did not waits for more', async () => {
  const steps = [STEP_SAMPLES, STEP_SAMPLES, 5, 5];
  let taken = 0;
  let sealed: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    sealed = resolve;
  });
  const upkeep: Pick<SqliteUpkeep, 'rollUpStep' | 'seal' | 'prune'> = {
    rollUpStep: async () => steps[taken++] ?? 0,
    seal: async () => sealed(),
    prune: async () => {},
  };
  const background = startBackgroundUpkeep(
    upkeep as SqliteUpkeep,
    async () => {},
    async () => retentionOf({ version: 1, targets: [] }),
    () => 0,
    (error) => {
      throw error;
    },
  );
  background.appended(MANY);
  await done;
  await background.stop();
  expect(taken).toBe(3);
});
