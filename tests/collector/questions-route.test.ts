import { expect, test } from 'vitest';
import type { SummaryDocument } from '../../collector/analysis/summary/summary-document.ts';
import type { EvidenceDocument } from '../../collector/questions/evidence.ts';
import type { HistogramDocument } from '../../collector/questions/histogram.ts';
import type { PagesDocument } from '../../collector/questions/pages.ts';
import type { TimelineDocument } from '../../collector/questions/timeline.ts';
import type { TlsDocument } from '../../collector/questions/tls.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { type TestApp, testApp } from './test-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function ask<T>(app: TestApp, address: string, as: 'read' | 'admin' = 'admin'): Promise<T> {
  const answer = await app.send({ url: `/api/v1/${address}`, as });
  expect(answer.json()).not.toHaveProperty('error');
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

/** One usable request on a kept connection, in ms. */
function reused(ms: number, minutesAgo: number, more: Partial<typeof PLAIN_SAMPLE> = {}): typeof PLAIN_SAMPLE {
  const { redirect } = PLAIN_SAMPLE.times;
  const wait = Math.round(ms * 1000);
  return {
    ...PLAIN_SAMPLE,
    at: NOW - minutesAgo * MINUTE - 1,
    connection: 'reused',
    times: { redirect, blocked: 0, dns: 0, tcp: 0, tls: 0, wait, receive: 0, ttfb: wait, ttlb: wait },
    unknown: {},
    ...more,
  };
}

test('a histogram counts every value once, marks median and average, and finds the peaks', async () => {
  const app = await testApp();
  const kept = Array.from({ length: 300 }, (_, i) => reused(20 + (i % 5), i % 60));
  const slow = Array.from({ length: 100 }, (_, i) => reused(1000 + (i % 5) * 20, i % 60));
  await fill(app.store, [...kept, ...slow]);
  const { method, cells } = await ask<HistogramDocument>(app, 'histogram?by=connection');
  expect(method).toMatchObject({ exact: true, bound: 0, by: ['connection'] });
  expect(cells).toHaveLength(1);
  const [cell] = cells;
  expect(cell).toMatchObject({ connection: 'reused', browsers: 1, statistics: { n: 400, median: 23 } });
  expect(cell?.bins.reduce((sum, { count }) => sum + count, 0)).toBe(400);
  expect(cell?.peaks?.map(({ at }) => Math.round(at / 10))).toEqual([2, 104]);
});

test('a histogram of idle times is read from the samples', async () => {
  const app = await testApp();
  await fill(app.store, [
    reused(10, 1, { idleMs: 5000 }),
    reused(10, 2, { idleMs: 70_000 }),
    reused(10, 3, { idleMs: null }),
  ]);
  const { cells } = await ask<HistogramDocument>(app, 'histogram?time=idle');
  expect(cells[0]?.statistics).toMatchObject({ n: 2, min: 5000, max: 70_000 });
});

test.each(['5m', '1h'])('a timeline in steps of %s: what was measured, and null where nothing was', async (step) => {
  const app = await testApp();
  const length = step === '5m' ? 5 : 60;
  const at = (place: number) => (5 - place) * length - 1;
  await fill(
    app.store,
    [0, 1, 2].map((i) => reused(10 * (i + 1), at(1))),
  );
  await fill(app.store, [reused(100, at(4))]);
  const from = new Date(NOW - 5 * length * MINUTE).toISOString();
  const to = new Date(NOW).toISOString();
  const document = await ask<TimelineDocument>(app, `timeline?from=${from}&to=${to}&step=${step}`);
  expect(document.stepSeconds).toBe(length * 60);
  expect(document.steps).toHaveLength(5);
  expect(document.steps[0]).toBe(from);
  expect(document.cells[0]?.steps.map((one) => one && [one.n, one.median, one.mean])).toEqual([
    null,
    [3, 20, 20],
    null,
    null,
    [1, 100, 100],
  ]);
});

test('steps begin at multiples of the step, and edges hold only the range', async () => {
  const app = await testApp();
  await fill(app.store, [reused(10, 0), reused(20, 61), reused(30, 95)]);
  const from = new Date(NOW - 90 * MINUTE).toISOString();
  const to = new Date(NOW - 30 * MINUTE).toISOString();
  const { steps, cells } = await ask<TimelineDocument>(app, `timeline?from=${from}&to=${to}&step=1h`);
  expect(steps).toEqual([new Date(NOW - 2 * HOUR).toISOString(), new Date(NOW - HOUR).toISOString()]);
  expect(cells[0]?.steps.map((one) => one?.n ?? null)).toEqual([1, null]);
});

test('pages: per template, with result codes, lengths and what was left out', async () => {
  const app = await testApp();
  const page = (template: string, size: number) => reused(50, 1, { template, encodedBodySize: size });
  await fill(app.store, [
    page('/orders/{n}', 1000),
    page('/orders/{n}', 3000),
    page('/orders/{n}', 2000),
    page('/login', 10),
    { ...page('/orders/{n}', 5), status: 401, excluded: 'status' },
  ]);
  const document = await ask<PagesDocument>(app, 'pages?limit=1');
  expect(document.cells).toMatchObject([
    {
      template: '/orders/{n}',
      samples: 4,
      status: { 200: 3, 401: 1 },
      evidence: { usable: 3, excluded: { status: 1 } },
      contentLength: { n: 3, min: 1000, median: 2000, max: 3000 },
      phases: { ttfb: { n: 3, median: 50 } },
    },
  ]);
  expect(document.leftOut).toEqual({ cells: 1, samples: 1 });
  const one = await ask<PagesDocument>(app, 'pages?template=/login');
  expect(one.cells.map(({ template, samples }) => [template, samples])).toEqual([['/login', 1]]);
});

test('compare: a slower range is called slower, in words; the same is not', async () => {
  const app = await testApp();
  for (let browser = 0; browser < 12; browser++) {
    const before = Array.from({ length: 20 }, (_, i) => reused(100 + (i % 7), 90 + i));
    const after = Array.from({ length: 20 }, (_, i) => reused(150 + (i % 7), 5 + i));
    await fill(app.store, [...before, ...after], { client: browserId(browser) });
  }
  const hour = `from=${new Date(NOW - HOUR).toISOString()}&to=${new Date(NOW).toISOString()}`;
  const slower = await ask<{ cells: { change: unknown; text: string }[]; before: unknown }>(app, `compare?${hour}`);
  expect(slower.before).toMatchObject({ from: new Date(NOW - 2 * HOUR).toISOString() });
  expect(slower.cells).toMatchObject([
    {
      before: { median: 103 },
      after: { median: 153 },
      change: { difference: 50, changed: true, over: 'browsers', drawnFrom: [240, 240] },
    },
  ]);
  expect(slower.cells[0]?.text).toContain('50 ms slower');
  const same = await ask<typeof slower>(app, `compare?${hour}&before.site=Hannover&after.site=Hannover`);
  expect(same.cells[0]).toMatchObject({ change: { difference: 0, changed: false } });
  expect(same.cells[0]?.text).toContain('No certain change');
});

test('evidence: classes and reasons, cache, whom to ask for times, and the fleet in counts', async () => {
  const app = await testApp();
  const match = ['https://erp.example.com/*', 'http://erp.example.com/*'];
  await app.store.settings.write({ version: 1, targets: [{ id: 'erp', name: 'ERP', match }] }, null, NOW);
  const image = { type: 'image', template: '/logo.png', transferSize: 700 } as const;
  await fill(app.store, [
    reused(10, 3, image),
    reused(10, 2, image),
    reused(10, 1, { ...image, connection: 'cache' }),
    reused(10, 1, { ...image, host: 'cdn.example.com', connection: 'opaque' }),
    reused(10, 1, { status: 500, excluded: 'status' }),
  ]);
  await fill(
    app.store,
    [reused(10, 90)],
    { client: browserId(2), browser: 'firefox', browserVersion: '128.0' },
    -60_000,
  );
  const document = await ask<EvidenceDocument>(app, 'evidence?by=type');
  expect(document.cells.map(({ type, evidence }) => [type, evidence])).toEqual([
    ['document', { usable: 1, opaque: 0, cache: 0, excluded: { status: 1 } }],
    ['image', { usable: 2, opaque: 1, cache: 1, excluded: {} }],
  ]);
  expect(document.cache?.rows.find(({ type }) => type === 'image')).toMatchObject({ again: 1, bytesAgain: 700 });
  expect(document.askForTiming).toMatchObject([
    {
      host: 'cdn.example.com',
      opaque: 1,
      headers: ['Timing-Allow-Origin: https://erp.example.com', 'Timing-Allow-Origin: http://erp.example.com'],
    },
  ]);
  expect(document.fleet).toMatchObject({
    browsers: 2,
    lastSeen: { hour: 1, day: 1, week: 0, earlier: 0 },
    clocks: { batches: 2, corrected: 1, largestMs: 60_000 },
  });
  expect(document.fleet?.versions.map(({ browser, version, browsers }) => [browser, version, browsers])).toEqual([
    ['chromium', '128', 1],
    ['firefox', '128', 1],
  ]);
  expect(JSON.stringify(document)).not.toContain(browserId(2));
});

test.each(['scenarios', 'phases', 'pages', 'ratios', 'probes'])(
  'the view %s of a report is there as tables',
  async (view) => {
    const app = await testApp();
    const probe = reused(30, 5, { source: 'probe-https-reused' });
    await fill(
      app.store,
      [PLAIN_SAMPLE, reused(10, 3), probe].map((sample) => ({ ...sample, at: NOW - 60 })),
    );
    const document = await ask<{ view: { view: string; tables: { rows: unknown[] }[] } }>(app, `report?view=${view}`);
    expect(document.view.view).toBe(view);
    expect(document.view.tables.flatMap(({ rows }) => rows).length).toBeGreaterThan(0);
  },
);

test('probes are the probes view', async () => {
  const app = await testApp();
  await fill(app.store, [reused(30, 5, { source: 'probe-https-reused' })]);
  const document = await ask<{ view: { view: string; tables: { rows: unknown[] }[] } }>(app, 'probes');
  expect(document.view).toMatchObject({
    view: 'probes',
    tables: [{ rows: [{ runs: 1, availability: 1 }] }, {}, {}],
  });
});

test('the summary has more if it is asked for, and only then', async () => {
  const app = await testApp();
  await fill(app.store, [
    ...Array.from({ length: 250 }, (_, i) => reused(20 + (i % 3), i % 50)),
    ...Array.from({ length: 10 }, (_, i) => ({ ...PLAIN_SAMPLE, at: NOW - 1 - i })),
    ...Array.from({ length: 40 }, (_, i) => reused(10, i, { scheme: 'http' })),
  ]);
  const lean = await ask<SummaryDocument>(app, 'summary?by=host');
  expect(lean.cells[0]).not.toHaveProperty('peaks');
  const extras = 'serverShares,handshakeRoundTrips,requestsPerConnection,sharesAbove,peaks,overheads,gapCuts';
  const { cells } = await ask<SummaryDocument>(app, `summary?by=host&include=${extras}&above=100,5000`);
  expect(cells).toHaveLength(1);
  const [cell] = cells;
  expect(cell).toMatchObject({
    requestsPerConnection: 30,
    sharesAbove: [
      { threshold: 100, count: 10 },
      { threshold: 5000, count: 0 },
    ],
    serverShares: { onNewConnections: { n: 10 } },
  });
  const reusedOverhead = cell?.overheads?.find(({ scenario }) => scenario === 'https-reused');
  expect(reusedOverhead).toMatchObject({ baseline: 'http-reused', median: { ms: 11, ratio: 2.1 }, reason: null });
  const total = (parts: readonly { part: number }[] | null | undefined) =>
    (parts ?? []).reduce((sum, { part }) => sum + part, 0);
  for (const cut of [cell?.gapCuts?.hosts, cell?.gapCuts?.browsers, cell?.gapCuts?.hours]) {
    expect(total(cut)).toBeCloseTo(cell?.gap?.gap ?? Number.NaN, 6);
  }
});

test.each([
  ['unknown_parameter', 'histogram?step=5m'],
  ['invalid_parameter', 'histogram?time=ttxb'],
  ['invalid_parameter', 'histogram?exact=yes'],
  ['invalid_parameter', 'timeline?step=5'],
  ['invalid_parameter', 'timeline?step=0m'],
  ['invalid_parameter', 'timeline?step=1s'],
  ['unknown_parameter', 'timeline?colour=red'],
  ['unknown_parameter', 'compare?before.colour=red'],
  ['invalid_parameter', 'compare?before.type=scirpt'],
  ['invalid_range', 'compare?beforeFrom=2026-03-01T11:00:00Z&beforeTo=2026-03-01T10:00:00Z'],
  ['invalid_parameter', 'pages?limit=0'],
  ['unknown_parameter', 'pages?by=host'],
  ['unknown_parameter', 'evidence?limit=3'],
  ['invalid_parameter', 'report?view=everything'],
  ['unknown_parameter', 'probes?view=pages'],
  ['invalid_parameter', 'summary?include=everything'],
  ['invalid_parameter', 'summary?above=fast'],
])('400 %s: %s', async (code, address) => {
  const app = await testApp();
  const answer = await app.send({ url: `/api/v1/${address}`, as: 'read' });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error).toMatchObject({ code, hint: expect.stringMatching(/\S/) });
});

