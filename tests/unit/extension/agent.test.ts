import { beforeEach, expect, test } from 'vitest';
import { Agent } from '../../../extension/background/agent.ts';
import { Delivery } from '../../../extension/background/delivery.ts';
import type { Enrolment } from '../../../extension/background/enrolment.ts';
import { EntryIntake } from '../../../extension/background/entry-intake.ts';
import type { LocalState, LocalStore } from '../../../extension/background/local-state.ts';
import { PauseSwitch } from '../../../extension/background/pause.ts';
import { RequestLog } from '../../../extension/background/request-log.ts';
import { SentLog } from '../../../extension/background/sent-log.ts';
import { SettingsPoll } from '../../../extension/background/settings-poll.ts';
import { StateStore } from '../../../extension/background/state-store.ts';
import type { EntryGroup } from '../../../extension/packed-group.ts';
import type { ExtensionSettings } from '../../../shared/settings/settings-schema.ts';
import { entryWith, FAILED } from '../timing/entries.ts';
import {
  ENROLMENT,
  type FakeEnvironment,
  fakeEnvironment,
  MemoryQueue,
  memoryStorage,
  ORIGIN,
  sample,
} from './fakes.ts';

const GROUP: EntryGroup = {
  kind: 'entries',
  id: 'new',
  page: 'https://app.test/',
  origin: 'https://app.test',
  activationStart: 0,
  top: true,
  timeOrigin: 0,
  entries: [],
  dropped: 0,
};
const SETTINGS: ExtensionSettings = {
  version: 1,
  revision: 1,
  targets: [{ id: 'app', name: 'App', match: ['https://app.test/*'] }],
  delivery: { intervalSeconds: 60 },
};

let environment: FakeEnvironment;
let registered: (ExtensionSettings | null)[];
let agent: Agent;
let state: LocalStore;
let queue: MemoryQueue;
let pause: PauseSwitch;
let mayPauseForGood: boolean;
let share: unknown;
let log: RequestLog;
let slept: (ms: number) => void;
let hearsOfFailures: boolean;
let askedWhetherItHears: number;
let enrolment: Enrolment | null;

beforeEach(() => {
  environment = fakeEnvironment();
  registered = [];
  state = new StateStore<LocalState>(memoryStorage());
  queue = new MemoryQueue();
  mayPauseForGood = true;
  log = new RequestLog();
  slept = () => {};
  hearsOfFailures = true;
  askedWhetherItHears = 0;
  enrolment = ENROLMENT;
  share = undefined;
  pause = new PauseSwitch({
    ...environment,
    state,
    mayPauseForGood: async () => mayPauseForGood,
    share: async () => share,
  });
  const sent = new SentLog(state);
  agent = new Agent({
    state,
    queue,
    poll: new SettingsPoll(state, environment),
    delivery: new Delivery(queue, state, environment, null, sent),
    pause,
    sent,
    mayPauseForGood: async () => mayPauseForGood,
    declared: async () => null,
    intake: new EntryIntake({ engine: 'chromium', queue, log, state, now: environment.now }),
    hearsOfFailures: async () => {
      askedWhetherItHears++;
      return hearsOfFailures;
    },
    enrolment: async () => enrolment,
    register: async (settings) => {
      registered.push(settings);
      return { granted: settings ? ['https://app.test/*'] : [], missing: [], afterRestart: false };
    },
    origin: async () => ORIGIN,
    now: environment.now,
    sleep: async (ms) => {
      environment.time += ms;
      slept(ms);
    },
  });
});

test('captures nothing before the first settings, and asks again until there are some', async () => {
  expect(await agent.recover()).toBe(false);
  expect(registered).toEqual([null]);
  environment.answers.push(() => Response.json(SETTINGS));
  environment.time += 19_999;
  expect(await agent.recover()).toBe(false);
  expect(environment.asked).toHaveLength(1);
  environment.time += 1;
  expect(await agent.recover()).toBe(true);
  expect(registered).toEqual([null, SETTINGS]);
  expect(await agent.recover()).toBe(true);
  expect(environment.asked).toHaveLength(2);
});

test('an enrolment that comes while a refresh is under way is asked for settings, and once', async () => {
  enrolment = null;
  environment.answers.push(() => Response.json(SETTINGS));
  const starting = agent.refresh();
  // The run has read that there is none by now, and is on its way to the capture.
  await Promise.resolve();
  enrolment = ENROLMENT;
  await Promise.all([starting, agent.refresh(), agent.refresh()]);
  expect(environment.asked).toHaveLength(1);
  expect(registered.at(-1)).toEqual(SETTINGS);
});

