import { expect, onTestFinished, test, vi } from 'vitest';
import { FORWARDING, startBackgroundMaintenance } from '../../../collector/storage/sqlite/background-maintenance.ts';
import type { SqliteMaintenance } from '../../../collector/storage/sqlite/sqlite-maintenance.ts';
import { StoreError } from '../../../collector/storage/store-error.ts';
import { type Retention, readRetention } from '../../../shared/settings/read-retention.ts';
import { BELIEVED } from '../../collector/believed-clock.ts';

const LOG = { run: async () => {}, empty: async () => true };

type Maintenance = Pick<SqliteMaintenance, 'rollUpStep' | 'waits' | 'finalizeEach' | 'prune' | 'releaseQuarantine'>;

const clockOf = (now: () => number) => ({ clock: now, monotonic: now, watch: BELIEVED });

const NOTHING_TO_DO: Maintenance = {
  rollUpStep: async () => false,
  waits: () => false,
  finalizeEach: async () => {},
  releaseQuarantine: async () => {},
  prune: async () => {},
};

/** Forwards with what the test does in the place of some of the maintenance. */
function startForwarding(
  own: Partial<Maintenance>,
  failed: (error: unknown) => void = (error) => {
    throw error;
  },
  now = () => 0,
) {
  return startBackgroundMaintenance(
    { ...NOTHING_TO_DO, ...own } as SqliteMaintenance,
    LOG,
    async () => readRetention({ version: 1, targets: [] }),
    clockOf(now),
    failed,
    FORWARDING,
  );
}

/** More samples than wait for the clock. */
const MANY = 10_000_000;

test('a server removes by the settings in force, asked anew each time', async () => {
  let settings = readRetention({ version: 1, targets: [] });
  let now = 0;
  let told: (retention: Retention) => void = () => {};
  const pruned = () =>
    new Promise<Retention>((resolve) => {
      told = resolve;
    });
  const maintenance: Maintenance = {
    rollUpStep: async () => false,
    waits: () => false,
    finalizeEach: async () => {},
    releaseQuarantine: async () => {},
    prune: async (_now, retention) => told(retention),
  };
  const background = startBackgroundMaintenance(
    maintenance as SqliteMaintenance,
    LOG,
    async () => settings,
    clockOf(() => now),
    (error) => {
      throw error;
    },
  );
  let next = pruned();
  background.appended(MANY);
  expect(await next).toEqual({ sampleDays: 30, hourDays: 90, dayDays: 731, monthDays: null });

  settings = readRetention({ version: 1, targets: [], retention: { sampleDays: 14, monthDays: 5000 } });
  now += 3_600_000;
  next = pruned();
  // Taken up when the run before has ended, or at once where it has.
  background.appended(MANY);
  expect(await next).toEqual({ sampleDays: 14, hourDays: 90, dayDays: 731, monthDays: 5000 });
  await background.stop();
});

test('a step that took all it could is followed by the next; one that did not waits for more', async () => {
  const steps = [true, true, false, false];
  let taken = 0;
  let sealed: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    sealed = resolve;
  });
  const maintenance: Maintenance = {
    rollUpStep: async () => steps[taken++] ?? false,
    waits: () => false,
    finalizeEach: async () => sealed(),
    releaseQuarantine: async () => {},
    prune: async () => {},
  };
  const background = startBackgroundMaintenance(
    maintenance as SqliteMaintenance,
    LOG,
    async () => readRetention({ version: 1, targets: [] }),
    clockOf(() => 0),
    (error) => {
      throw error;
    },
  );
  background.appended(MANY);
  await done;
  await background.stop();
  expect(taken).toBe(3);
});

test('the log is emptied once nothing comes any more, and again only behind what came since', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answers = [new Error('no room'), false, true, true, true];
  const failures: unknown[] = [];
  let emptied = 0;
  const empty = async () => {
    const answer = answers[emptied++] ?? false;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const maintenance: Maintenance = {
    rollUpStep: async () => false,
    waits: () => false,
    finalizeEach: async () => {},
    releaseQuarantine: async () => {},
    prune: async () => {},
  };
  let now = 0;
  const background = startBackgroundMaintenance(
    maintenance as SqliteMaintenance,
    { run: async () => {}, empty },
    async () => readRetention({ version: 1, targets: [] }),
    clockOf(() => now),
    (error) => failures.push(error),
  );
  const after = async (ticks: number) => {
    await vi.advanceTimersByTimeAsync(ticks * 10_000);
    return emptied;
  };
  expect(await after(1)).toBe(0); // what an earlier run left is rolled up
  expect(await after(1)).toBe(1);
  expect(failures).toMatchObject([{ message: 'no room' }]);
  expect(await after(1)).toBe(2); // somebody is in the way
  expect(await after(1)).toBe(3);
  expect(await after(5)).toBe(3);
  background.appended(1);
  expect(await after(1)).toBe(3);
  expect(await after(5)).toBe(4);
  now += 3_600_000; // what is sealed and removed then is written, though nothing came
  expect(await after(5)).toBe(5);
  await background.stop();
});

