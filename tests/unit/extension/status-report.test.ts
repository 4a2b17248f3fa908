import { beforeEach, expect, test } from 'vitest';
import { Delivery, FRESH_DELIVERY } from '../../../extension/background/delivery.ts';
import type { LocalState, LocalStore } from '../../../extension/background/local-state.ts';
import { StateStore } from '../../../extension/background/state-store.ts';
import { StatusReport } from '../../../extension/background/status-report.ts';
import type { ExtensionSettings } from '../../../shared/settings/settings-schema.ts';
import type { WireBatch } from '../../../shared/wire/wire-batch.ts';
import {
  ENROLMENT,
  type FakeEnvironment,
  fakeEnvironment,
  MemoryQueue,
  memoryStorage,
  ORIGIN,
  sample,
} from './fakes.ts';

const SETTINGS: ExtensionSettings = {
  version: 1,
  revision: 1,
  targets: [{ id: 'app', name: 'App', match: ['https://app.test/*'] }],
  delivery: { intervalSeconds: 60 },
  probes: { enabled: true, schedule: [{ id: 'logo', target: 'app', url: 'https://app.test/l', everyMinutes: 60 }] },
};
const HOUR = 3_600_000;

let environment: FakeEnvironment;
let queue: MemoryQueue;
let state: LocalStore;
let delivery: Delivery;
let settings: ExtensionSettings | null;
let missing: string[];
/** Every batch that reached the collector. */
let received: WireBatch[];

beforeEach(() => {
  environment = fakeEnvironment();
  queue = new MemoryQueue();
  state = new StateStore<LocalState>(memoryStorage());
  settings = SETTINGS;
  missing = [];
  received = [];
  const capture = async () => ({ granted: [], missing, afterRestart: false });
  const report = new StatusReport({ state, queue, now: environment.now, settings: async () => settings, capture });
  delivery = new Delivery(queue, state, environment, report);
});

async function run(times = 1, status = 200): Promise<void> {
  for (let i = 0; i < times; i++) {
    environment.answers.push((body) => {
      const batch = JSON.parse(body) as WireBatch;
      received.push(batch);
      return status === 200
        ? Response.json({ batch: batch.batch, duplicate: false, accepted: batch.n, rejected: [] })
        : Response.json({ error: { code: 'busy', message: '', hint: '' } }, { status });
    });
  }
  await delivery.run(ENROLMENT, ORIGIN);
}

test('goes along with what is sent, and alone where nothing is', async () => {
  await queue.add('g1', [sample(environment.time)], environment.time);
  await state.write('delivery', { ...FRESH_DELIVERY, dropped: { full: 3 } });
  await run();
  expect(received).toMatchObject([
    { n: 1, status: { state: 'collecting', waiting: 1, dropped: { full: 3 }, turns: [] } },
  ]);
  missing = ['https://app.test/*'];
  await run();
  expect(received[1]).toMatchObject({ n: 0, status: { state: 'degraded', waiting: 0 } });
});

test('is not said again before it has changed or six hours are over', async () => {
  await run();
  environment.time += 6 * HOUR - 1;
  await run();
  expect(received).toHaveLength(1);
  environment.time += 1;
  await run();
  expect(received).toHaveLength(2);
});

test('tells each turn of a probe once, and again where nobody took it', async () => {
  const outcome = {
    scenario: 'https-new',
    method: 'close_header',
    kept: 3,
    discarded: { not_new: 1 },
    unavailable: null,
  } as const;
  const report = { probe: 'logo', startedAt: 1, endedAt: 2, requests: 5, scenarios: [outcome], stopped: null };
  await state.write('probes', { spent: [], last: { logo: { at: environment.time, skipped: null, report } } });
  await run(1, 503);
  environment.time += HOUR;
  await run();
  const turn = {
    probe: 'logo',
    target: 'app',
    at: environment.time - HOUR,
    skipped: null,
    scenarios: [outcome],
    steps: [],
  };
  expect(received.map(({ status }) => status?.turns)).toEqual([[turn], [turn]]);
  await run();
  expect(received).toHaveLength(2);
  await state.write('probes', { spent: [], last: { logo: { at: environment.time, skipped: 'budget' } } });
  await run();
  expect(received[2]?.status?.turns).toMatchObject([{ at: environment.time, skipped: 'budget' }]);
});

test('of a script it tells the steps, and no address', async () => {
  const steps = [
    { url: 'https://app.test/login?user=jane', ok: true, reason: null, time: 80_000 },
    { url: 'https://app.test/x', ok: false, reason: 'status_500', time: null },
  ] as const;
  const report = { probe: 'logo', startedAt: 1, endedAt: 2, requests: 2, steps, stopped: null };
  await state.write('probes', { spent: [], last: { logo: { at: environment.time, skipped: null, report } } });
  await run();
  expect(received[0]?.status?.turns).toMatchObject([
    { steps: [null, 'status_500'], stepTimes: [80_000, null], scenarios: [] },
  ]);
  expect(JSON.stringify(received)).not.toContain('jane');
});

test('nothing is said where nothing is watched', async () => {
  settings = { ...SETTINGS, targets: [] };
  await run();
  settings = null;
  await run();
  expect(received).toEqual([]);
});
