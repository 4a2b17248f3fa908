import { beforeEach, expect, test } from 'vitest';
import type { LocalState, LocalStore } from '../../../extension/background/local-state.ts';
import { StateStore } from '../../../extension/background/state-store.ts';
import type { RobotOrder, RobotResult } from '../../../extension/journey/robot-run.ts';
import { ProbeSchedule } from '../../../extension/probe/probe-schedule.ts';
import type { Breakage } from '../../../shared/journeys/breakage.ts';
import { countRequestsPerHour } from '../../../shared/probes/probe-budget.ts';
import type { RequestOutcome } from '../../../shared/probes/prove-request.ts';
import type { ExtensionProbes, ScheduledJourney, ScheduledProbe } from '../../../shared/settings/probe-settings.ts';
import type { ExtensionSettings } from '../../../shared/settings/settings-schema.ts';
import { MemoryQueue, memoryStorage } from '../extension/fakes.ts';
import { fakeBrowser } from './fake-edges.ts';

const PROBE: ScheduledProbe = { id: 'erp', target: 'app', url: 'https://app.test/4k', everyMinutes: 60 };
const HOUR = 3_600_000;

let probes: ExtensionProbes | undefined;
let alarms: Map<string, { delayInMinutes: number; periodInMinutes: number }>;
let time: number;
let idle: boolean;
let powered: boolean | null;
let queue: MemoryQueue;
let state: LocalStore;
let client: string;
let isRobot: boolean;
let ordered: RobotOrder[];
let result: RobotResult | null;

beforeEach(() => {
  probes = { enabled: true, schedule: [PROBE] };
  alarms = new Map();
  time = Date.UTC(2026, 0, 15);
  idle = true;
  powered = true;
  queue = new MemoryQueue();
  state = new StateStore<LocalState>(memoryStorage());
  client = 'c1';
  isRobot = true;
  ordered = [];
  result = null;
});

function schedule(
  onRequest: () => void = () => {},
  answer: (made: RequestOutcome) => RequestOutcome = (made) => made,
): ProbeSchedule {
  return new ProbeSchedule({
    ready: Promise.resolve(),
    state,
    queue,
    alarms: {
      getAll: async () => [...alarms].map(([name, { periodInMinutes }]) => ({ name, periodInMinutes })),
      create: (name, when) => void alarms.set(name, when),
      clear: async (name) => alarms.delete(name),
    },
    settings: async (): Promise<ExtensionSettings> => ({
      version: 1,
      revision: 1,
      targets: [{ id: 'app', name: 'App', match: ['https://app.test/*'], serverTimingMetrics: ['rows'] }],
      delivery: { intervalSeconds: 60 },
      ...(probes ? { probes } : {}),
    }),
    browser: async () => ({ client, site: 'here' }),
    isIdle: async () => idle,
    isOnPower: async () => powered,
    isRobot: async () => isRobot,
    robot: {
      replay: async (order) => {
        ordered.push(order);
        await state.write('run', {
          id: order.journey.id,
          at: order.at,
          steps: [order.at, order.at + 5],
          endedAt: order.at + 9,
        });
        return result;
      },
    },
    edges: () =>
      fakeBrowser('chromium', 'http/1.1', (made) => {
        onRequest();
        return answer(made);
      }),
    deliver: async () => {},
    now: () => time,
    random: () => 0.5,
    uuid: () => `group-${time}`,
  });
}

const turns = async () => (await state.read('probes'))?.last ?? {};

test('one alarm a probe at a random first moment; others are cleared, and nobody else’s is touched', async () => {
  alarms.set('deliver', { delayInMinutes: 1, periodInMinutes: 0.5 });
  alarms.set('probe/gone', { delayInMinutes: 1, periodInMinutes: 5 });
  await schedule().sync();
  expect([...alarms.keys()]).toEqual(['deliver', 'probe/erp']);
  expect(alarms.get('probe/erp')).toEqual({ delayInMinutes: 30, periodInMinutes: 60 });
  const before = alarms.get('probe/erp');
  await schedule().sync();
  expect(alarms.get('probe/erp')).toBe(before);
  probes = { enabled: true, schedule: [{ ...PROBE, everyMinutes: 30 }] };
  await schedule().sync();
  expect(alarms.get('probe/erp')?.periodInMinutes).toBe(30);
  probes = { ...probes, enabled: false };
  await schedule().sync();
  expect([...alarms.keys()]).toEqual(['deliver']);
});