test('while samples arrive, however few, the log is restarted at every tick', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const done: string[] = [];
  const background = startBackgroundMaintenance(
    NOTHING_TO_DO as SqliteMaintenance,
    { run: async () => void done.push('restart'), empty: async () => done.push('empty') > 0 },
    async () => readRetention({ version: 1, targets: [] }),
    clockOf(() => 0),
    (error) => {
      throw error;
    },
  );
  for (let tick = 0; tick < 3; tick++) {
    background.appended(1);
    await vi.advanceTimersByTimeAsync(10_000);
  }
  expect(done).toEqual(['restart', 'restart', 'restart']);
  await background.stop();
});

test('each kind of work is tried whatever became of the others, and says for itself what failed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const failures: [string, string][] = [];
  const done: string[] = [];
  let now = 0;
  const failing = (what: string) => async () => {
    done.push(what);
    throw new Error(what);
  };
  const maintenance: Maintenance = {
    releaseQuarantine: failing('release'),
    rollUpStep: async () => failing('roll up')().then(() => false),
    waits: () => false,
    finalizeEach: async (_now, failed) => {
      done.push('days');
      failed(new Error('Monday'));
      failed(new Error('Tuesday'));
    },
    prune: failing('prune'),
  };
  const background = startBackgroundMaintenance(
    maintenance as SqliteMaintenance,
    LOG,
    async () => readRetention({ version: 1, targets: [] }),
    clockOf(() => now),
    (error, job) => failures.push([job, (error as Error).message]),
  );
  await vi.advanceTimersByTimeAsync(10_000);
  expect(done).toEqual(['release', 'roll up', 'days', 'prune']);
  expect(failures).toEqual([
    ['quarantine', 'release'],
    ['rollup', 'roll up'],
    ['finalize', 'Monday'],
    ['finalize', 'Tuesday'],
    ['prune', 'prune'],
  ]);
  now += 3_600_000;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(done).toEqual(['release', 'roll up', 'days', 'prune', 'roll up', 'days', 'prune']);
  await background.stop();
});

test('what a step leaves, or a command stores, is taken at the next tick, though nothing comes any more', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let left = 3;
  let steps = 0;
  const background = startForwarding({
    rollUpStep: async () => {
      steps++;
      left--;
      return false;
    },
    waits: () => left > 0,
  });
  await vi.advanceTimersByTimeAsync(10 * FORWARDING.everyMs);
  expect(steps).toBe(3);
  left = 1;
  await vi.advanceTimersByTimeAsync(10 * FORWARDING.everyMs);
  expect(steps).toBe(4);
  await background.stop();
});

test('an outage is reported once, and another reason in its midst too', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const away = new StoreError('samples_unreachable', 'away', '');
  const damaged = new StoreError('store_corrupt', 'damaged', '');
  const answers = [away, away, damaged, damaged, null, away];
  const failures: unknown[] = [];
  let steps = 0;
  const background = startForwarding(
    {
      rollUpStep: async () => {
        const answer = answers[steps++] ?? null;
        if (answer !== null) throw answer;
        return false;
      },
      waits: () => steps < answers.length,
    },
    (error) => failures.push(error),
  );
  await vi.advanceTimersByTimeAsync(10 * FORWARDING.everyMs);
  expect(failures).toEqual([away, damaged, away]);
  await background.stop();
});

test('a flood does not keep what is due every hour from being done', async () => {
  let now = 0;
  let finalized: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    finalized = resolve;
  });
  const background = startForwarding(
    {
      rollUpStep: async () => {
        now += 60_000;
        return true;
      },
      waits: () => true,
      finalizeEach: async () => finalized(),
    },
    undefined,
    () => now,
  );
  background.appended(MANY);
  await done;
  await background.stop();
});
