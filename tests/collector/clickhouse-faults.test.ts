import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { chdbAbsent } from '../programs/chdb-folder.mjs';
import { rounds } from '../rounds.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { type ClickHouseServer, databaseOf, startClickHouse } from './clickhouse-server.ts';
import { makeKey, run, type Served, serve, stop } from './command.ts';
import { type FaultProxy, type Moment, startFaultProxy } from './fault-proxy.ts';
import { browserId, fill } from './fill-store.ts';
import { POSTGRES, startPostgres, WHY_NOT } from './postgres-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';
import { UNLIMITED_CLIENTS } from './unlimited-clients.ts';

/** LASTBYTE_FAULT_ROUNDS repeats each fault less often: see CONTRIBUTING.md. */
const ROUNDS = Number(process.env.LASTBYTE_FAULT_ROUNDS ?? rounds(0, 50));
const absent = ROUNDS === 0 ? 'run npm run test:nightly' : chdbAbsent();
if (absent !== null) console.warn(`Faults of ClickHouse are not tested: ${absent}`);
const PATIENT = { timeout: 60_000 + ROUNDS * 30_000 };
/** States that take the collector's next attempt, in at most three seconds. */
const SOON = { timeout: 60_000, interval: 50 };

const ROWS = 2500;
/** A full block, which is sent at once. */
const BATCHES = 8;
const DAY_MS = 86_400_000;
/**
 * Between the times of samples, so that blocks have several days, ms; none is too old to be accepted. Sizes tell samples apart: clocks
 * are corrected.
 */
const STEP_MS = Math.min(700, Math.floor((6 * DAY_MS) / (2 * ROUNDS * BATCHES * ROWS)));
const DATABASE = 'faults';

/** One statement of forwarding, in the order in which they are sent. */
const FORWARDING = ['INSERT INTO sample', 'INSERT INTO client', 'INSERT INTO arrival'] as const;

interface Fleet {
  /** Sends new batches until each was acknowledged, whatever happens meanwhile. */
  send(batches?: number): Promise<void>;
  /** How many samples have been acknowledged. */
  readonly samples: () => number;
}

