import { expect, test } from 'vitest';
import type { WhatIfDocument } from '../../collector/questions/what-if.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { type TestApp, testApp } from './test-app.ts';

const EACH = 16;

/** So many browsers of each site; the first of them find their connections closed after five seconds. */
async function fleet(sites: Readonly<Record<string, number>>, affected = 100): Promise<TestApp> {
  const app = await testApp();
  let browser = 0;
  for (const [site, browsers] of Object.entries(sites)) {
    for (let i = 0; i < browsers; i++) {
      const rows = Array.from({ length: EACH }, (_, n) => {
        const closed = n % 2 === 0 && browser < affected;
        const setUp = closed ? { dns: 5000, tcp: 10_000 * (1 + Object.keys(sites).indexOf(site)), tls: 15_000 } : {};
        const times = { blocked: 0, dns: 0, tcp: 0, tls: 0, redirect: 0, wait: 50_000, receive: 0, ...setUp };
        const ttfb = times.dns + times.tcp + times.tls + times.wait;
        return {
          ...PLAIN_SAMPLE,
          host: 'erp.example.com',
          protocol: 'h2',
          at: NOW - (n + 1) * 60_000,
          connection: closed ? ('new' as const) : ('reused' as const),
          idleMs: closed ? 20_000 : 2000,
          times: { ...times, ttfb, ttlb: ttfb },
        };
      });
      await fill(app.store, rows, { client: browserId(browser++), site });
    }
  }
  return app;
}

async function ask(app: TestApp, query = '', as: 'read' | 'admin' = 'admin'): Promise<WhatIfDocument> {
  const answer = await app.send({ url: `/api/v1/what-if?${query}`, as });
  expect([query, answer.statusCode]).toEqual([query, 200]);
  return answer.json();
}

test('a longer timeout saves the set-up, in English and German', async () => {
  const app = await fleet({ Berlin: 12, Lyon: 12 });
  const document = await ask(app, 'host=erp.example.com');
  expect(document).toMatchObject({ requests: 24 * EACH, readShare: 1 });
  const of = ({ savings }: WhatIfDocument) => savings.filter(({ remedy }) => remedy === 'keep_alive');
  expect(of(document).map(({ seconds, savedMs }) => [seconds, savedMs])).toEqual([
    [5, 0],
    [15, 0],
    ...[30, 60, 120, 300].map((seconds) => [seconds, 96 * 30 + 96 * 40]),
  ]);
  expect(of(document)[2]?.text).toMatchObject({
    title: 'A keep-alive timeout of 30 s',
    saves: '25.9 % of the total time (24.3 to 27.5 %): 35 ms in each of 192 requests.',
  });
  expect(of(await ask(app, 'host=erp.example.com&lang=de'))[2]?.text.saves).toBe(
    '25,9 % der Gesamtzeit (24,3 bis 27,5 %): 35 ms bei jeder von 192 Anfragen.',
  );
  expect(of(await ask(app, 'host=other.example.com')).every(({ savedMs }) => savedMs === null)).toBe(true);
});

test('viewers are told of no site with few browsers, nor of what few browsers meet', async () => {
  const app = await fleet({ Berlin: 12, Lyon: 12, Oslo: 12, Porto: 4 });
  const sitesIn = ({ savings }: WhatIfDocument) => savings.flatMap(({ site, nearSite }) => [site, nearSite]);
  expect(sitesIn(await ask(app))).toContain('Porto');
  expect(sitesIn(await ask(app, '', 'read'))).not.toContain('Porto');
  // One of the others is hidden with it, so that it cannot be told by subtraction.
  expect(sitesIn(await ask(app, '', 'read')).filter((site) => site !== null)).toHaveLength(2);
  const few = await fleet({ Berlin: 24 }, 4);
  const half = (document: WhatIfDocument) => document.savings.find(({ seconds }) => seconds === 30);
  expect(half(await ask(few))?.savedMs).toBeGreaterThan(0);
  expect(half(await ask(few, '', 'read'))).toMatchObject({ savedMs: null, reason: 'too_few_browsers', facts: {} });
});