test('browsers’ keys and strangers get none of it', async () => {
  const app = await testApp();
  for (const name of ['histogram', 'timeline', 'compare', 'pages', 'evidence', 'report', 'probes']) {
    const url = `/api/v1/${name}`;
    expect([(await app.send({ url, as: 'ingest' })).statusCode, (await app.send({ url })).statusCode]).toEqual([
      403, 401,
    ]);
    expect((await app.send({ url, as: 'read' })).statusCode).toBe(200);
  }
});

test('TLS is told by those who tell it: versions, and an issuer that only some see', async () => {
  const app = await testApp();
  const tls = { version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', keyExchange: 'x25519' };
  await fill(app.store, [
    ...[1, 2, 3].map((minute) => reused(10, minute, { tls: { ...tls, issuer: 'CN=Usual CA' } })),
    reused(40, 4, { tls: { ...tls, issuer: '=Middle box' } }),
    reused(10, 5, { tls: null }),
  ]);
  const { samples, told, rows } = await ask<TlsDocument>(app, 'tls');
  expect({ samples, told }).toEqual({ samples: 5, told: 4 });
  expect(rows.map(({ fact, value, samples: n, ttlb }) => [fact, value, n, ttlb?.median])).toEqual([
    ['version', 'TLSv1.3', 4, 10],
    ['cipher', 'TLS_AES_128_GCM_SHA256', 4, 10],
    ['keyExchange', 'x25519', 4, 10],
    ['issuer', 'CN=Usual CA', 3, 10],
    ['issuer', '=Middle box', 1, 40],
  ]);
});

test('a viewer is told no TLS of too few browsers', async () => {
  const app = await testApp();
  const tls = { version: 'TLSv1.3', cipher: null, keyExchange: null, issuer: null };
  const visit = (browser: number, version: string) =>
    fill(app.store, [reused(10, browser + 1, { tls: { ...tls, version } })], { client: browserId(browser) });
  for (let browser = 0; browser < 25; browser++) await visit(browser, 'TLSv1.3');
  for (let browser = 0; browser < 6; browser++) await visit(browser, 'TLSv1.1');
  await visit(0, 'TLSv1.2');
  const values = async (as: 'read' | 'admin') =>
    (await ask<TlsDocument>(app, 'tls', as)).rows.map(({ value }) => value);
  // All that told a version, less these, would be the one.
  expect(await values('read')).toEqual(['TLSv1.3']);
  expect(await values('admin')).toEqual(['TLSv1.3', 'TLSv1.1', 'TLSv1.2']);
});

test('a viewer is told nothing of TLS where only the engine that tells it, or only the other, is of enough browsers', async () => {
  const tls = { version: 'TLSv1.3', cipher: null, keyExchange: null, issuer: null };
  const answers = async (firefox: number, chromium: number) => {
    const app = await testApp();
    for (let browser = 0; browser < firefox + chromium; browser++) {
      const engine = browser < firefox ? 'firefox' : 'chromium';
      const row = reused(10, browser + 1, { tls: engine === 'firefox' ? tls : null });
      await fill(app.store, [row], { client: browserId(browser), browser: engine });
    }
    const told = async (as: 'read' | 'admin') => {
      const answer = await ask<TlsDocument>(app, 'tls', as);
      return [answer.samples, answer.told, answer.rows.length, answer.method.folded?.shownTogether ?? null];
    };
    return [await told('admin'), await told('read')];
  };
  expect(await answers(1, 24)).toEqual([
    [25, 1, 1, null],
    [25, null, 0, false],
  ]);
  expect(await answers(24, 1)).toEqual([
    [25, 24, 1, null],
    [25, null, 0, false],
  ]);
  expect(await answers(12, 13)).toEqual([
    [25, 12, 1, null],
    [25, 12, 1, null],
  ]);
  expect(await answers(0, 25)).toEqual([
    [25, 0, 0, null],
    [25, 0, 0, null],
  ]);
});

test('the summary says what slow requests have in common, if asked', async () => {
  const app = await testApp();
  for (let browser = 0; browser < 24; browser++) {
    const rows = Array.from({ length: 60 }, (_, i) => {
      const slow = i % 12 === 0;
      const times = slow ? { wait: 1_900_000, receive: 100_000 } : { wait: 20_000 + 500 * (i % 7), receive: 20_000 };
      const none = { blocked: 0, dns: 0, tcp: 0, tls: 0, redirect: 0 };
      const ttlb = times.wait + times.receive;
      const template = slow ? '/v2/search' : i % 3 === 0 ? '/v2/search' : '/list';
      return {
        ...reused(20, i),
        host: 'erp.example.com',
        template,
        protocol: i % 5 === 0 ? null : ('h2' as const),
        at: NOW - 1 - i * 60_000 - browser,
        times: { ...none, ...times, ttfb: times.wait, ttlb },
      };
    });
    await fill(app.store, rows, { client: browserId(browser), site: 'Berlin' });
  }
  const ask = async (as: 'read' | 'admin', query: string) => {
    const answer = await app.send({ url: `/api/v1/summary?by=host&include=slowGroup${query}`, as });
    return (answer.json() as SummaryDocument).cells[0]?.slowGroup;
  };
  const found = await ask('admin', '');
  expect(found).toMatchObject({
    slow: 24 * 5,
    others: 24 * 55,
    reason: null,
    readShare: 1,
    phase: { phase: 'wait', inside: expect.closeTo(0.95, 3) },
    values: [{ dimension: 'template', value: '/v2/search', inside: 1, outside: expect.closeTo(15 / 55, 6) }],
  });
  expect(found?.notReported).toEqual({ protocol: { inside: 1 / 5, outside: 11 / 55 } });
  expect(await ask('read', '')).toMatchObject({ values: found?.values, notReported: null });
  expect(await ask('admin', '&template=/list')).toMatchObject({ slow: 0, reason: 'none' });
  // Reports say it where they explain the gap, JSON is as it was asked for.
  const range = `from=${new Date(NOW - 86_400_000).toISOString()}&to=${new Date(NOW).toISOString()}`;
  const report = async (query: string) =>
    (await app.send({ url: `/api/v1/report?${query}&${range}`, as: 'read' })).body;
  const sentence =
    /Requests over [\d.]+ m?s spend 95 % of their time waiting for the server[^.]*\. \d+ % of them are for \S*v2\S*search\S*;/;
  expect(await report('view=summary&by=host&format=md')).toMatch(sentence);
  expect(await report('view=monthly&format=md')).toMatch(sentence);
  expect(await report('view=monthly&format=md&outliers=tukey')).not.toMatch(sentence);
  expect(await report('view=summary&by=host&format=json')).not.toContain('slowGroup');
});

test('the summary says after how long pages gave up, if asked, and reports say it next to the share', async () => {
  const app = await testApp();
  for (let browser = 0; browser < 24; browser++) {
    const rows = Array.from({ length: 20 }, (_, i) => reused(20 + (i % 3), i));
    // One in eleven waits 2, 3 or 4 s in vain.
    const lost = [0, 10].map((i) => {
      const { times } = reused(2000 + 1000 * (browser % 3), i);
      const unknown = { wait: 'failed', receive: 'failed', ttfb: 'failed' } as const;
      return {
        ...reused(0, i),
        connection: 'failed' as const,
        excluded: 'abandoned' as const,
        times: { ...times, wait: null, receive: null, ttfb: null },
        unknown,
      };
    });
    await fill(app.store, [...rows, ...lost] as never, { client: browserId(browser), site: 'Berlin' });
  }
  const ask = async (as: 'read' | 'admin', query: string) =>
    ((await app.send({ url: `/api/v1/summary?by=host&${query}`, as })).json() as SummaryDocument).cells[0];
  expect((await ask('admin', 'include=abandoned'))?.abandoned).toEqual({ n: 48, median: 3000, readShare: 1 });
  expect(await ask('admin', 'include=abandoned')).not.toHaveProperty('slowGroup');
  expect((await ask('read', 'include=abandoned,slowGroup'))?.abandoned?.median).toBe(3000);
  // Of three browsers, viewers see nothing.
  for (let browser = 0; browser < 3; browser++) {
    const { times } = reused(9000, 1);
    const one = { ...reused(0, 1), host: 'few.example.com', excluded: 'abandoned' as const, times };
    const usual = { ...reused(20, 1), host: 'few.example.com' };
    await fill(app.store, [one], { client: browserId(browser), site: 'Berlin' });
    for (let other = 0; other < 24; other++)
      await fill(app.store, [usual], { client: browserId(other), site: 'Berlin' });
  }
  expect((await ask('admin', 'include=abandoned&host=few.example.com'))?.abandoned?.n).toBe(3);
  expect((await ask('read', 'include=abandoned&host=few.example.com'))?.abandoned).toBeNull();
  const range = `from=${new Date(NOW - 86_400_000).toISOString()}&to=${new Date(NOW).toISOString()}`;
  const report = async (query: string) =>
    (await app.send({ url: `/api/v1/report?${query}&${range}`, as: 'read' })).body;
  expect(await report('view=summary&by=host&format=md')).toContain('before they ended, after ≥ 3 s (median): the');
  expect(await report('view=monthly&format=md&lang=de')).toContain(
    'brach die Seite vor ihrem Ende ab, nach ≥ 3 s (Median): Die',
  );
});

test('the summary says what HTTPS costs, if asked, with an interval over browsers', async () => {
  const app = await testApp();
  for (let browser = 0; browser < 12; browser++) {
    const rows = Array.from({ length: 40 }, (_, i) => reused(20, i));
    const opened = Array.from({ length: 10 }, (_, i) => {
      const { times } = reused(20, i);
      const tls = browser % 2 === 0 ? 40_000 : 60_000;
      return { ...reused(20, i), connection: 'new' as const, times: { ...times, tls, ttlb: 20_000 + tls } };
    });
    await fill(app.store, [...rows, ...opened], { client: browserId(browser), site: 'Berlin' });
  }
  const { cells } = await ask<SummaryDocument>(app, 'summary?by=target&include=httpsCost', 'read');
  const [low, high] = cells[0]?.httpsCost?.interval ?? [];
  // Viewers are told nothing of a single browser.
  expect(cells[0]?.httpsCost?.busiest).toBeNull();
  const admins = await ask<SummaryDocument>(app, 'summary?by=target&include=httpsCost');
  expect(admins.cells[0]?.httpsCost?.busiest).toBeCloseTo(1 / 12, 12);
  expect(cells[0]?.httpsCost).toMatchObject({ requests: 600, opened: 120, mean: 10, perConnection: 50, reason: null });
  // Twelve browsers that deviate by a fifth of a twelfth: t(11) · √(12/11 · 12 · (0.2/12)²).
  expect((high ?? 0) - 10).toBeCloseTo(10 - (low ?? 0), 9);
  expect(((high ?? 0) - 10) / 10).toBeCloseTo(2.201 * Math.sqrt((12 / 11) * 12 * (0.2 / 12) ** 2), 3);
});
