import { expect, test } from 'vitest';
import { StateStore } from '../../../extension/background/local-state.ts';
import { migrateState, STATE_VERSION } from '../../../extension/background/migrate-state.ts';
import { PauseSwitch } from '../../../extension/background/pause.ts';
import { ENTRY_NAMES, type PackedGroup, unpackGroup } from '../../../extension/packed-group.ts';
import { memoryStorage } from './fakes.ts';

const ENROLMENT = { collector: 'https://lastbyte.test', key: 'k', site: '' };
const CLIENT = { id: 'c', month: '2026-01' };
const PENDING = { 'pending/a-0': { id: 'a-0', entries: '[]' } };

test('a fresh storage only gets its version, and a current one is left alone', async () => {
  const storage = memoryStorage();
  expect(await migrateState(storage)).toBe('fresh');
  expect(storage.all()).toEqual({ stateVersion: STATE_VERSION });
  await storage.set({ names: 1 });
  expect(await migrateState(storage)).toBe('current');
  expect(storage.all()).toEqual({ stateVersion: STATE_VERSION, names: 1 });
});

test('version 0, which had no number, keeps all but names without a limit and the registration', async () => {
  const pending = { 'pending/a-0': { id: 'a-0', entries: [] } };
  const storage = memoryStorage({ enrolment: ENROLMENT, client: CLIENT, names: {}, registered: 'x', ...pending });
  expect(await migrateState(storage)).toBe('migrated');
  expect(storage.all()).toEqual({ stateVersion: STATE_VERSION, enrolment: ENROLMENT, client: CLIENT, ...PENDING });
});

test('version 1 wrote names beside the values of entries that wait, which are read as before', async () => {
  const entry = Object.fromEntries(ENTRY_NAMES.map((name, index) => [name, index]).reverse());
  const group = { id: 'a-1', entries: [{ seenAt: 7, restored: false, hidden: true, entry }] };
  const storage = memoryStorage({ stateVersion: 1, client: CLIENT, 'pending/a-1': group });
  expect(await migrateState(storage)).toBe('migrated');
  const { 'pending/a-1': pending, ...rest } = storage.all();
  expect(rest).toEqual({ stateVersion: STATE_VERSION, client: CLIENT });
  expect(unpackGroup(pending as PackedGroup)).toEqual(group);
});

test('version 2 did not write entries that wait as JSON; a step that is repeated finds them so', async () => {
  const values = [...ENTRY_NAMES.map((_, index) => index), true, false, 7];
  const group = { id: 'a-1', entries: [values] };
  const storage = memoryStorage({ stateVersion: 2, 'pending/a-1': group, ...PENDING });
  expect(await migrateState(storage)).toBe('migrated');
  expect(storage.all()).toEqual({
    stateVersion: STATE_VERSION,
    'pending/a-1': { id: 'a-1', entries: JSON.stringify([values]) },
    ...PENDING,
  });
});

test.each([['7'], [-1], [1.5], [null], [{}]])(
  'a version that is no version (%j) keeps what can be judged',
  async (found) => {
    const storage = memoryStorage({ stateVersion: found, enrolment: ENROLMENT, settings: 'odd', ...PENDING });
    expect(await migrateState(storage)).toBe('unknown');
    expect(storage.all()).toEqual({ stateVersion: STATE_VERSION, enrolment: ENROLMENT, ...PENDING });
  },
);

test('a newer state keeps the enrolment, and a pause of any shape as one for good', async () => {
  const storage = memoryStorage({ stateVersion: 99, enrolment: ENROLMENT, client: CLIENT, paused: { mode: 'lunch' } });
  expect(await migrateState(storage)).toBe('newer');
  expect(storage.all()).toEqual({
    stateVersion: STATE_VERSION,
    enrolment: ENROLMENT,
    paused: { until: 'forever', from: 0 },
  });
  const pause = new PauseSwitch({ state: new StateStore(storage), now: () => 1, mayPauseForGood: async () => true });
  expect(await pause.current()).toMatchObject({ until: 'forever' });
});

test('a background that died halfway starts again and ends the same', async () => {
  const storage = memoryStorage({ enrolment: ENROLMENT, names: {} });
  const set = storage.set.bind(storage);
  storage.set = () => Promise.reject(new Error('stopped'));
  await expect(migrateState(storage)).rejects.toThrow('stopped');
  storage.set = set;
  expect(await migrateState(storage)).toBe('migrated');
  expect(storage.all()).toEqual({ stateVersion: STATE_VERSION, enrolment: ENROLMENT });
});

test('nothing is read or written before the migration is done', async () => {
  const storage = memoryStorage({ names: 'old' });
  const state = new StateStore(storage, migrateState(storage));
  expect(await state.read('names')).toBeNull();
});
