import { expect, test } from 'vitest';
import { readEnrolment } from '../../../extension/background/enrolment.ts';
import type { LocalState } from '../../../extension/background/local-state.ts';
import { migrateState, onceMigrated, STATE_VERSION } from '../../../extension/background/migrate-state.ts';
import { PauseSwitch } from '../../../extension/background/pause.ts';
import { StateStore } from '../../../extension/background/state-store.ts';
import { memoryStorage } from './fakes.ts';

const ENROLMENT = { collector: 'https://lastbyte.test', key: 'k', site: '' };
const CLIENT = { id: 'c', month: '2026-01' };
const PENDING = { 'pending/a-0': { id: 'a-0', entries: '[]' } };

test('a fresh state only gets its version, and a current one is left alone', async () => {
  const [state, local] = [memoryStorage(), memoryStorage()];
  await migrateState(state, local);
  expect(state.all()).toEqual({ stateVersion: STATE_VERSION });
  await state.set({ names: 1 });
  await migrateState(state, local);
  expect(state.all()).toEqual({ stateVersion: STATE_VERSION, names: 1 });
});

test('what version 3 had in storage.local is moved, except the groups that pages left, which stay', async () => {
  const had = {
    enrolment: ENROLMENT,
    client: CLIENT,
    policy: { site: 'Berlin' },
    names: { targets: {} },
    lost: { flood: 1 },
  };
  const [state, local] = [memoryStorage(), memoryStorage({ stateVersion: 3, ...had, ...PENDING, unknown: 'x' })];
  await migrateState(state, local);
  expect(state.all()).toEqual({ stateVersion: STATE_VERSION, ...had });
  expect(local.all()).toEqual(PENDING);
});

test('once moved, what a page’s process writes under the old names has no effect', async () => {
  const [state, local] = [memoryStorage(), memoryStorage({ stateVersion: 3, enrolment: ENROLMENT, client: CLIENT })];
  await migrateState(state, local);
  const evil = { collector: 'https://evil.test', key: 'e', site: '' };
  await local.set({
    stateVersion: 3,
    enrolment: evil,
    client: { id: 'e', month: '2026-01' },
    policy: evil,
    paused: {},
  });
  await migrateState(state, local);
  expect(state.all()).toEqual({ stateVersion: STATE_VERSION, enrolment: ENROLMENT, client: CLIENT });
  const sources = { managed: memoryStorage(), local: state, packaged: async () => null };
  expect(await readEnrolment(sources)).toMatchObject(ENROLMENT);
});

test('nor is it read by a fresh installation that has started once', async () => {
  const [state, local] = [memoryStorage(), memoryStorage()];
  await migrateState(state, local);
  await local.set({ stateVersion: 3, enrolment: ENROLMENT });
  await migrateState(state, local);
  expect(await state.get('enrolment')).toEqual({});
});

test.each([['7'], [2], [{}]])('a version that is no version (%j) keeps what can be judged', async (found) => {
  const had = { stateVersion: found, enrolment: ENROLMENT, settings: 'odd' };
  const [state, local] = [memoryStorage(), memoryStorage({ ...had, ...PENDING })];
  await migrateState(state, local);
  expect(state.all()).toEqual({ stateVersion: STATE_VERSION, enrolment: ENROLMENT });
  expect(local.all()).toEqual(PENDING);
  const again = memoryStorage(had);
  await migrateState(again, memoryStorage());
  expect(again.all()).toEqual({ stateVersion: STATE_VERSION, enrolment: ENROLMENT });
});

test('a newer state keeps the enrolment, and a pause of any shape as one for good', async () => {
  const state = memoryStorage({ stateVersion: 99, enrolment: ENROLMENT, client: CLIENT, paused: { mode: 'lunch' } });
  await migrateState(state, memoryStorage());
  expect(state.all()).toEqual({
    stateVersion: STATE_VERSION,
    enrolment: ENROLMENT,
    paused: { until: 'forever', from: 0 },
  });
  const pause = new PauseSwitch({
    state: new StateStore<LocalState>(state),
    now: () => 1,
    random: () => 0,
    mayPauseForGood: async () => true,
    share: async () => undefined,
  });
  expect(await pause.current()).toMatchObject({ until: 'forever' });
});

test('a background that died halfway starts again and ends the same', async () => {
  const [state, local] = [memoryStorage(), memoryStorage({ enrolment: ENROLMENT, names: {} })];
  const set = state.set.bind(state);
  state.set = () => Promise.reject(new Error('stopped'));
  await expect(migrateState(state, local)).rejects.toThrow('stopped');
  state.set = set;
  const remove = local.remove.bind(local);
  local.remove = () => Promise.reject(new Error('stopped'));
  await expect(migrateState(state, local)).rejects.toThrow('stopped');
  local.remove = remove;
  await migrateState(state, local);
  expect(state.all()).toEqual({ stateVersion: STATE_VERSION, enrolment: ENROLMENT });
});

test('nothing is read or written before the migration is done', async () => {
  const [raw, local] = [memoryStorage(), memoryStorage({ names: 'old', enrolment: ENROLMENT })];
  const state = new StateStore<LocalState>(onceMigrated(raw, migrateState(raw, local)));
  expect(await state.read('enrolment')).toEqual(ENROLMENT);
  expect(await state.read('names')).toBeNull();
});
