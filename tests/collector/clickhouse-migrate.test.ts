import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrateSamples, openStore } from '../../collector/storage/open-store.ts';
import type { ClickHouseAddress, Store } from '../../collector/storage/store.ts';
import type { Distribution } from '../../shared/statistics/distribution.ts';
import { chdbAbsent } from '../programs/chdb-folder.mjs';
import { IS_SHORT } from '../rounds.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { type ClickHouseServer, databaseOf, startClickHouse } from './clickhouse-server.ts';
import { run, startCommand } from './command.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { browserId, fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const DAY_MS = 86_400_000;
/** Each at another statement. */
const KILLS = 4;
const ALL = { range: { from: NOW - 20 * DAY_MS, to: NOW + DAY_MS }, filters: {} };
/** It takes minutes. */
const absent = IS_SHORT ? 'run npm run test:nightly' : chdbAbsent();

/** `n` samples of one browser, the newest at `to`, evenly spread over `days`. */
const samplesOf = (n: number, to = NOW, days = 4) =>
  Array.from({ length: n }, (_, row) => ({
    ...PLAIN_SAMPLE,
    at: to - Math.floor((row * days * DAY_MS) / n),
    host: `h${row % 7}.test`,
    times: { ...PLAIN_SAMPLE.times, receive: row, ttlb: (PLAIN_SAMPLE.times.ttfb ?? 0) + row },
  }));

async function answersOf({ samples }: Store): Promise<string> {
  const answers = [
    await samples.aggregate({ ...ALL, by: ['host', 'type'] }),
    await samples.aggregate({ ...ALL, by: ['host'] }, { exact: true }),
    await samples.distributions({ ...ALL, by: ['host'], time: 'ttlb' }),
  ];
  return JSON.stringify(answers, (_, value) => (isDistribution(value) ? figuresOf(value) : value), 1);
}

function isDistribution(value: unknown): value is Distribution {
  return typeof value === 'object' && value !== null && 'valueAtRank' in value;
}

function figuresOf(values: Distribution): unknown {
  const { n, sum, sumSquares, min, max } = values;
  return { n, sum, squares: `${sumSquares}`, min, max, middle: n === 0 ? null : values.valueAtRank(Math.floor(n / 2)) };
}

