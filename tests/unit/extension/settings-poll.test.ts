import { beforeEach, expect, test } from 'vitest';
import type { LocalState } from '../../../extension/background/local-state.ts';
import { SettingsPoll } from '../../../extension/background/settings-poll.ts';
import { StateStore } from '../../../extension/background/state-store.ts';
import { ENROLMENT, endless, type FakeEnvironment, fakeEnvironment, memoryStorage, redirect } from './fakes.ts';

const SETTINGS = {
  version: 1,
  revision: 3,
  targets: [{ id: 'app', name: 'App', match: ['https://app.test/*'] }],
  delivery: { intervalSeconds: 60 },
};

let environment: FakeEnvironment;
let poll: SettingsPoll;

beforeEach(() => {
  environment = fakeEnvironment();
  poll = new SettingsPoll(new StateStore<LocalState>(memoryStorage()), environment);
});

function good() {
  return Response.json(SETTINGS, { headers: { etag: '"3"' } });
}

test('there are no settings before the first good answer', async () => {
  expect(await poll.current(ENROLMENT)).toBeNull();
  environment.answers.push(() => new Response('', { status: 500 }));
  expect(await poll.refresh(ENROLMENT)).toBe('http_500');
  expect(await poll.current(ENROLMENT)).toBeNull();
  environment.answers.push(good);
  expect(await poll.refresh(ENROLMENT)).toBe('ok');
  expect(await poll.current(ENROLMENT)).toEqual(SETTINGS);
});

test('asks with the entity tag, and keeps the settings that have not changed', async () => {
  environment.answers.push(good, () => new Response(null, { status: 304 }));
  await poll.refresh(ENROLMENT);
  expect(await poll.refresh(ENROLMENT)).toBe('ok');
  expect(environment.asked[1]?.init.headers).toMatchObject({ 'if-none-match': '"3"', authorization: 'Bearer k' });
  expect(await poll.current(ENROLMENT)).toEqual(SETTINGS);
});

test('keeps the last good ones while the collector cannot be reached or talks nonsense', async () => {
  environment.answers.push(good);
  await poll.refresh(ENROLMENT);
  expect(await poll.refresh(ENROLMENT)).toBe('unreachable');
  environment.answers.push(() => Response.json({ version: 2 }));
  expect(await poll.refresh(ENROLMENT)).toBe('unreadable');
  expect(await poll.current(ENROLMENT)).toEqual(SETTINGS);
});

test('a redirect is not followed, and an answer larger than any of a collector is not read', async () => {
  environment.answers.push(good, redirect, endless);
  await poll.refresh(ENROLMENT);
  expect(await poll.refresh(ENROLMENT)).toBe('redirected');
  expect(environment.asked[1]?.init).toMatchObject({ redirect: 'manual' });
  expect(await poll.refresh(ENROLMENT)).toBe('unreadable');
  expect(await poll.current(ENROLMENT)).toEqual(SETTINGS);
});

test('a refused key ends them, until it is accepted again', async () => {
  environment.answers.push(good, () => new Response('', { status: 401 }), good);
  await poll.refresh(ENROLMENT);
  expect(await poll.refresh(ENROLMENT)).toBe('refused');
  expect(await poll.current(ENROLMENT)).toBeNull();
  await poll.refresh(ENROLMENT);
  expect(await poll.current(ENROLMENT)).toEqual(SETTINGS);
});

test('settings of another collector are not in force', async () => {
  environment.answers.push(good);
  await poll.refresh(ENROLMENT);
  const other = { ...ENROLMENT, collector: 'http://other.test' };
  expect(await poll.current(other)).toBeNull();
  expect(await poll.refresh(other)).toBe('unreachable');
  expect(await poll.current(other)).toBeNull();
  expect(await poll.current(null)).toBeNull();
});

test('probes out of all bounds are no settings, except that they may always be switched off', async () => {
  const probes = { enabled: true, requestsPerHour: 1e9, schedule: [] };
  environment.answers.push(good, () => Response.json({ ...SETTINGS, probes }));
  await poll.refresh(ENROLMENT);
  expect(await poll.refresh(ENROLMENT)).toBe('unreadable');
  expect(await poll.current(ENROLMENT)).toEqual(SETTINGS);
  const off = { ...SETTINGS, probes: { ...probes, enabled: false } };
  environment.answers.push(() => Response.json(off));
  expect(await poll.refresh(ENROLMENT)).toBe('ok');
  expect(await poll.current(ENROLMENT)).toEqual(off);
});
