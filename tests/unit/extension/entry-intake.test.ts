import { beforeEach, expect, test } from 'vitest';
import { EntryIntake } from '../../../extension/background/entry-intake.ts';
import type { LocalState, LocalStore } from '../../../extension/background/local-state.ts';
import { RequestLog } from '../../../extension/background/request-log.ts';
import { StateStore } from '../../../extension/background/state-store.ts';
import type { EntryGroup, SeenEntry } from '../../../extension/packed-group.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import type { ExtensionSettings, Target } from '../../../shared/settings/settings-schema.ts';
import type { TimingEntry } from '../../../shared/timing/timing-entry.ts';
import { MemoryQueue, memoryStorage } from './fakes.ts';

const ORIGIN_TIME = Date.UTC(2026, 0, 15);
const APP: Target = { id: 'app', name: 'App', match: ['https://app.test/*'] };

let queue: MemoryQueue;
let state: LocalStore;
let groups: number;

beforeEach(() => {
  queue = new MemoryQueue();
  state = new StateStore<LocalState>(memoryStorage());
  groups = 0;
});

/** A request of 20 ms over a kept connection, `at` ms after the document began. */
function request(at: number, name = 'https://app.test/', change: Partial<TimingEntry> = {}): SeenEntry {
  const entry: TimingEntry = {
    entryType: 'resource',
    name,
    initiatorType: 'fetch',
    startTime: at,
    redirectStart: 0,
    redirectEnd: 0,
    workerStart: 0,
    fetchStart: at,
    domainLookupStart: at,
    domainLookupEnd: at,
    connectStart: at,
    secureConnectionStart: at,
    connectEnd: at,
    requestStart: at + 1,
    responseStart: at + 19,
    finalResponseHeadersStart: null,
    responseEnd: at + 20,
    nextHopProtocol: 'h2',
    transferSize: 400,
    encodedBodySize: 100,
    decodedBodySize: 100,
    responseStatus: 200,
    contentType: 'text/html',
    deliveryType: '',
    serverTiming: [],
    navigationType: null,
    activationStart: null,
    redirectCount: null,
    ...change,
  };
  return { entry, hidden: false, restored: false, seenAt: at + 30 };
}

const CACHED = { transferSize: 0, deliveryType: 'cache' };

/** Each call is a background that has just been started: only what is on disk is left of the one before. */
async function takeIn(
  entries: readonly SeenEntry[],
  target = APP,
  isRobot = async () => false,
): Promise<readonly Sample[]> {
  const settings: ExtensionSettings = { version: 1, revision: 1, targets: [target], delivery: { intervalSeconds: 60 } };
  const now = () => ORIGIN_TIME;
  const intake = new EntryIntake({
    engine: 'chromium',
    queue,
    log: new RequestLog(),
    state,
    now,
    isRobot,
  });
  const group: EntryGroup = {
    kind: 'entries',
    id: `group-${groups++}`,
    page: 'https://app.test/start',
    origin: 'https://app.test',
    activationStart: 0,
    top: true,
    timeOrigin: ORIGIN_TIME,
    entries: [...entries],
    dropped: 0,
  };
  expect(await intake.take(group, null, settings)).toEqual({});
  return queue.groups.at(-1)?.samples ?? [];
}

test('the time an origin was silent is known beyond the life of a background', async () => {
  expect((await takeIn([request(100)])).map(({ idleMs }) => idleMs)).toEqual([null]);
  expect((await takeIn([request(65_120)])).map(({ idleMs }) => idleMs)).toEqual([65_000]);
});

test('an answer from the cache does not end a silence', async () => {
  await takeIn([request(100), request(30_000, 'https://app.test/logo.png', CACHED)]);
  expect((await takeIn([request(65_120)])).map(({ idleMs }) => idleMs)).toEqual([65_000]);
});

test('a server time that cannot be right costs no sample, and is counted', async () => {
  const nanoseconds = request(100, undefined, {
    serverTiming: [{ name: 'app', duration: 90_000_000, description: '' }],
  });
  expect(await takeIn([nanoseconds, request(200), nanoseconds])).toMatchObject(Array(3).fill({ serverTime: null }));
  expect(await state.read('ignored')).toEqual({ bad_server_time: 2 });
});

