import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoadCounts } from '../../collector/analysis/load/load-counts.ts';
import { scenarioDocument } from '../../collector/analysis/load/load-document.ts';
import type { LoadScenario } from '../../collector/analysis/load/loaded-request.ts';
import type { LoadServer } from '../../collector/lab/load/load-connection.ts';
import { loadSamples } from '../../collector/lab/load/load-samples.ts';
import { type LoadPlan, runLoad } from '../../collector/lab/load/run-load.ts';
import { VirtualUser } from '../../collector/lab/load/virtual-user.ts';
import { labAnswer } from '../../collector/lab/servers/lab-answer.ts';
import { startLabServer } from '../../collector/lab/servers/lab-server.ts';
import { type LabSite, startLabSite } from '../../collector/lab/servers/lab-site.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';
import type { RequestTruth } from '../../collector/lab/servers/server-truth.ts';

const PLAN: LoadPlan = {
  scenarios: ['http-reused'],
  users: 5,
  rampMs: 0,
  thinkMs: [0, 0],
  warmupMs: 0,
  count: 100,
  durationMs: 0,
  rate: null,
};
const ALL: LoadScenario[] = ['http-reused', 'http-new', 'https-reused', 'https-new-resumed', 'https-new-full'];

let site: LabSite;
const truths: RequestTruth[] = [];
beforeAll(async () => {
  site = await startLabSite({ now: Date.now(), roundTripMs: 0, serverDelayMs: 0, seen: (truth) => truths.push(truth) });
});
afterAll(() => site.close());

function serverAt(scheme: string, port: number, more: Partial<LoadServer> = {}): LoadServer {
  const origin = `${scheme}://target.localhost:${port}`;
  return {
    origin,
    address: '127.0.0.1',
    port,
    tls: { ca: site.authority },
    http2: false,
    path: '/4k',
    timeoutMs: 10_000,
    ...more,
  };
}

function load(
  plan: Partial<LoadPlan>,
  port: number,
  { path = '/4k', signal = new AbortController().signal, more = {} as Partial<LoadServer>, timeoutMs = 10_000 } = {},
) {
  const asked = { path, timeoutMs, ...more };
  const servers = { http: serverAt('http', port, asked), https: serverAt('https', port, asked) };
  const user = (refused: () => void) => new VirtualUser({ servers, headers: {}, refused });
  return runLoad({ ...PLAN, ...plan }, { user, random: Math.random, signal });
}

/** A server of one's own, for what no lab server does. */
async function withServer(
  listener: Parameters<typeof createServer>[1],
  work: (port: number) => Promise<void>,
): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe.each(['tls13', 'tls12'] as const)('over %s', (variant) => {
  test('what each socket proves is what the server saw', async () => {
    truths.length = 0;
    const run = await load({ scenarios: ALL, count: 200 }, site.ports[variant]);
    const results = run.counts.map((counts) => scenarioDocument(counts, null));
    expect(results.map(({ scenario, requests, codes }) => [scenario, requests, codes])).toEqual(
      ALL.map((scenario) => [scenario, 200, { 200: 200 }]),
    );
    const seen = (connection: string, handshake: string | null) =>
      truths.filter((truth) => truth.connection === connection && truth.handshake === handshake).length;
    const of = (scenario: LoadScenario) => results.find((each) => each.scenario === scenario);
    expect(seen('reused', null)).toBe(of('http-reused')?.usable);
    expect(seen('reused', 'full')).toBe(of('https-reused')?.usable);
    expect(seen('new', 'resumed')).toBe(of('https-new-resumed')?.usable);
    expect(of('https-new-resumed')?.usable).toBeGreaterThanOrEqual(190);
    expect(of('https-new-full')?.usable).toBe(200);
    // Every user's first connections are full ones: of the reused and of the resumed scenario.
    expect(seen('new', 'full')).toBe(200 + 2 * PLAN.users);
  });
});

test('a user resumes a session of their own only', async () => {
  truths.length = 0;
  // One after the other, once each: the later ones begin when the first have a session.
  const once = { rampMs: 400, warmupMs: 1000, thinkMs: [9_000, 9_000] as const, count: null, durationMs: 50 };
  await load({ ...once, scenarios: ['https-new-resumed'], users: 20 }, site.ports.tls13);
  expect(truths.slice(0, 20).map(({ handshake }) => handshake)).toEqual(Array(20).fill('full'));
});

test('without tickets no session is resumed, and nothing is said to be', async () => {
  const run = await load({ scenarios: ['https-new-resumed'] }, site.ports['tls13-full']);
  expect(run.counts.map((counts) => scenarioDocument(counts, null))).toMatchObject([{ usable: 0, unproven: 100 }]);
});