test('a clock set back does not keep it from asking', async () => {
  await agent.recover();
  environment.time -= 3_600_000;
  environment.answers.push(() => Response.json(SETTINGS));
  expect(await agent.recover()).toBe(true);
});

test('a background stopped between settings and registration registers at its next start', async () => {
  environment.answers.push(() => Response.json(SETTINGS));
  await new SettingsPoll(state, environment).refresh(ENROLMENT);
  expect(registered).toEqual([]);
  expect(await agent.recover()).toBe(true);
  expect(registered).toEqual([SETTINGS]);
  await agent.recover();
  expect(registered).toEqual([SETTINGS]);
});

test('a refused key stops the capture, and is not asked about at every alarm', async () => {
  environment.answers.push(
    () => Response.json(SETTINGS),
    () => new Response('', { status: 403 }),
  );
  await agent.refresh();
  await agent.refresh();
  expect(registered).toEqual([SETTINGS, null]);
  expect(await agent.recover()).toBe(true);
  expect(environment.asked).toHaveLength(2);
  expect((await agent.status()).state).toBe('key_refused');
});

test('the status never tells the key', async () => {
  environment.answers.push(() => Response.json(SETTINGS));
  await agent.refresh();
  const status = await agent.status();
  expect(status).toMatchObject({ state: 'collecting', collector: ENROLMENT.collector, waiting: 0 });
  expect(JSON.stringify(status)).not.toContain(`"${ENROLMENT.key}"`);
});

test('a group that finds the disk full takes the place of older ones', async () => {
  environment.answers.push(() => Response.json(SETTINGS));
  await agent.refresh();
  await queue.add('old', [sample(environment.time)], environment.time);
  const full = Object.assign(new Error('full'), { name: 'QuotaExceededError' });
  const add = queue.add.bind(queue);
  let refusals = 1;
  queue.add = (...group) => (refusals-- > 0 ? Promise.reject(full) : add(...group));
  await agent.take(GROUP, null);
  expect((await agent.status()).delivery.dropped).toEqual({ full: 1 });
  expect(queue.seen).toContain(GROUP.id);
  refusals = 1;
  queue.groups = [];
  await expect(agent.take({ ...GROUP, id: 'other' }, null)).rejects.toThrow('full');
});

test('a pause stops capture and sending at once, and its end brings both back', async () => {
  environment.answers.push(() => Response.json(SETTINGS));
  await agent.refresh();
  await queue.add('before', [sample(environment.time)], environment.time);
  await pause.begin('hour');
  await agent.register();
  expect(registered.at(-1)).toBeNull();
  expect((await agent.status()).state).toBe('paused');
  expect((await agent.status()).targets).toHaveLength(1); // the user still sees which apps it is about
  const asked = environment.asked.length;
  await agent.deliver();
  expect(environment.asked).toHaveLength(asked);
  // A page that was open before goes on telling, and is not listened to.
  await agent.take({ ...GROUP, entries: [] }, null);
  expect(queue.seen).not.toContain(GROUP.id);
  environment.time += 3_600_000;
  expect(await agent.recover()).toBe(true);
  expect(registered.at(-1)).toEqual(SETTINGS);
  expect((await agent.status()).state).toBe('collecting');
  await agent.deliver();
  expect(environment.asked).toHaveLength(asked + 1);
});

test('outside the policy’s share it measures and sends nothing and says so, and begins once the share has grown', async () => {
  environment.answers.push(() => Response.json(SETTINGS));
  await agent.refresh();
  await queue.add('before', [sample(environment.time)], environment.time);
  await state.write('draw', 49);
  share = 49;
  await agent.recover();
  expect(registered.at(-1)).toBeNull();
  expect(await agent.status()).toMatchObject({ state: 'paused', paused: { until: 'turn' }, targets: [{ id: 'app' }] });
  const asked = environment.asked.length;
  await agent.deliver();
  expect(environment.asked).toHaveLength(asked);
  share = 50;
  await agent.refresh();
  expect(registered.at(-1)).toEqual(SETTINGS);
  expect((await agent.status()).state).toBe('collecting');
});