test("the admin's rules shape the templates of their target", async () => {
  const entry = request(100, 'https://app.test/users/jane/orders/17');
  expect((await takeIn([entry])).map(({ template }) => template)).toEqual(['/users/jane/orders/{n}']);
  const target = { ...APP, templateRules: ['/users/{user}/**'] };
  expect((await takeIn([entry], target)).map(({ template }) => template)).toEqual(['/users/{user}/orders/{n}']);
});

test('a page on another port of a host gives nothing where the target names the port', async () => {
  const target = { ...APP, match: ['https://app.test:8443/*'] };
  await takeIn([request(100)], target);
  expect(queue.groups).toEqual([]);
});

test('a document that never came is a sample of the target whose page it would have been', async () => {
  const now = () => ORIGIN_TIME;
  const intake = new EntryIntake({
    engine: 'chromium',
    queue,
    log: new RequestLog(),
    state,
    now,
  });
  const settings: ExtensionSettings = { version: 1, revision: 1, targets: [APP], delivery: { intervalSeconds: 60 } };
  const failure = {
    request: '7',
    url: 'https://app.test/orders/4711?secret',
    type: 'main_frame',
    startedAt: ORIGIN_TIME,
    endedAt: ORIGIN_TIME + 90,
    error: 'net::ERR_CONNECTION_REFUSED',
  };
  await intake.takeFailure(failure, settings);
  await intake.takeFailure(failure, settings);
  await intake.takeFailure({ ...failure, url: 'https://elsewhere.test/' }, settings);
  await intake.takeFailure({ ...failure, request: '8' }, null);
  const samples = queue.groups.flatMap((group) => group.samples);
  expect(samples).toHaveLength(1);
  expect(samples[0]).toMatchObject({ target: 'app', type: 'document', template: '/orders/{n}', connection: 'failed' });
});

test('the last message of a page is matched although it seems to come from another frame', async () => {
  const log = new RequestLog();
  const intake = new EntryIntake({
    engine: 'chromium',
    queue,
    log,
    state,
    now: () => ORIGIN_TIME,
  });
  const settings: ExtensionSettings = { version: 1, revision: 1, targets: [APP], delivery: { intervalSeconds: 60 } };
  const page = 'https://app.test/start';
  const url = 'https://app.test/x';
  const group = {
    kind: 'entries',
    page,
    origin: 'https://app.test',
    activationStart: 0,
    timeOrigin: ORIGIN_TIME,
  } as const;
  const failed = request(100, url, { responseStatus: 0, transferSize: 0, requestStart: 0, responseStart: 0 });
  for (const top of [true, false]) {
    log.failed('1', { tab: 1, frame: 0, url }, ORIGIN_TIME + 120, 'net::ERR_EMPTY_RESPONSE');
    await intake.take({ ...group, id: `${top}`, top, entries: [failed], dropped: 0 }, { tab: 1, frame: 4 }, settings);
  }
  expect(queue.groups.map(({ samples }) => samples[0]?.error)).toEqual(['net::ERR_EMPTY_RESPONSE', null]);
});

test("a robot's requests carry the step of its run, as a script's, and those of no run are nobody's", async () => {
  const at = ORIGIN_TIME + 50;
  await state.write('run', { id: 'order', at, steps: [at, at + 100], endedAt: at + 250 });
  const samples = await takeIn([request(10), request(60), request(200), request(310)], APP, async () => true);
  expect(samples.map(({ source, journey, step, run }) => [source, journey, step, run])).toEqual([
    ['probe-script', 'order', 1, at],
    ['probe-script', 'order', 2, at],
  ]);
  // It is no robot any more: what comes late is still the run's.
  const later = await takeIn([request(250), request(400)]);
  expect(later.map(({ source, journey }) => [source, journey])).toEqual([
    ['probe-script', 'order'],
    ['page', undefined],
  ]);
});
