import { expect, test } from 'vitest';
import type { FindingsDocument } from '../../collector/questions/findings.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
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
      phase: 'wait',
      affectedRequests: BROWSERS * EACH,
      text: { title: 'ERP: erp.example.com/c takes 754 ms to answer; similar requests take 54 ms' },
    },
  ]);
  expect((await ask(app, '', 'read')).findings).toEqual(findings);
  const german = await ask(app, 'lang=de');
  expect(german.findings[0]?.text.title).toBe(
    'ERP: erp.example.com/c braucht 754 ms für eine Antwort, vergleichbare Anfragen brauchen 54 ms',
  );
  // Not among the requests that are asked for.
  expect((await ask(app, 'not.template=/c')).findings).toEqual([]);
});

test('viewers get no finding that only the rows of few browsers show', async () => {
  // Four of the browsers at Lyon have a slow page of their own.
  const app = await fleet((path) => (path === '/c' ? 3000 : 0));
  const none = { blocked: 0, dns: 0, tcp: 0, tls: 0, redirect: 0 };
  const times = { ...none, wait: 4_000_000, receive: 0, ttfb: 4_000_000, ttlb: 4_000_000 };
  for (let browser = 20; browser < BROWSERS; browser++) {
    const rows = Array.from({ length: 60 + browser }, (_, i) => {
      const at = NOW - 1000 - i * 60_000;
      return { ...PLAIN_SAMPLE, target: 'erp', host: 'erp.example.com', template: '/only', at, times };
    });
    await fill(app.store, rows, { client: browserId(browser), site: 'Lyon' });
  }
  const places = ({ findings }: FindingsDocument) => findings.map(({ place }) => place.template);
  expect(places(await ask(app))).toEqual(['/only', '/c']);
  expect(places(await ask(app, '', 'read'))).not.toContain('/only');
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
