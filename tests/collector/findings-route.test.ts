import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import type { FindingsDocument } from '../../collector/questions/findings.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { type TestApp, testApp } from './test-app.ts';

const HOUR = 3_600_000;
const NAMES = ['/a', '/b', '/c', '/d', '/e', '/f', '/g'];
const BROWSERS = 24;
const EACH = 12;

/** Two dozen browsers that open seven pages; those of `slow` take their time. */
async function fleet(slowMs: (path: string, browser: number) => number): Promise<TestApp> {
  const app = await testApp();
  await app.store.settings.write(
    { version: 1, targets: [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }] },
    null,
    NOW,
  );
  for (let browser = 0; browser < BROWSERS; browser++) {
    const rows = NAMES.flatMap((template) =>
      Array.from({ length: EACH }, (_, i) => {
        const us = 1000 * (50 + ((browser * 7 + i * 3) % 10) + slowMs(template, browser));
        const none = { blocked: 0, dns: 0, tcp: 0, tls: 0, redirect: 0 };
        const times = { ...none, wait: us, receive: 0, ttfb: us, ttlb: us };
        const at = NOW - (EACH - i) * HOUR;
        return { ...PLAIN_SAMPLE, target: 'erp', host: 'erp.example.com', template, at, times };
      }),
    );
    await fill(app.store, rows, { client: browserId(browser), site: browser < 12 ? 'Berlin' : 'Lyon' });
  }
  return app;
}

async function ask(app: TestApp, query = '', as: 'read' | 'admin' = 'admin'): Promise<FindingsDocument> {
  const answer = await app.send({ url: `/api/v1/findings?${query}`, as });
  expect([query, answer.statusCode]).toEqual([query, 200]);
  return answer.json();
}

test('a slow request is found, with the names of its app and host, in English and German', async () => {
  const app = await fleet((path) => (path === '/c' ? 700 : 0));
  const { findings, requests, readShare } = await ask(app);
  expect([requests, readShare]).toEqual([BROWSERS * EACH * NAMES.length, 1]);
  expect(findings).toMatchObject([
    {
      kind: 'slow_server',
      place: { target: 'erp', host: 'erp.example.com', template: '/c', site: null },
      quantity: 'wait',
      affectedRequests: BROWSERS * EACH,
      affectedBrowsersShare: 1,
      text: {
        title: 'ERP, erp.example.com/c: the server’s answer takes 754 ms instead of 54 ms',
        saves: expect.stringMatching(
          /^Affects [\d,]+ requests \(\d+ % of network requests\) from 100 % of browsers, each 700 ms longer: /,
        ),
      },
    },
  ]);
  expect((await ask(app, '', 'read')).findings).toEqual(findings);
  const german = await ask(app, 'lang=de');
  expect(german.findings[0]?.text.title).toBe(
    'ERP, erp.example.com/c: die Antwort des Servers dauert 754 ms statt 54 ms',
  );
  expect(german.findings[0]?.text.saves).toContain('von 100 % der Browser; jede dauert 700 ms länger');
  // Not among the requests that are asked for.
  expect((await ask(app, 'not.template=/c')).findings).toEqual([]);
});

test('challenges that browsers answer by themselves are told, though their times count for nothing else', async () => {
  const app = await fleet(() => 0);
  const none = { dns: 0, tcp: 0, tls: 0, redirect: 0, receive: 0 };
  const times = { ...none, blocked: 60_000, wait: 50_000, ttfb: 110_000, ttlb: 110_000 };
  for (let browser = 0; browser < BROWSERS; browser++) {
    const rows = Array.from({ length: EACH }, (_, i) => ({
      ...{ ...PLAIN_SAMPLE, target: 'erp', host: 'erp.example.com', template: '/c', excluded: 'challenge' as const },
      ...{ at: NOW - i * HOUR - 1000, times },
    }));
    await fill(app.store, rows, { client: browserId(browser), site: browser < 12 ? 'Berlin' : 'Lyon' });
  }
  const { findings } = await ask(app);
  expect(findings).toMatchObject([{ kind: 'challenges', place: { host: 'erp.example.com', template: '/c' } }]);
  expect(findings[0]?.text.title).toBe(
    'ERP, erp.example.com/c: 50 % of requests are asked for credentials first, which takes 60 ms',
  );
  expect((await ask(app, 'lang=de')).findings[0]?.text.title).toBe(
    'ERP, erp.example.com/c: 50 % der Anfragen müssen sich erst anmelden, was 60 ms dauert',
  );
});

