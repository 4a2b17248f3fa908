import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import { createIngestBodies } from '../../collector/ingest/ingest-bodies.ts';
import { createAlerts } from '../../collector/monitoring/alerts/alerts.ts';
import { isDue } from '../../collector/monitoring/alerts/deliver.ts';
import { createOutgoing } from '../../collector/outgoing/outgoing.ts';
import { createReportRenderer } from '../../collector/reports/report-renderer.ts';
import { createReportSchedule } from '../../collector/reports/schedule/report-schedule.ts';
import type { AcceptedBatch } from '../../collector/storage/ingestion.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId } from './fill-store.ts';
import { heardBrowsers } from './read-fleet.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RETENTION = { sampleDays: 30, hourDays: 90, dayDays: 731, monthDays: null };

/** The wall clock, and how long the machine has been running: only the first can be set. */
interface Clocks {
  wall: number;
  steady: number;
}

const pass = (clocks: Clocks, ms: number) => {
  clocks.wall += ms;
  clocks.steady += ms;
};

async function openAt(folder: string, clocks: Clocks, notices: string[] = [], as: 'server' | 'command' = 'server') {
  return openStore({
    folder,
    as,
    clock: () => clocks.wall,
    monotonic: () => clocks.steady,
    onNotice: (text) => notices.push(text),
  });
}

/** A sample an hour ago for each browser, stored as sent at `sentAt` by the browser's clock. */
function bodies(clocks: Clocks, sentAt: number, browsers: number, first = 1) {
  return Array.from({ length: browsers }, (_, i) => {
    const origin = { ...ORIGIN, client: browserId(first + i) };
    const batch = encodeBatch(origin, randomUUID(), sentAt, [{ ...PLAIN_SAMPLE, at: sentAt - HOUR }]);
    return { bytes: Buffer.from(JSON.stringify(batch)), receivedAt: clocks.wall, key: 'key-1' };
  });
}

const batchAt = (...times: number[]): AcceptedBatch => ({
  id: randomUUID(),
  receivedAt: times[0] as number,
  clockCorrection: 0,
  origin: ORIGIN,
  columns: toBatchColumns(times.map((at) => ({ ...PLAIN_SAMPLE, at }))),
});

async function samplesIn(store: Store): Promise<number> {
  let n = 0;
  for await (const block of store.samples.scan({ range: { from: 0, to: 8e15 }, filters: {} })) n += block.length;
  return n;
}

const browsersIn = async (store: Store) => (await heardBrowsers(store, { from: 0, to: 8e15 })).length;

test('a clock that jumps 400 days ahead removes nothing, and is believed again once it is back', async () => {
  const clocks = { wall: NOW, steady: 5000 };
  const notices: string[] = [];
  const store = await openAt(await temporaryFolder(), clocks, notices);
  const batch = batchAt(NOW - HOUR);
  await store.samples.append([batch, batchAt(NOW - 2 * DAY)]);
  await store.maintenance.rollUp();
  clocks.wall += 400 * DAY;
  await store.maintenance.prune(clocks.wall, RETENTION);
  expect(await samplesIn(store)).toBe(2);
  expect(await browsersIn(store)).toBe(1);
  expect(await store.maintenance.keptFrom()).toBe(0);
  expect(await store.clock.status()).toEqual({ now: NOW + 400 * DAY, expected: NOW });
  expect(notices).toEqual([expect.stringContaining('lastbyte clock confirm')]);

  pass(clocks, HOUR);
  clocks.wall -= 400 * DAY;
  expect(await store.clock.status()).toEqual({ now: NOW + HOUR, expected: null });
  await store.maintenance.prune(clocks.wall, RETENTION);
  expect(await samplesIn(store)).toBe(2);
  // What came is known whatever the time of its receipt was worth.
  expect(await store.samples.append([batch])).toMatchObject([{ duplicate: true }]);
  await store.close();
});

test('ids of batches outlive a clock that was behind and was put right', async () => {
  const clocks = { wall: NOW, steady: 5000 };
  const store = await openAt(await temporaryFolder(), clocks);
  clocks.wall -= 20 * DAY;
  const [body] = bodies(clocks, clocks.wall, 1);
  if (body === undefined) throw new Error('no body');
  expect(await createIngestBodies(store.samples)([body])).toMatchObject([{ answer: { duplicate: false } }]);
  clocks.wall += 20 * DAY;
  await store.maintenance.prune(clocks.wall, RETENTION);
  expect(await createIngestBodies(store.samples)([body])).toMatchObject([{ answer: { duplicate: true } }]);
  await store.close();
});

