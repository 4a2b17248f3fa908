import { expect, test } from 'vitest';
import { readEnrolment } from '../../../extension/background/enrolment.ts';
import { managedPolicy } from '../../../extension/background/managed-policy.ts';
import { memoryStorage } from '../extension/fakes.ts';

const POLICY = { collector: 'https://policy.test', key: 'p', site: 'Berlin' };

const NEVER = new Promise<never>(() => {});

/** A browser whose policy can be changed, and which can be started again. */
function browser(policy: Record<string, unknown> | null) {
  const state = { policy, time: 0, session: memoryStorage(), slow: false, sleep: (_: number): Promise<void> => NEVER };
  const local = memoryStorage({ enrolment: { collector: 'https://user.test', key: 'u', site: 'home' } });
  const managed = {
    get: async () => {
      if (state.policy === null) throw new Error('Managed storage manifest not found');
      return state.slow ? NEVER : state.policy;
    },
  };
  const read = () => {
    const remembered = managedPolicy({
      managed,
      local,
      session: state.session,
      now: () => state.time,
      sleep: state.sleep,
    });
    return readEnrolment({ managed: remembered, local, packaged: async () => null });
  };
  const restart = () => {
    state.session = memoryStorage();
  };
  return { state, local, read, restart };
}

test('a policy that Chromium has not read yet after a start is the one of the last time', async () => {
  const { state, read, restart } = browser(POLICY);
  expect(await read()).toMatchObject({ source: 'policy', key: 'p', site: 'Berlin' });
  restart();
  state.policy = {};
  expect(await read()).toMatchObject({ source: 'policy', key: 'p' });
  state.time += 59_999;
  expect(await read()).toMatchObject({ source: 'policy' });
  state.policy = POLICY;
  await read();
  // The minute counts anew, and never across a restart.
  state.policy = {};
  state.time += 59_999;
  expect(await read()).toMatchObject({ source: 'policy' });
  restart();
  state.time += 86_400_000;
  expect(await read()).toMatchObject({ source: 'policy' });
});

test('a policy that was taken away is believed to be gone after a minute, and then for good', async () => {
  const { state, local, read } = browser(POLICY);
  await read();
  state.policy = {};
  await read();
  state.time += 60_000;
  expect(await read()).toMatchObject({ source: 'user' });
  expect(local.all()).not.toHaveProperty('policy');
  state.time -= 60_000;
  expect(await read()).toMatchObject({ source: 'user' });
});

test('Firefox says for certain that there is no policy: it is gone at once', async () => {
  const { state, read } = browser(POLICY);
  await read();
  state.policy = null;
  expect(await read()).toMatchObject({ source: 'user' });
});

test('without any policy nothing is remembered', async () => {
  const { local, read } = browser({});
  expect(await read()).toMatchObject({ source: 'user', site: 'home' });
  expect(local.all()).not.toHaveProperty('policy');
});

test('a policy may name the site alone; a half enrolment is not mixed with another', async () => {
  const { state, read } = browser({ site: 'Wien' });
  expect(await read()).toEqual({ collector: 'https://user.test', key: 'u', site: 'Wien', source: 'user' });
  state.policy = { collector: 'https://policy.test', site: '' };
  expect(await read()).toMatchObject({ collector: 'https://user.test', key: 'u', site: 'home' });
});

test('a browser that does not get round to its policies has the one of the last time', async () => {
  const { state, read } = browser(POLICY);
  await read();
  state.slow = true;
  state.sleep = async (ms) => void expect(ms).toBe(2_000);
  expect(await read()).toMatchObject({ source: 'policy', key: 'p' });
});

test('an answer that never comes stands in the way of no other enrolment', async () => {
  const { state, read } = browser(POLICY);
  state.slow = true;
  const waits: number[] = [];
  state.sleep = async (ms) => void waits.push(ms);
  expect(await read()).toMatchObject({ source: 'user', key: 'u' });
  expect(waits).toEqual([30_000]);
});