test('HTTP/2 is loaded likewise', async () => {
  truths.length = 0;
  const scenarios: LoadScenario[] = ['https-reused', 'https-new-full'];
  const run = await load({ scenarios }, site.ports.h2, { more: { http2: true } });
  expect(run.counts.map((counts) => scenarioDocument(counts, null).codes)).toEqual([{ 200: 100 }, { 200: 100 }]);
  expect(truths.filter(({ connection }) => connection === 'new')).toHaveLength(100 + PLAN.users);
});

test('scenarios take turns', async () => {
  const order: string[] = [];
  await withServer(
    (request, response) => {
      order.push(request.headers.connection ?? '');
      response.end('x');
    },
    async (port) => void (await load({ scenarios: ['http-reused', 'http-new'], count: 600 }, port)),
  );
  const turns = order.filter((kind, index) => kind !== order[index - 1]);
  expect(turns).toEqual(['keep-alive', 'close', 'keep-alive', 'close', 'keep-alive', 'close']);
});

test('the warm-up is counted apart', async () => {
  const run = await load({ warmupMs: 300, users: 1, count: 10 }, site.ports.tls13, { path: '/slow/20/4k' });
  const [{ warmup, requests }] = run.counts as [(typeof run.counts)[number]];
  expect(requests - warmup).toBe(10);
  expect(warmup).toBeGreaterThan(5);
});

test('with an arrival rate, what a stall hides from raw times is in the corrected ones', async () => {
  // For half a second of two, the server answers nobody.
  let stalledUntil = 0;
  const begun = performance.now();
  await withServer(
    (_, response) => {
      const now = performance.now() - begun;
      if (now > 500 && stalledUntil === 0) stalledUntil = 1000;
      setTimeout(() => response.end('x'), Math.max(0, stalledUntil - now));
    },
    async (port) => {
      const run = await load({ count: null, durationMs: 2000, rate: 200, users: 2 }, port);
      const [result] = run.counts.map((counts) => scenarioDocument(counts, null));
      expect(result?.requests).toBe(400);
      // Two users hold two requests each; the other hundred begin late.
      expect(result?.times.total?.p95).toBeLessThan(100);
      // Those of the stall end with it, so they wait for 500, 495 … 5 ms: the fifth longest is the 99th percentile.
      expect(Math.abs((result?.times.corrected?.p99 ?? 0) / 480 - 1)).toBeLessThan(0.05);
    },
  );
});

test('every request that counts is drawn as a sample of the source load', async () => {
  const port = site.ports.tls13;
  const run = await load({ scenarios: ALL, count: 50 }, port);
  const urls = { http: `http://target.localhost:${port}/4k`, https: `https://target.localhost:${port}/4k` };
  const samples = loadSamples(run, urls, 'erp');
  expect(samples).toHaveLength(250);
  expect(new Set(samples.map(({ source, target, template }) => [source, target, template].join()))).toEqual(
    new Set(['load,erp,/{n}k']),
  );
  const full = samples.filter(({ handshake }) => handshake === 'full');
  expect(full.length).toBe(50 + 2 * PLAN.users);
  for (const { connection, times } of full) {
    expect(connection).toBe('new');
    expect(Math.min(times.tcp ?? 0, times.tls ?? 0, times.wait ?? 0)).toBeGreaterThan(0);
  }
  expect(samples.filter(({ connection }) => connection === 'reused').length).toBe(100 - 2 * PLAN.users);
});