test('a turn queues its samples as probes and notes its report', async () => {
  await schedule().alarm('probe/erp');
  expect(await turns()).toMatchObject({ erp: { at: time, skipped: null, report: { probe: 'erp', stopped: null } } });
  const sources = new Set(queue.groups.flatMap(({ samples }) => samples.map(({ source }) => source)));
  expect([...sources].sort()).toEqual(['probe-http-new', 'probe-http-reused', 'probe-https-new', 'probe-https-reused']);
  expect(queue.groups.flatMap(({ samples }) => samples).every(({ target }) => target === 'app')).toBe(true);
});

test('the kill switch ends a running ladder, and no later alarm starts one', async () => {
  let requests = 0;
  await schedule(() => {
    requests++;
    if (requests === 12) probes = { enabled: false, schedule: [PROBE] };
  }).alarm('probe/erp');
  expect(await turns()).toMatchObject({ erp: { report: { stopped: 'switched_off' } } });
  expect(requests).toBeLessThan(25);
  requests = 0;
  await schedule(() => requests++).alarm('probe/erp');
  expect(requests).toBe(0);
});

test('the budget holds over all probes, whatever the settings say, until an hour later', async () => {
  const other = { ...PROBE, id: 'two' };
  probes = { enabled: true, requestsPerHour: countRequestsPerHour([PROBE]), schedule: [PROBE, other] };
  await schedule().alarm('probe/erp');
  const spent = (await state.read('probes'))?.spent[0]?.requests ?? 0;
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBeLessThan(countRequestsPerHour([PROBE]));
  await schedule().alarm('probe/two');
  expect(await turns()).toMatchObject({ two: { skipped: 'budget' } });
  time += HOUR;
  await schedule().alarm('probe/two');
  expect(await turns()).toMatchObject({ two: { skipped: null } });
  // A document from elsewhere may say anything.
  probes = { enabled: true, requestsPerHour: 1e9, schedule: [{ ...PROBE, id: 'three', repetitions: 500 }] };
  await schedule().alarm('probe/three');
  expect(await turns()).toMatchObject({ three: { skipped: 'budget' } });
});

test('only at its sites, only when idle if so set, only in its share of the fleet', async () => {
  probes = { enabled: true, schedule: [{ ...PROBE, sites: ['elsewhere'] }] };
  await schedule().alarm('probe/erp');
  expect(await turns()).toEqual({});
  idle = false;
  probes = { enabled: true, schedule: [{ ...PROBE, sites: ['here'], onlyWhenIdle: true }] };
  await schedule().alarm('probe/erp');
  expect(await turns()).toMatchObject({ erp: { skipped: 'not_idle' } });
  probes = { enabled: true, schedule: [{ ...PROBE, share: 5 / 300 }] };
  let chosen = 0;
  for (let n = 0; n < 3000; n++) {
    client = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    alarms.clear();
    await schedule().sync();
    chosen += alarms.size;
  }
  expect(chosen).toBeGreaterThan(25);
  expect(chosen).toBeLessThan(75);
});

test('only on mains if so set, and not at all where the browser cannot tell', async () => {
  powered = false;
  await schedule().alarm('probe/erp');
  expect(await turns()).toMatchObject({ erp: { skipped: null } });
  probes = { enabled: true, schedule: [{ ...PROBE, onlyOnPower: true }] };
  await schedule().alarm('probe/erp');
  expect(await turns()).toMatchObject({ erp: { skipped: 'on_battery' } });
  powered = null;
  await schedule().alarm('probe/erp');
  expect(await turns()).toMatchObject({ erp: { skipped: 'power_unknown' } });
  powered = true;
  time += HOUR;
  await schedule().alarm('probe/erp');
  expect(await turns()).toMatchObject({ erp: { skipped: null } });
});

test('a turn that breaks off is told of, and the next probe has its turn all the same', async () => {
  probes = { enabled: true, requestsPerHour: 1000, schedule: [PROBE, { ...PROBE, id: 'two' }] };
  let requests = 0;
  const both = schedule(() => {
    if (++requests === 1) throw new Error('a defect');
  });
  const [first, second] = [both.alarm('probe/erp'), both.alarm('probe/two')];
  await expect(first).rejects.toThrow('a defect');
  await second;
  expect(await turns()).toMatchObject({ two: { skipped: null, report: { stopped: null } } });
});