test('while the clock is in doubt, a batch is dated by the clock its browser agrees with, otherwise by the expected time', async () => {
  const clocks = { wall: NOW, steady: 0 };
  const store = await openAt(await temporaryFolder(), clocks);
  clocks.wall += 400 * DAY;
  clocks.steady += HOUR;
  const outcomes = await createIngestBodies(store.samples)([
    ...bodies(clocks, NOW - 3 * DAY, 1, 1),
    ...bodies(clocks, NOW + HOUR, 1, 2),
    ...bodies(clocks, clocks.wall, 1, 3),
  ]);
  expect(outcomes).toMatchObject(Array.from({ length: 3 }, () => ({ ok: true, answer: { accepted: 1 } })));
  const times: number[] = [];
  for await (const block of store.samples.scan({ range: { from: 0, to: 8e15 }, filters: {} })) {
    times.push(...block.map(({ at }) => at));
  }
  // Each was measured an hour before it was sent.
  expect(times).toEqual([NOW, NOW, NOW + 400 * DAY - HOUR]);
  await store.close();
});

test('while the clock is in doubt, batches that alternate between both clocks begin no new month', async () => {
  const clocks = { wall: NOW, steady: 0 };
  const store = await openAt(await temporaryFolder(), clocks);
  clocks.wall += 400 * DAY;
  const labelled = (from: number, sentAt: number) =>
    Array.from({ length: 600 }, (_, i) => {
      const batch = encodeBatch(
        { ...ORIGIN, client: browserId(from + i), site: `site-${from + i}` },
        randomUUID(),
        sentAt,
        [{ ...PLAIN_SAMPLE, at: sentAt - HOUR }],
      );
      return { bytes: Buffer.from(JSON.stringify(batch)), receivedAt: clocks.wall, key: 'key-1' };
    });
  const outcomes = await createIngestBodies(store.samples)([
    ...labelled(0, NOW),
    ...labelled(600, clocks.wall),
    ...labelled(1200, NOW),
  ]);
  const folded = outcomes.filter((outcome) => outcome?.ok && outcome.folded > 0).length;
  expect([outcomes.every((outcome) => outcome?.ok), folded]).toEqual([true, 800]);
  await store.close();
});

test('after a long downtime batches are stored, and data expire once an operator has confirmed the time', async () => {
  const folder = await temporaryFolder();
  const clocks = { wall: NOW, steady: 0 };
  const before = await openAt(folder, clocks);
  for (const at of [NOW - HOUR, NOW - 2 * DAY]) await before.samples.append([batchAt(at)]);
  await before.close();

  const later = { wall: NOW + 40 * DAY, steady: 0 };
  const store = await openAt(folder, later);
  onTestFinished(() => store.close());
  expect(await createIngestBodies(store.samples)(bodies(later, later.wall, 40))).toMatchObject(
    Array.from({ length: 40 }, () => ({ ok: true })),
  );
  // However many browsers agree with the clock.
  pass(later, 3 * HOUR);
  await store.maintenance.prune(later.wall, RETENTION);
  expect(await samplesIn(store)).toBe(42);
  await store.clock.confirm();
  await store.maintenance.prune(later.wall, RETENTION);
  expect(await samplesIn(store)).toBe(41); // one day of what is too old
});

test('a machine that sleeps every night causes no doubt, one that sleeps for a weekend does', async () => {
  const clocks = { wall: NOW, steady: 0 };
  const store = await openAt(await temporaryFolder(), clocks);
  onTestFinished(() => store.close());
  for (let night = 0; night < 5; night++) {
    pass(clocks, 9 * HOUR);
    await store.maintenance.prune(clocks.wall, RETENTION);
    clocks.wall += 15 * HOUR;
    expect(await store.clock.status()).toMatchObject({ expected: null });
  }
  clocks.wall += 63 * HOUR;
  expect((await store.clock.status()).expected).not.toBeNull();
});

test('in a fleet, browsers first heard by a clock in doubt are known for a day a day after it is trusted', async () => {
  const clocks = { wall: NOW, steady: 0 };
  const folder = await temporaryFolder();
  const store = await openAt(folder, clocks);
  const database = new Database(join(folder, 'lastbyte.sqlite'), { readonly: true });
  onTestFinished(async () => {
    database.close();
    await store.close();
  });
  const known = () => database.prepare('SELECT count(*) FROM browser WHERE standing = 2').pluck().get();
  const ingest = createIngestBodies(store.samples);
  await ingest(bodies(clocks, clocks.wall, 20));
  pass(clocks, DAY);
  await ingest(bodies(clocks, clocks.wall, 20));
  expect(known()).toBe(20);
  clocks.wall -= 30 * DAY;
  await ingest(bodies(clocks, clocks.wall, 3, 100));
  clocks.wall += 30 * DAY;
  await ingest(bodies(clocks, clocks.wall, 3, 100));
  expect(known()).toBe(20);
  pass(clocks, DAY);
  await ingest(bodies(clocks, clocks.wall, 3, 100));
  expect(known()).toBe(23);
});