describe('a server that', () => {
  test('asks to be left alone ends the load', async () => {
    let seen = 0;
    await withServer(
      (_, response) => {
        seen++;
        response.writeHead(200, { 'x-lastbyte-load': 'no' }).end();
      },
      async (port) => expect((await load({ count: 10_000 }, port)).stopped).toBe('refused'),
    );
    expect(seen).toBeLessThanOrEqual(2 * PLAN.users);
  });

  test('answers everything with 401 ends the load', async () => {
    const run = await load({ count: 10_000 }, site.ports.tls13, { path: '/status/401/4k' });
    expect(run.stopped).toBe('unauthorized');
    expect(run.counts[0]?.requests).toBeLessThan(100);
  });

  test('goes away in the middle ends it, and what there is is kept', async () => {
    let left = 200;
    await withServer(
      function (this: ReturnType<typeof createServer>, _, response) {
        response.end('x');
        if (--left === 0) {
          this.close();
          this.closeAllConnections();
        }
      },
      async (port) => {
        const run = await load({ count: 10_000 }, port);
        expect(run.stopped).toBe('unreachable');
        expect(run.counts[0]?.codes.get('200')).toBeGreaterThan(150);
      },
    );
  });

  test('never answers is a timeout', async () => {
    await withServer(
      () => {},
      async (port) => {
        const run = await load({ count: 5 }, port, { timeoutMs: 200 });
        expect(Object.fromEntries(run.counts[0]?.codes ?? [])).toEqual({ UND_ERR_HEADERS_TIMEOUT: 5 });
      },
    );
  });

  test('takes connections and says nothing is a timeout too', async () => {
    const silent = createTcpServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const run = await load({ scenarios: ['https-new-full'], users: 2, count: 2 }, port, { timeoutMs: 200 });
    expect([...(run.counts[0]?.codes ?? [])]).toEqual([['ETIMEDOUT', 2]]);
    silent.close();
  });

  test('has a certificate for another name is not trusted by its address', async () => {
    const certificate = await createServerCertificate(['localhost'], Date.now());
    const tls = { certificate, version: null, protocol: 'http/1.1', tickets: true } as const;
    const server = await startLabServer({ tls, connection: 'close', serverDelayMs: 0 }, () => labAnswer('/1k', 0));
    const more = { origin: `https://127.0.0.1:${server.port}`, tls: { ca: certificate.authority } };
    const run = await load({ scenarios: ['https-new-full'], count: 2 }, server.port, { more });
    await server.close();
    expect([...(run.counts[0]?.codes ?? [])]).toEqual([['ERR_TLS_CERT_ALTNAME_INVALID', 2]]);
  });

  test('redirects has no times', async () => {
    const run = await load({ count: 10 }, site.ports.tls13, { path: '/redirect/4k' });
    expect(scenarioDocument(run.counts[0] as LoadCounts, null)).toMatchObject({
      ...{ usable: 0, perSecond: 0, codes: { 302: 10 } },
    });
  });

  test('closes before it has answered is an error', async () => {
    await withServer(
      (request) => request.socket.destroy(),
      async (port) => {
        const run = await load({ count: 5 }, port);
        expect([...(run.counts[0]?.codes ?? [])]).toEqual([['UND_ERR_SOCKET', 5]]);
      },
    );
  });
});

test('what was agreed on is known where the first connections were the warm-up’s', async () => {
  const run = await load({ scenarios: ['https-reused'], warmupMs: 200, count: 20 }, site.ports.tls13);
  expect(run.counts[0]?.tls).toMatch(/^TLSv1.3, TLS_/);
});

test('each scheme requests its own path', async () => {
  truths.length = 0;
  const port = site.ports.tls13;
  const servers = {
    http: serverAt('http', port, { path: '/1k' }),
    https: serverAt('https', port, { path: '/2k?x=1' }),
  };
  const user = (refused: () => void) => new VirtualUser({ servers, headers: {}, refused });
  const plan = { ...PLAN, scenarios: ['http-new', 'https-new-full'] as const, count: 5 };
  await runLoad(plan, { user, random: Math.random, signal: new AbortController().signal });
  expect(new Set(truths.map(({ path, handshake }) => `${path} ${handshake}`))).toEqual(
    new Set(['/1k null', '/2k?x=1 full']),
  );
});

test('rates are over the measured time, whatever users think after it', async () => {
  const plan = { count: null, durationMs: 400, thinkMs: [5_000, 5_000] as const, users: 4 };
  const began = performance.now();
  const { counts } = await load(plan, site.ports.tls13);
  expect(performance.now() - began).toBeLessThan(4_000);
  expect(counts[0]).toMatchObject({ requests: 4, seconds: expect.closeTo(0.4, 1) });
});

test('what is under way does not hold up an interrupted load, and is no result', async () => {
  await withServer(
    (_, response) => void setTimeout(() => response.end('x'), 8_000),
    async (port) => {
      const end = new AbortController();
      setTimeout(() => end.abort(), 200);
      const began = performance.now();
      const run = await load({ count: 100 }, port, { signal: end.signal });
      expect(performance.now() - began).toBeLessThan(4_000);
      expect([run.stopped, run.counts[0]?.requests]).toEqual(['interrupted', 0]);
    },
  );
});

test('with an arrival rate, what found no user free by the end is counted', async () => {
  await withServer(
    (_, response) => void setTimeout(() => response.end('x'), 8_000),
    async (port) => {
      const end = new AbortController();
      setTimeout(() => end.abort(), 500);
      const run = await load({ count: 1000, users: 1, rate: 100 }, port, { signal: end.signal });
      // One of some fifty was taken; a late timer only adds to them.
      expect(run.counts[0]?.neverBegun).toBeGreaterThanOrEqual(45);
    },
  );
});

test('an interrupted load keeps what there is', async () => {
  const end = new AbortController();
  setTimeout(() => end.abort(), 300);
  const run = await load({ count: 1_000_000 }, site.ports.tls13, { signal: end.signal });
  expect(run.stopped).toBe('interrupted');
  expect(run.counts[0]?.requests).toBeGreaterThan(10);
});
