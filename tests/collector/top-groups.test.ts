import { expect, test } from 'vitest';
import { FEW_BROWSERS } from '../../shared/vocabulary/dimensions.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { type TestApp, testApp } from './test-app.ts';

const HOUR = 3_600_000;
/** Requests of each page, and how long each took, ms. */
const PAGES = { '/rare-slow': [2, 4000], '/usual': [10, 300], '/often-fast': [40, 60], '/fast': [5, 20] } as const;

function rows(template: string, n: number, ms: number) {
  const none = { blocked: 0, dns: 0, tcp: 0, tls: 0, redirect: 0 };
  const times = { ...none, wait: ms * 1000, receive: 0, ttfb: ms * 1000, ttlb: ms * 1000 };
  return Array.from({ length: n }, (_, i) => ({ ...PLAIN_SAMPLE, at: NOW - HOUR - i, template, times }));
}

async function visited(browsers: number): Promise<TestApp> {
  const app = await testApp();
  for (let browser = 0; browser < browsers; browser++) {
    const all = Object.entries(PAGES).flatMap(([template, [n, ms]]) => rows(template, n, ms));
    const browserVersion = browser % 2 === 0 ? '128.0.1.2' : '129.0.0.1';
    await fill(app.store, all, { client: browserId(browser), browserVersion });
  }
  return app;
}

async function ask(app: TestApp, question: string, as: 'read' | 'admin' = 'read') {
  const answer = await app.send({ url: `/api/v1/${question}`, as });
  expect([question, answer.statusCode]).toEqual([question, 200]);
  return answer.json();
}

const templatesOf = ({ cells }: { cells: { template: string }[] }) => cells.map(({ template }) => template).sort();

test.each(['summary?', 'histogram?', 'timeline?step=1h&', 'timeline?step=5m&', 'compare?', 'evidence?'])(
  '%s groups and filters by page and browser version',
  async (question) => {
    const app = await visited(2);
    expect(templatesOf(await ask(app, `${question}by=template`))).toEqual(Object.keys(PAGES).sort());
    expect(templatesOf(await ask(app, `${question}by=template&template=/fast&template=/usual`))).toEqual([
      '/fast',
      '/usual',
    ]);
    expect(templatesOf(await ask(app, `${question}by=template&not.template=/fast`))).toHaveLength(3);
    const { cells } = await ask(app, `${question}by=browserVersion&browserVersion=chromium%20129`);
    expect(cells).toMatchObject([{ browserVersion: 'chromium 129' }]);
  },
);

test.each(['summary?', 'histogram?', 'timeline?step=1h&', 'timeline?step=5m&'])(
  '%s has the groups that were waited for longest, and counts the others',
  async (question) => {
    const app = await visited(2);
    const answer = await ask(app, `${question}by=template&top=2`);
    expect(templatesOf(answer)).toEqual(['/rare-slow', '/usual']);
    expect(answer.leftOut).toEqual({ cells: 2, samples: 90 });
    expect((await ask(app, `${question}by=template&top=4`)).leftOut).toEqual({ cells: 0, samples: 0 });
    expect((await ask(app, `${question}by=template`)).leftOut).toBeUndefined();
    expect((await ask(app, `${question}by=host&top=1`)).leftOut).toEqual({ cells: 0, samples: 0 });
  },
);

test('the numbers of a group do not depend on how many others are shown', async () => {
  const app = await visited(6);
  await app.store.maintenance.rollUp();
  const include = 'include=serverShares,overheads,gapCuts';
  for (const by of ['template', 'type,template', 'site']) {
    const { cells: all } = await ask(app, `summary?by=${by}&${include}`, 'admin');
    const { cells: top } = await ask(app, `summary?by=${by}&${include}&top=2`, 'admin');
    expect([by, top.length > 0]).toEqual([by, true]);
    for (const cell of top) expect(all).toContainEqual(cell);
  }
});

test('the group of few browsers stays, and is not counted among the others', async () => {
  const app = await visited(20);
  for (const n of [1, 2, 3, 4, 5, 6]) await fill(app.store, rows(`/own-${n}`, 1, 9), { client: browserId(n) });
  const answer = await ask(app, 'summary?by=template&top=1');
  expect(templatesOf(answer)).toEqual([FEW_BROWSERS, '/rare-slow'].sort());
  expect(answer.leftOut).toEqual({ cells: 3, samples: 20 * 55 });
});

test.each(['top=0', 'top=1001', 'top=all'])('%s is refused', async (query) => {
  const { error } = (await (await testApp()).send({ url: `/api/v1/summary?${query}`, as: 'read' })).json();
  expect(error).toMatchObject({ code: 'invalid_parameter', hint: 'top takes whole numbers from 1 to 1000.' });
});