test('an operator confirms the time beside the running server, and a doubt outlives a restart', async () => {
  const folder = await temporaryFolder();
  const clocks = { wall: NOW, steady: 0 };
  await (await openAt(folder, clocks)).close();
  clocks.wall += 3 * DAY;
  await (await openAt(folder, clocks)).close();
  const server = await openAt(folder, clocks);
  expect(await server.clock.status()).toMatchObject({ expected: NOW });
  const command = await openAt(folder, clocks, [], 'command');
  expect(await command.clock.status()).toMatchObject({ expected: NOW });
  expect(await command.clock.confirm()).toMatchObject({ expected: null });
  await command.close();
  expect(await server.clock.status()).toMatchObject({ expected: null });
  await server.close();
  const again = await openAt(folder, clocks);
  expect(await again.clock.status()).toMatchObject({ expected: null });
  await again.close();
});

test('a pass removes one day of samples, and nothing is noted as removed that never was there', async () => {
  const clocks = { wall: NOW, steady: 0 };
  const store = await openAt(await temporaryFolder(), clocks);
  const days = [60, 59, 45, 20];
  for (const day of days) await store.samples.append([batchAt(NOW - day * DAY)]);
  await store.maintenance.rollUp();
  for (const left of [3, 2, 1, 1]) {
    await store.maintenance.prune(NOW, RETENTION);
    expect(await samplesIn(store)).toBe(left);
  }
  await store.maintenance.prune(NOW + 500 * DAY, RETENTION);
  expect(await samplesIn(store)).toBe(0);
  await store.maintenance.prune(NOW + 500 * DAY, RETENTION);
  expect(await store.maintenance.keptFrom()).toBeLessThanOrEqual(NOW - 19 * DAY);
  await store.close();
});

test('a clock that ran ahead costs no later report', async () => {
  const clocks = { wall: NOW, steady: 0 };
  const store = await openAt(await temporaryFolder(), clocks);
  onTestFinished(() => store.close());
  const schedule = [{ id: 'daily', cron: '0 6 * * *', formats: ['text'], folder: 'out' }];
  await store.settings.write({ version: 1, targets: [], reports: { schedule } }, null, 0);
  const reports = createReportSchedule({
    store,
    clock: () => clocks.wall,
    version: '9.9.9',
    renderer: createReportRenderer(null),
    outgoing: createOutgoing(),
    folder: await temporaryFolder(),
    failed: (error) => {
      throw error;
    },
  });
  onTestFinished(() => reports.stop());
  await reports.tick();
  clocks.wall += 400 * DAY;
  await reports.tick();
  clocks.wall -= 400 * DAY;
  await reports.tick();
  pass(clocks, DAY);
  await reports.tick();
  expect((await reports.status()).runs).toContainEqual(
    expect.objectContaining({ report: 'daily', state: 'done', due: NOW + 18 * HOUR }),
  );
});

test('alerts are judged and told after a clock went back', async () => {
  const clock = { now: NOW + 400 * DAY };
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  onTestFinished(() => store.close());
  const rule = { id: 'slow', aboveMs: 1, breaches: 1, evaluations: 1, minSamples: 1, hysteresis: 0.1 };
  await store.settings.write({ version: 1, targets: [], alerts: { webhooks: [], rules: [rule] } }, null, 0);
  const deps = {
    store,
    outgoing: createOutgoing(),
    clock: () => clock.now,
    version: '1',
    failed: (error: unknown) => expect(error).toBeNull(),
  };
  const alerts = createAlerts(deps);
  await alerts.tick();
  clock.now = NOW;
  await alerts.tick();
  expect((await alerts.status('admin')).rules).toMatchObject([{ id: 'slow', at: NOW }]);
  expect([isDue(NOW + 2 * HOUR, NOW), isDue(NOW + HOUR / 2, NOW)]).toEqual([true, false]);
});

test('admins are told over HTTP what the clock says and what was expected, nobody else', async () => {
  const clocks = { wall: NOW, steady: 0 };
  const store = await openAt(await temporaryFolder(), clocks);
  const app = await testApp({ store });
  const told = async () => (await app.send({ url: '/api/v1/clock', as: 'admin' })).json();
  expect(await told()).toEqual({ now: new Date(NOW).toISOString(), expected: null });
  clocks.wall += 400 * DAY;
  expect(await told()).toEqual({
    now: new Date(NOW + 400 * DAY).toISOString(),
    expected: new Date(NOW).toISOString(),
  });
  expect((await app.send({ url: '/metrics', as: 'read' })).body).toMatch(/^lastbyte_clock_in_doubt 1$/m);
  for (const as of ['read', 'ingest'] as const)
    expect((await app.send({ url: '/api/v1/clock', as })).statusCode).toBe(403);
});