test('alarms of others are nobody’s turn', async () => {
  await schedule().alarm('deliver');
  expect(await turns()).toEqual({});
});

test('a probe that would look for a text with the user’s cookies makes no request, whatever the collector says', async () => {
  const steps = [{ url: 'https://app.test/me', text: 'salary' }];
  probes = { enabled: true, schedule: [{ id: 'ask', target: 'app', everyMinutes: 60, cookies: true, steps }] };
  let requests = 0;
  await schedule(() => requests++).alarm('probe/ask');
  expect(requests).toBe(0);
  expect(await turns()).toEqual({ ask: { at: time, skipped: 'text_with_cookies' } });
});

test('with the user’s cookies nothing about a body leaves the browser: no size, no change of size, no metric', async () => {
  const script = {
    id: 'script',
    target: 'app',
    everyMinutes: 60,
    cookies: true,
    steps: [{ url: PROBE.url as string }],
  };
  probes = { enabled: true, requestsPerHour: 1000, schedule: [{ ...PROBE, cookies: true }, script] };
  let size = 1000;
  const growing = schedule(undefined, (made) => {
    size += 1000;
    const serverTiming = [{ name: 'rows', duration: size, description: '' }];
    return { ...made, entry: made.entry && { ...made.entry, decodedBodySize: size, serverTiming } };
  });
  await growing.alarm('probe/erp');
  time++;
  await growing.alarm('probe/script');
  const samples = queue.groups.flatMap((group) => group.samples);
  expect(new Set(samples.map(({ source }) => source))).toContain('probe-script');
  for (const { transferSize, encodedBodySize, decodedBodySize, metrics } of samples)
    expect([transferSize, encodedBodySize, decodedBodySize, metrics]).toEqual([null, null, null, {}]);
  expect(JSON.stringify(await turns())).not.toContain('size_changed');
});

const JOURNEY: ScheduledJourney = {
  id: 'order',
  target: 'app',
  everyMinutes: 60,
  recording: { title: 'Order', steps: [{ type: 'navigate', url: 'https://app.test/' }] },
};

test('a browser that is no robot never replays a recording, and says so once', async () => {
  probes = { enabled: true, schedule: [], journeys: [JOURNEY] };
  isRobot = false;
  await schedule().alarm('probe/order');
  expect(await turns()).toEqual({ order: { at: time, skipped: 'not_robot' } });
  const first = time;
  time += HOUR;
  await schedule().run('order');
  expect(await turns()).toEqual({ order: { at: first, skipped: 'not_robot' } });
  expect(ordered).toEqual([]);
});

test('a robot replays a recording in the pages of its app, and tells what broke', async () => {
  probes = { enabled: true, schedule: [], journeys: [JOURNEY] };
  const broke: Breakage = { step: 1, reason: 'http_status', detail: '503', lookedFor: [], page: null };
  const step = { step: 1, type: 'navigate', name: 'x', ms: null, requests: 1, connections: 0, bytes: 0 } as const;
  result = { skipped: null, outcome: { steps: [{ ...step, polls: 0, thresholdMs: null }], broke } };
  await schedule().alarm('probe/order');
  expect(ordered).toEqual([{ journey: JOURNEY, at: time, patterns: ['https://app.test/*'] }]);
  expect(await turns()).toMatchObject({
    order: { at: time, skipped: null, broke, report: { steps: [{ ok: false, reason: 'http_status', time: null }] } },
  });
});

test.each([
  ['page_closed', 'its page is closed', () => schedule().alarm('probe/order')],
  ['browser_quit', 'the browser ends', () => schedule().recover()],
] as const)('a run is broken at its last step, with the reason %s, if %s in the middle', async (reason, _, end) => {
  probes = { enabled: true, schedule: [], journeys: [JOURNEY] };
  await state.write('run', { id: 'order', at: time, steps: [time, time + 5], endedAt: null });
  await end();
  expect(await turns()).toMatchObject({ order: { report: { steps: [{ reason: null }, { reason }] } } });
  await schedule().recover();
  expect((await state.read('run'))?.endedAt).toBeGreaterThanOrEqual(time);
});
