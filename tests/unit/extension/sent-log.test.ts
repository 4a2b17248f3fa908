import { beforeEach, expect, test } from 'vitest';
import type { LocalState } from '../../../extension/background/local-state.ts';
import { SentLog } from '../../../extension/background/sent-log.ts';
import { StateStore } from '../../../extension/background/state-store.ts';
import { compareTimes } from '../../../extension/background/status.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { memoryStorage, sample } from './fakes.ts';

const NOW = Date.UTC(2026, 0, 15);
const HOUR = 3_600_000;

let log: SentLog;
let storage: ReturnType<typeof memoryStorage>;

beforeEach(() => {
  storage = memoryStorage();
  log = new SentLog(new StateStore<LocalState>(storage));
});

function took(ttlb: number | null, more: Partial<Sample> = {}): Sample {
  const plain = sample(NOW);
  return { ...plain, times: { ...plain.times, ttlb }, ...more };
}

test('lists what was sent, the newest first, and never more than 200', async () => {
  await log.note(
    Array.from({ length: 150 }, (_, index) => took(index * 1000)),
    NOW,
  );
  await log.note(
    Array.from({ length: 300 }, (_, index) => took(index * 1000, { template: `/${index}`, source: 'probe-x' })),
    NOW,
  );
  const rows = await log.rows();
  expect(rows).toHaveLength(200);
  expect(rows[0]).toMatchObject({ template: '/299', ttlb: 299, probe: true });
});

test('a median is of the last day, of documents and calls over the network, and of six at least', async () => {
  const usual = [10, 20, 30, 40, 1000].map((ms) => took(ms * 1000));
  await log.note(usual, NOW);
  await log.note([took(null), took(1, { excluded: 'hidden' }), took(1, { source: 'probe-x' })], NOW);
  await log.note([took(1, { connection: 'cache' }), took(1, { type: 'image' })], NOW);
  expect(await log.medians(NOW)).toEqual([]);
  await log.note([took(50_000)], NOW);
  expect(await log.medians(NOW)).toEqual([{ target: 'app', type: 'document', median: 30, n: 6 }]);
  expect(await log.medians(NOW + 24 * HOUR)).toEqual([]);
  // A clock set back by an hour hides nothing.
  expect(await log.medians(NOW - HOUR)).toHaveLength(1);
});

test('keeps 300 times of a kind and 40 kinds, whatever comes', async () => {
  for (let target = 0; target < 60; target++) {
    await log.note(
      Array.from({ length: 310 }, () => took(1000, { target: `t${target}` })),
      NOW,
    );
  }
  const { times } = storage.all().sent as { times: Record<string, unknown[]> };
  expect(Object.keys(times)).toHaveLength(40);
  expect(Object.keys(times)).toContain('t59 document');
  expect(Object.values(times).map(({ length }) => length)).toEqual(Array.from({ length: 40 }, () => 300));
});

test('puts the own median beside the one of all, and leaves out kinds nobody knows of', () => {
  const own = [{ target: 'app', type: 'document' as const, median: 83, n: 12 }];
  const typical = [{ target: 'app', type: 'fetch', medianMs: 40, browsers: 7 }];
  expect(compareTimes([{ id: 'app' }, { id: 'other' }], own, typical)).toEqual([
    { target: 'app', type: 'document', own: { median: 83, n: 12 }, all: null },
    { target: 'app', type: 'fetch', own: null, all: { median: 40, browsers: 7 } },
  ]);
});