/** Browsers with a batch each, that try again until a collector has acknowledged it, as the extension does. */
function startFleet(urls: () => readonly string[], token: string): Fleet {
  const started = Date.now() - 60_000;
  const random = seededRandom(7);
  let rows = 0;
  let browsers = 0;
  let acknowledged = 0;
  async function deliver(browser: number): Promise<void> {
    const samples = Array.from({ length: ROWS }, () => ({
      ...PLAIN_SAMPLE,
      at: started - rows * STEP_MS,
      transferSize: rows++,
    }));
    const id = randomUUID();
    for (;;) {
      const now = Date.now();
      const body = JSON.stringify(encodeBatch({ ...ORIGIN, client: browserId(browser) }, id, now, samples));
      const all = urls();
      const url = all[Math.floor(random() * all.length)] ?? '';
      const status = await post(url, token, browser, body).catch(() => 0);
      if (status === 200) break;
      if (![0, 429, 503].includes(status)) throw new Error(`answered ${status}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    acknowledged += ROWS;
  }
  return {
    async send(batches = BATCHES) {
      await Promise.all(Array.from({ length: batches }, () => deliver(browsers++)));
    },
    samples: () => acknowledged,
  };
}

/** From an address of its own, so that no quota is in the way. */
async function post(url: string, token: string, browser: number, body: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-forwarded-for': `10.${browser >> 8}.${browser & 255}.1`,
    'x-forwarded-proto': 'https',
  };
  const answer = await fetch(`${url}/api/v1/batches`, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer.status;
}

async function startEngine(): Promise<ClickHouseServer> {
  const engine = await startClickHouse();
  onTestFinished(() => engine.stop());
  return engine;
}

async function startProxy(port: () => number, at: Parameters<typeof startFaultProxy>[1]): Promise<FaultProxy> {
  const proxy = await startFaultProxy(port, at);
  onTestFinished(() => proxy.close());
  return proxy;
}

const serveBehind = (folder: string, port: number, others: readonly string[] = []): Promise<Served> =>
  serve(folder, [...others, '--trust-proxy', '--samples', `clickhouse://127.0.0.1:${port}/${databaseOf(DATABASE)}`]);

async function backlogOf({ url }: Served): Promise<number> {
  const answer = (await (await fetch(`${url}/readyz`)).json()) as { backlog?: { samples: number } };
  return answer.backlog?.samples ?? Number.NaN;
}

/** Forwards the rest and looks at all of it. */
async function expectEachOnce(
  engine: ClickHouseServer,
  folder: string,
  server: Served,
  samples: number,
): Promise<void> {
  await vi.waitFor(async () => expect(await backlogOf(server)).toBe(0), SOON);
  const [counted] = await engine.rows(
    DATABASE,
    'SELECT toInt32(count()), toInt32(uniqExact(transferSize)) FROM sample',
  );
  expect(counted).toEqual([samples, samples]);
  expect(await stop(server)).toBe(0);
  const checked = await run(['check', '--data', folder, '--json']);
  expect(JSON.parse(checked.stdout)).toEqual({ faults: [] });
}

/** Resolves when it happens: a statement has come so far. */
interface Awaited {
  readonly moment: Moment;
  readonly statement: string;
  readonly happened: () => unknown;
}

test.skipIf(absent !== null)('the engine is killed while it stores a block', PATIENT, async () => {
  const engine = await startEngine();
  const random = seededRandom(1);
  let next: Awaited | null = null;
  const proxy = await startProxy(
    () => engine.port,
    (moment, text) => {
      if (next === null || moment !== next.moment || !text.includes(next.statement)) return;
      next.happened();
      next = null;
    },
  );
  const folder = await temporaryFolder();
  const server = await serveBehind(folder, proxy.port);
  const { token } = await makeKey(folder, 'ingest');
  const fleet = startFleet(() => [server.url], token);
  for (let round = 0; round < ROUNDS; round++) {
    const killed = new Promise<void>((resolve, reject) => {
      next = {
        moment: 'passed',
        statement: FORWARDING[round % FORWARDING.length] as string,
        // A moment within the statement, which takes some tens of milliseconds.
        happened: () => setTimeout(() => engine.kill().then(resolve, reject), random() * 60),
      };
    });
    await fleet.send();
    await killed;
    await engine.start();
  }
  await expectEachOnce(engine, folder, server, fleet.samples());
});

test.skipIf(absent !== null)('the collector is killed while it forwards', PATIENT, async () => {
  const engine = await startEngine();
  let next: Awaited | null = null;
  const proxy = await startProxy(
    () => engine.port,
    (moment, text) => {
      if (next === null || moment !== next.moment || !text.includes(next.statement)) return;
      next.happened();
      next = null;
    },
  );
  const folder = await temporaryFolder();
  let server = await serveBehind(folder, proxy.port);
  const { token } = await makeKey(folder, 'ingest');
  const fleet = startFleet(() => [server.url], token);
  const moments = ['arrived', 'passed', 'answered'] as const;
  for (let round = 0; round < ROUNDS; round++) {
    const killed = new Promise<void>((resolve, reject) => {
      next = {
        moment: moments[round % moments.length] as Moment,
        statement: FORWARDING[Math.floor(round / moments.length) % FORWARDING.length] as string,
        happened: () => stop(server, 'SIGKILL').then(() => resolve(), reject),
      };
    });
    const sent = fleet.send();
    await killed;
    server = await serveBehind(folder, proxy.port);
    await sent;
  }
  await expectEachOnce(engine, folder, server, fleet.samples());
});

test.skipIf(absent !== null)('answers are cut after ClickHouse has committed', PATIENT, async () => {
  const engine = await startEngine();
  const random = seededRandom(3);
  const known = new Set<string>();
  let [cut, isCalm] = [0, false];
  const proxy = await startProxy(
    () => engine.port,
    (moment, text) => {
      if (moment === 'arrived' && text.includes('INSERT INTO') && random() < 0.3) return 'repeat';
      const statement = text.replace(/query_id=[^&]*/, '');
      // Only the first time: a series of statements, such as those that create tables, starts over if one fails.
      if (isCalm || moment !== 'answered' || known.has(statement)) return;
      known.add(statement);
      if (random() > 0.5) return;
      cut++;
      return 'cut';
    },
  );
  const folder = await temporaryFolder();
  const server = await serveBehind(folder, proxy.port);
  const { token } = await makeKey(folder, 'ingest');
  const fleet = startFleet(() => [server.url], token);
  for (let round = 0; round < ROUNDS; round++) await fleet.send();
  await vi.waitFor(async () => expect(await backlogOf(server)).toBe(0), SOON);
  isCalm = true;
  await expectEachOnce(engine, folder, server, fleet.samples());
  expect(cut).toBeGreaterThan(ROUNDS / 2);
});

test.skipIf(absent !== null)('the disk fills up while ClickHouse is away', PATIENT, async () => {
  const engine = await startEngine();
  const samples = engine.address(DATABASE);
  const folder = await temporaryFolder();
  let failed = () => {};
  const store = await openStore({
    folder,
    as: 'server',
    samples,
    maxBytes: 2 ** 20,
    clock: () => NOW,
    onMaintenanceError: (_, job) => job === 'forward' && failed(),
  });
  const app = await testApp({ store, clientLimits: UNLIMITED_CLIENTS });
  let rows = 0;
  const send = async () => {
    const own = Array.from({ length: 1000 }, (_, row) => ({
      ...PLAIN_SAMPLE,
      at: NOW - rows - row,
      transferSize: rows + row,
      template: randomPath(),
    }));
    const payload = encodeBatch(ORIGIN, randomUUID(), NOW, own);
    const { statusCode } = await app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', payload });
    if (statusCode === 200) rows += own.length;
    return statusCode;
  };
  for (let round = 0; round < ROUNDS; round++) {
    const attempted = new Promise<void>((resolve) => {
      failed = resolve;
    });
    await engine.kill();
    let status = await send();
    // A block that has been tried stays as it is: what fills the disk is left behind by it.
    if (round % 2 === 1) await attempted;
    while (status === 200) status = await send();
    expect(status).toBe(507);
    await engine.start();
    await vi.waitFor(async () => expect((await store.maintenance.backlog())?.samples).toBe(0), SOON);
    app.clock.now += 1000;
    expect((await app.send({ url: '/readyz' })).statusCode).toBe(200);
  }
  expect(rows).toBeGreaterThan(1000);
  expect(await engine.rows(DATABASE, 'SELECT toInt32(count()), toInt32(uniqExact(transferSize)) FROM sample')).toEqual([
    [rows, rows],
  ]);
  expect(await store.maintenance.check()).toEqual([]);
  await store.close();
});

test.skipIf(absent !== null)('a collector stops while ClickHouse does not answer', async () => {
  const engine = await startEngine();
  let isSilent = true;
  let held = () => {};
  const waits = new Promise<void>((resolve) => {
    held = resolve;
  });
  const proxy = await startProxy(
    () => engine.port,
    (moment, text) => {
      if (!isSilent || moment !== 'answered' || !text.includes('INSERT INTO sample')) return;
      held();
      return new Promise(() => {});
    },
  );
  const folder = await temporaryFolder();
  const server = await serveBehind(folder, proxy.port);
  const { token } = await makeKey(folder, 'ingest');
  let { url } = server;
  const fleet = startFleet(() => [url], token);
  await fleet.send();
  await waits;
  expect(await stop(server)).toBe(0);
  isSilent = false;
  const next = await serveBehind(folder, proxy.port);
  ({ url } = next);
  await fleet.send();
  await expectEachOnce(engine, folder, next, fleet.samples());
});

test.skipIf(absent !== null)(
  'a clock that was ahead: nothing is lost, and rollups are brought up to date again',
  PATIENT,
  async () => {
    const engine = await startEngine();
    let now = NOW;
    const folder = await temporaryFolder();
    const store = await openStore({ folder, as: 'command', samples: engine.address(DATABASE), clock: () => now });
    const append = () =>
      fill(
        store,
        Array.from({ length: 10 }, (_, row) => ({ ...PLAIN_SAMPLE, at: NOW + row })),
      );
    const daily = () => engine.rows(DATABASE, 'SELECT toInt32(n) FROM bucket WHERE resolution = 2');
    await append();
    now += 100 * DAY_MS;
    await store.maintenance.rollUp();
    expect(await daily()).toEqual([[10]]);
    now = NOW + DAY_MS;
    await append();
    await store.maintenance.rollUp();
    await vi.waitFor(async () => expect(await daily()).toEqual([[20]]), SOON);
    expect(await store.maintenance.check()).toEqual([]);
    await store.close();
    now = NOW;

    // A server notices the jump, and removes nothing until the clock is right or confirmed.
    let monotonic = 0;
    const server = await openStore({
      folder,
      as: 'server',
      samples: engine.address(DATABASE),
      clock: () => now,
      monotonic: () => monotonic,
    });
    await server.clock.status();
    now += 100 * DAY_MS;
    monotonic += 1000;
    const retention = { sampleDays: 30, hourDays: 60, dayDays: 90, monthDays: null };
    await server.maintenance.prune(now, retention);
    const kept = { range: { from: 0, to: 8e15 }, filters: {}, by: [] };
    expect((await server.samples.aggregate(kept)).samples).toBe(20);
    expect(await server.maintenance.keptFrom()).toBe(0);
    await server.close();
  },
);

const SHARED = absent ?? (POSTGRES === null ? WHY_NOT : null);

test.skipIf(SHARED !== null)(
  'two collectors behind a proxy that repeats, reorders and cuts; each is killed',
  PATIENT,
  async () => {
    const engine = await startEngine();
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    const control = await postgres.createDatabase();
    const folders = [await temporaryFolder(), await temporaryFolder()];
    const start = (folder: string) => serveBehind(folder, engine.port, ['--control', control]);
    const collectors = [await start(folders[0] as string), await start(folders[1] as string)];
    const { token } = await makeKey(folders[0] as string, 'ingest', ['--control', control]);
    const random = seededRandom(5);
    let turn = 0;
    let open = 0;
    let release: (() => void) | null = null;
    const letGo = () => {
      release?.();
      release = null;
    };
    // Each request goes to the next collector, a repeated one to both.
    const proxy = await startProxy(
      () => Number(new URL(collectors[turn++ % 2]?.url ?? '').port),
      (moment) => {
        if (moment === 'arrived') {
          open++;
          const isHeld = release === null && open > 1 && random() < 0.3;
          letGo();
          if (isHeld)
            return new Promise((resolve) => {
              release = () => resolve('repeat');
            });
          return random() < 0.4 ? 'repeat' : undefined;
        }
        if (moment !== 'ended') return moment === 'answered' && random() < 0.3 ? 'cut' : undefined;
        open--;
        // The last one would wait for ever.
        if (open === 1) letGo();
        return undefined;
      },
    );
    const fleet = startFleet(() => [`http://127.0.0.1:${proxy.port}`], token);
    for (let round = 0; round < ROUNDS; round++) {
      await fleet.send();
      // Batches that are on their way go to the other one.
      const sent = fleet.send();
      const victim = round % 2;
      await stop(collectors[victim] as Served, 'SIGKILL');
      collectors[victim] = await start(folders[victim] as string);
      await sent;
    }
    for (const one of collectors) await vi.waitFor(async () => expect(await backlogOf(one)).toBe(0), SOON);
    const [counted] = await engine.rows(
      DATABASE,
      'SELECT toInt32(count()), toInt32(uniqExact(transferSize)) FROM sample',
    );
    expect(counted).toEqual([fleet.samples(), fleet.samples()]);
    for (const one of collectors) expect(await stop(one)).toBe(0);
    const checked = await run(['check', '--data', folders[0] as string, '--control', control, '--json']);
    expect(JSON.parse(checked.stdout)).toEqual({ faults: [] });
  },
);

const randomPath = () => `/${randomUUID()}`;