test('what waits in a pause for good goes after 7 days like any other sample, and is counted', async () => {
  await queue.add('before', [sample(environment.time)], environment.time);
  await pause.begin('forever');
  environment.time += 7 * 24 * 3_600_000;
  await agent.deliver();
  expect(await queue.count()).toBe(1);
  environment.time += 1;
  await agent.deliver();
  expect(await queue.count()).toBe(0);
  expect((await agent.status()).delivery.dropped).toEqual({ full: 1 });
  expect(environment.asked).toHaveLength(0);
});

test('what a page did during a pause is not asked of it afterwards', async () => {
  environment.answers.push(() => Response.json(SETTINGS));
  await agent.refresh();
  const begun = environment.time;
  await pause.begin('forever');
  environment.time += 10_000;
  await pause.end();
  const at = (offset: number) => ({
    entry: entryWith({ name: 'https://app.test/x', startTime: begun + offset }),
    hidden: false,
    restored: false,
    seenAt: 0,
  });
  await agent.take({ ...GROUP, entries: [at(-1), at(5_000), at(10_001)] }, null);
  expect(await queue.count()).toBe(2);
});

test('a pause for good ends where the organisation forbids it, an hour does not', async () => {
  await pause.begin('forever');
  expect(await pause.current()).toMatchObject({ until: 'forever' });
  mayPauseForGood = false;
  expect(await pause.current()).toBeNull();
  expect(await pause.begin('forever')).toBe(false);
  expect(await pause.begin('hour')).toBe(true);
  expect(await pause.current()).not.toBeNull();
});

test('a pause until restart ends with it and with nothing else', async () => {
  await pause.begin('restart');
  environment.time += 30 * 24 * 3_600_000;
  expect(await pause.current()).not.toBeNull();
  await pause.restarted();
  expect(await pause.current()).toBeNull();
  await pause.begin('hour');
  await pause.restarted();
  expect(await pause.current()).not.toBeNull();
});

test('an hour stays an hour when the clock is set back by a day', async () => {
  await pause.begin('hour');
  environment.time -= 24 * 3_600_000;
  expect(await pause.current()).not.toBeNull();
  environment.time += 3_600_000;
  expect(await pause.current()).toBeNull();
});

const BROKEN = { ...FAILED, name: 'https://app.test/broken', responseStatus: 0 };
function failed(id: string): EntryGroup {
  const seen = { entry: BROKEN, hidden: false, restored: false, seenAt: BROKEN.responseEnd };
  return { ...GROUP, id, timeOrigin: environment.time, entries: [seen] };
}

test('a failure that the page tells of first waits for the browser to name it, but not for ever', async () => {
  environment.answers.push(() => Response.json(SETTINGS));
  await agent.refresh();
  let left = 3;
  const told = failed('told');
  slept = () => {
    if (--left > 0) return;
    const place = { tab: 1, frame: 0, url: BROKEN.name };
    log.failed('7', place, told.timeOrigin + BROKEN.responseEnd + 20, 'net::ERR_EMPTY_RESPONSE');
  };
  await agent.take(told, { tab: 1, frame: 0 });
  expect(queue.groups.at(-1)?.samples).toMatchObject([{ error: 'net::ERR_EMPTY_RESPONSE' }]);
  let waited = 0;
  slept = (ms) => {
    waited += ms;
  };
  await agent.take(failed('never told'), { tab: 1, frame: 0 });
  expect(waited).toBe(5_000);
  expect(queue.groups.at(-1)?.samples).toMatchObject([{ connection: 'failed', error: null }]);
  waited = 0;
  askedWhetherItHears = 0;
  enrolment = ENROLMENT;
  await agent.take({ ...failed('answered'), entries: [] }, { tab: 1, frame: 0 });
  expect([waited, askedWhetherItHears]).toEqual([0, 0]);
});

test('a browser that tells of failures only from its next start on is not waited for', async () => {
  environment.answers.push(() => Response.json(SETTINGS));
  await agent.refresh();
  hearsOfFailures = false;
  let waited = 0;
  slept = (ms) => {
    waited += ms;
  };
  await agent.take(failed('not told'), { tab: 1, frame: 0 });
  expect([waited, askedWhetherItHears]).toEqual([0, 1]);
  expect(queue.groups.at(-1)?.samples).toMatchObject([{ connection: 'failed', error: null }]);
});