describe.skipIf(absent !== null)('lastbyte migrate', () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await startClickHouse();
  });
  afterAll(() => server?.stop());

  const migrate = (folder: string, to: ClickHouseAddress) =>
    migrateSamples({ folder, to, clock: () => NOW, onNotice: () => {}, progress: () => {} });

  test('copies while a server collects; without it, moves the folder, whose answers stay the same', async () => {
    const folder = await temporaryFolder();
    const to = server.address('moved');
    const serving = await openStore({ folder, as: 'server', clock: () => NOW });
    onTestFinished(() => serving.close());
    await fill(serving, samplesOf(3000));
    await serving.maintenance.rollUp();
    await expect(openStore({ folder, as: 'command', samples: to })).rejects.toMatchObject({
      code: 'data_folder_unusable',
      hint: expect.stringContaining('lastbyte migrate'),
    });
    expect(await migrate(folder, to)).toMatchObject({ samples: 3000, days: 5, finished: false });
    // What changes meanwhile: new samples in copied hours and in others, an erased browser, and chunks that are merged.
    const ann = { ...ORIGIN, client: browserId(9) };
    await fill(serving, samplesOf(200, NOW - 1000, 6), ann);
    expect(await migrate(folder, to)).toMatchObject({ samples: 3200, finished: false });
    await fill(serving, samplesOf(500, NOW - 500, 1));
    await serving.maintenance.erase({ client: ann.client });
    await serving.maintenance.finalize(NOW);
    const before = await answersOf(serving);
    await serving.close();
    const opened = await openStore({ folder, as: 'command', clock: () => NOW });
    onTestFinished(() => opened.close());

    expect(await migrate(folder, to)).toEqual({
      samples: 3500,
      days: 5,
      finished: true,
      quarantined: 0,
      leftRollups: { hour: 0, day: 0, month: 0 },
    });
    await expect(migrate(folder, to)).rejects.toMatchObject({ code: 'data_folder_unusable' });
    // A command that was begun before.
    await expect(opened.maintenance.erase({ client: ORIGIN.client })).rejects.toMatchObject({
      code: 'data_folder_unusable',
    });
    expect(await server.rows('moved', 'SELECT DISTINCT client FROM client')).toEqual([[ORIGIN.client]]);
    await expect(openStore({ folder, as: 'server' })).rejects.toMatchObject({
      hint: expect.stringContaining('--samples'),
    });
    const moved = await openStore({ folder, as: 'server', samples: to, clock: () => NOW });
    onTestFinished(() => moved.close());
    expect(await moved.maintenance.backlog()).toMatchObject({ samples: 0 });
    expect(await answersOf(moved)).toBe(before);
    expect(await moved.maintenance.check()).toEqual([]);
    await fill(moved, samplesOf(10));
    await moved.maintenance.rollUp();
    expect((await moved.samples.aggregate({ ...ALL, by: [] })).samples).toBe(3510);
  });

  test('a database with samples of another folder is left as it is', async () => {
    const to = server.address('taken');
    const other = await openStore({ folder: await temporaryFolder(), as: 'command', samples: to });
    await fill(other, samplesOf(10));
    await other.maintenance.rollUp();
    await other.close();
    const folder = await temporaryFolder();
    const store = await openStore({ folder, as: 'command' });
    await fill(store, samplesOf(20));
    await store.close();
    await expect(migrate(folder, to)).rejects.toMatchObject({
      code: 'data_folder_unusable',
      hint: expect.stringContaining('empty database'),
    });
    expect(await server.rows('taken', 'SELECT toInt32(count()) FROM sample')).toEqual([[10]]);
  });

  test('samples that a collector has forwarded to the copy are left as they are', async () => {
    const [folder, to] = [await temporaryFolder(), server.address('joined')];
    const serving = await openStore({ folder, as: 'server', clock: () => NOW });
    await fill(serving, samplesOf(3000));
    expect(await migrate(folder, to)).toMatchObject({ finished: false });
    const other = await openStore({ folder: await temporaryFolder(), as: 'command', samples: to });
    await fill(other, samplesOf(10, NOW - 1));
    await other.maintenance.rollUp();
    await other.close();
    await serving.close();
    await expect(migrate(folder, to)).rejects.toMatchObject({ code: 'data_folder_unusable' });
    expect(await server.rows('joined', 'SELECT toInt32(count()) FROM sample')).toEqual([[3010]]);
  });

  test('of two folders that are copied to the same database, the second is refused', async () => {
    const [folder, to] = [await temporaryFolder(), server.address('twice')];
    const empty = await openStore({ folder, as: 'command' });
    await empty.close();
    const other = await temporaryFolder();
    const store = await openStore({ folder: other, as: 'server', clock: () => NOW });
    onTestFinished(() => store.close());
    expect(await migrate(other, to)).toMatchObject({ samples: 0, finished: false });
    await expect(migrate(folder, to)).rejects.toMatchObject({ code: 'data_folder_unusable' });
  });

  test('rollups that are older than the samples are named', async () => {
    const folder = await temporaryFolder();
    const store = await openStore({ folder, as: 'command', clock: () => NOW });
    await fill(store, samplesOf(100, NOW - 40 * DAY_MS, 1));
    await fill(store, samplesOf(100, NOW, 1));
    await store.maintenance.finalize(NOW);
    const retention = { sampleDays: 30, hourDays: 90, dayDays: 90, monthDays: null };
    for (let day = 0; day < 3; day++) await store.maintenance.prune(NOW, retention);
    await store.close();
    const { samples, leftRollups } = await migrate(folder, server.address('older'));
    expect(samples).toBe(100);
    expect(leftRollups).toEqual({ hour: 25, day: 2, month: 1 });
  });

  test('killed in the middle, it goes on: each sample is there once', async () => {
    const folder = await temporaryFolder();
    const store = await openStore({ folder, as: 'command', clock: () => NOW });
    await fill(store, samplesOf(6000));
    const before = await answersOf(store);
    await store.close();
    let [killAt, kill] = [0, () => {}];
    const proxy = await startFaultProxy(
      () => server.port,
      (moment, text) => {
        if (!/INSERT INTO (sample|arrival)/.test(text) || moment === 'passed') return;
        if (killAt-- === 0) kill();
      },
    );
    onTestFinished(() => proxy.close());
    const to = `clickhouse://127.0.0.1:${proxy.port}/${databaseOf('killed')}`;
    for (let round = 0; round < KILLS; round++) {
      killAt = round % 4;
      const child = startCommand(['migrate', '--to', to, '--data', folder]);
      kill = () => child.kill('SIGKILL');
      await once(child, 'exit');
    }
    killAt = -1;
    const ended = await run(['migrate', '--to', to, '--data', folder, '--json']);
    expect(ended).toMatchObject({ code: 0 });
    expect(JSON.parse(ended.stdout)).toMatchObject({ samples: 6000, finished: true });
    const moved = await openStore({ folder, as: 'command', samples: server.address('killed'), clock: () => NOW });
    onTestFinished(() => moved.close());
    expect(await answersOf(moved)).toBe(before);
    expect(await moved.maintenance.check()).toEqual([]);
  });
});