test.each([
  [5, ['/only', '/c']],
  [4, ['/c']],
])('a page that %i browsers open is slow: findings about %j', async (browsers, expected) => {
  const app = await fleet((path) => (path === '/c' ? 3000 : 0));
  const none = { blocked: 0, dns: 0, tcp: 0, tls: 0, redirect: 0 };
  const times = { ...none, wait: 4_000_000, receive: 0, ttfb: 4_000_000, ttlb: 4_000_000 };
  for (let browser = BROWSERS - browsers; browser < BROWSERS; browser++) {
    const rows = Array.from({ length: 60 + browser }, (_, i) => {
      const at = NOW - 1000 - i * 60_000;
      return { ...PLAIN_SAMPLE, target: 'erp', host: 'erp.example.com', template: '/only', at, times };
    });
    await fill(app.store, rows, { client: browserId(browser), site: 'Lyon' });
  }
  for (const as of ['admin', 'read'] as const) {
    const { findings } = await ask(app, '', as);
    expect([as, findings.map(({ place }) => place.template)]).toEqual([as, expected]);
  }
});

test('only admins are told of single browsers', async () => {
  const app = await fleet(() => 0);
  for (const host of ['erp.example.com', 'api.example.com']) {
    for (let browser = 0; browser < 12; browser++) {
      const rows = Array.from({ length: 60 }, (_, i) => {
        const blocked = browser === 3 ? 900_000 : 1000;
        const none = { dns: 0, tcp: 0, tls: 0, redirect: 0 };
        const times = { ...none, blocked, wait: 50_000, receive: 0, ttfb: blocked + 50_000, ttlb: blocked + 50_000 };
        return { ...PLAIN_SAMPLE, target: 'erp', host, at: NOW - (1 + (i % 72)) * HOUR, times };
      });
      await fill(app.store, rows, { client: browserId(browser), site: 'Berlin' });
    }
  }
  const range = `from=${new Date(NOW - 80 * HOUR).toISOString()}`;
  const client = browserId(3);
  expect((await ask(app, range)).findings).toMatchObject([{ kind: 'slow_browser', place: { client } }]);
  expect((await ask(app, range, 'read')).findings).toEqual([]);
});

test('of more than 100,000 samples parts are read, and what is said is about all', async () => {
  const app = await testApp();
  const MINUTES = 10_000;
  const none = { blocked: 0, dns: 0, tcp: 0, tls: 0, redirect: 0 };
  const rows = Array.from({ length: MINUTES }, (_, i) => {
    const template = NAMES[i % NAMES.length] as string;
    const us = 1000 * (50 + (i % 10) + (template === '/c' ? 700 : 0));
    const times = { ...none, wait: us, receive: 0, ttfb: us, ttlb: us };
    return { ...PLAIN_SAMPLE, host: 'erp.example.com', template, at: NOW - (MINUTES - i) * 60_000, times };
  });
  const columns = toBatchColumns(rows);
  await app.store.samples.append(
    Array.from({ length: 21 }, (_, browser) => {
      const origin = { ...ORIGIN, client: browserId(browser), site: 'Berlin' };
      return { id: randomUUID(), receivedAt: NOW - 1, clockCorrection: 0, origin, columns };
    }),
  );
  const range = `from=${new Date(NOW - MINUTES * 60_000).toISOString()}&to=${new Date(NOW).toISOString()}`;
  const { findings, requests, readShare, waitedMs, method } = await ask(app, range);
  expect(readShare).toBeCloseTo(1 / 4, 1);
  // In another language it is computed again, from the parts that are still known.
  expect(await ask(app, `${range}&lang=de`)).toMatchObject({ requests, readShare, waitedMs });
  expect(method.exact).toBe(false);
  expect(requests / 210_000).toBeCloseTo(1, 3);
  expect(waitedMs / requests).toBeCloseTo(154.5, 0);
  expect(findings).toMatchObject([{ kind: 'slow_server', place: { template: '/c' } }]);
  expect((findings[0]?.affectedRequests ?? 0) / 30_000).toBeCloseTo(1, 2);
  expect((findings[0]?.savedMs ?? 0) / (30_000 * 700)).toBeCloseTo(1, 2);
});
