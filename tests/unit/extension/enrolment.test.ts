import { expect, test } from 'vitest';
import { clientId } from '../../../extension/background/client-id.ts';
import { packagedEnrolment, readEnrolment } from '../../../extension/background/enrolment.ts';
import type { LocalState } from '../../../extension/background/local-state.ts';
import { StateStore } from '../../../extension/background/state-store.ts';
import { toState } from '../../../extension/background/status.ts';
import { HiddenTimes } from '../../../extension/content/hidden-times.ts';
import { idleTimes, NO_ANSWERS_YET } from '../../../shared/sample/idle-tracker.ts';
import { fakeEnvironment, memoryStorage } from './fakes.ts';

const FROM_POLICY = { collector: 'https://policy.test/', key: 'p', site: 'office' };
const FROM_USER = { collector: 'https://user.test', key: 'u' };
const FROM_PACKAGE = { collector: 'https://package.test', key: 'x', site: '' };

function sources(managed: Record<string, unknown> | null, user: unknown, packaged: unknown) {
  return {
    managed: managed
      ? memoryStorage(managed)
      : { get: () => Promise.reject(new Error('Managed storage manifest not found')) },
    local: memoryStorage(user ? { enrolment: user } : {}),
    packaged: async () => packaged,
  };
}

test('a policy wins over the user, and the user over the package', async () => {
  const all = await readEnrolment(sources(FROM_POLICY, FROM_USER, FROM_PACKAGE));
  expect(all).toEqual({ collector: 'https://policy.test', key: 'p', site: 'office', source: 'policy' });
  expect(await readEnrolment(sources(null, FROM_USER, FROM_PACKAGE))).toMatchObject({ source: 'user', site: '' });
  expect(await readEnrolment(sources({}, null, FROM_PACKAGE))).toMatchObject({ source: 'package' });
  expect(await readEnrolment(sources({}, null, null))).toBeNull();
});

test('a label that every collector would refuse is none, so the samples still count', async () => {
  for (const site of ['Ber\u200blin', 'a\u202eb', 'x'.repeat(101)]) {
    const enrolled = await readEnrolment(sources({ ...FROM_POLICY, site }, null, null));
    const labelled = await readEnrolment(sources({ site }, { ...FROM_USER, site: 'office' }, null));
    expect([site, enrolled?.site, labelled?.site]).toEqual([site, '', 'office']);
  }
});

test('half an enrolment is none', async () => {
  expect(await readEnrolment(sources({ collector: 'https://policy.test' }, { key: 'u' }, FROM_PACKAGE))).toMatchObject({
    source: 'package',
  });
  expect(await readEnrolment(sources({ collector: 'file:///etc', key: 'k' }, null, null))).toBeNull();
});

test('the client id changes on the first of the month and not before', async () => {
  const state = new StateStore<LocalState>(memoryStorage());
  const environment = fakeEnvironment();
  environment.time = Date.UTC(2026, 0, 1);
  const january = await clientId(state, environment);
  environment.time = Date.UTC(2026, 0, 31, 23, 59);
  expect(await clientId(state, environment)).toBe(january);
  environment.time = Date.UTC(2026, 1, 1);
  expect(await clientId(state, environment)).not.toBe(january);
});

test('idle time counts from the last answer before the request, in the order of time and not of arrival', () => {
  const origin = 'https://app.test';
  const { idle } = idleTimes(NO_ANSWERS_YET, [
    { origin, start: 1_000, end: 1_100, overNetwork: true },
    { origin, start: 1_500, end: 1_550, overNetwork: true },
    { origin, start: 1_010, end: 1_600, overNetwork: true },
  ]);
  expect(idle).toEqual([null, 400, null]);
});

test('a request is hidden when the page was at any time between its start and end', () => {
  let now = 0;
  const times = new HiddenTimes(() => now, false);
  now = 100;
  times.change(true);
  times.change(true);
  now = 200;
  times.change(false);
  expect([times.overlaps(0, 99), times.overlaps(0, 150), times.overlaps(120, 130), times.overlaps(201, 300)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(new HiddenTimes(() => 0, true).overlaps(0, 1)).toBe(true);
});

test('the state names the first thing that is in the way', () => {
  const fine = {
    enrolled: true,
    settings: true,
    refused: false,
    paused: false,
    poll: 'ok',
    targets: [{ id: 'a', name: 'A', match: [] }],
    capture: { granted: [], missing: [], afterRestart: false },
  } as const;
  expect(toState(fine)).toBe('collecting');
  expect(toState({ ...fine, capture: { granted: [], missing: ['x'], afterRestart: false } })).toBe('degraded');
  expect(toState({ ...fine, targets: [] })).toBe('no_targets');
  expect(toState({ ...fine, paused: true, refused: true })).toBe('paused');
  expect(toState({ ...fine, settings: false })).toBe('no_settings');
  expect(toState({ ...fine, refused: true })).toBe('key_refused');
  expect(toState({ ...fine, enrolled: false, refused: true })).toBe('not_enrolled');
});

test('an enrolment of the package that cannot be read at first is tried again, and kept once it was read', async () => {
  const answers: (() => Promise<unknown>)[] = [
    () => Promise.reject(new Error('NetworkError')),
    async () => FROM_PACKAGE,
    () => Promise.reject(new Error('NetworkError')),
  ];
  const waits: number[] = [];
  const packaged = packagedEnrolment({
    read: () => answers.shift()?.() ?? Promise.reject(new Error('read too often')),
    sleep: async (ms) => void waits.push(ms),
  });
  expect(await Promise.all([packaged(), packaged()])).toEqual([FROM_PACKAGE, FROM_PACKAGE]);
  expect(await packaged()).toBe(FROM_PACKAGE);
  expect([waits, answers.length]).toEqual([[500], 1]);
});

test('a package without an enrolment is waited for once', async () => {
  let reads = 0;
  const waits: number[] = [];
  const packaged = packagedEnrolment({
    read: () => {
      reads++;
      return Promise.reject(new Error('NetworkError'));
    },
    sleep: async (ms) => void waits.push(ms),
  });
  for (let i = 0; i < 3; i++) expect(await packaged()).toBeNull();
  expect([reads, waits.length]).toEqual([5, 2]);
});
