import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SummaryDocument } from '../../collector/analysis/summary/summary-document.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import { readRetention } from '../../shared/settings/read-retention.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN } from '../unit/wire/arbitrary-sample.ts';
import { browserId } from './fill-store.ts';
import { pruneAll } from './prune-all.ts';
import { request } from './report-samples.ts';
import { type TestApp, testApp } from './test-app.ts';

const DAY = 86_400_000;

async function post(app: TestApp, client: string, samples: readonly Sample[]) {
  const batch = encodeBatch({ ...ORIGIN, client }, randomUUID(), NOW, samples);
  return app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', payload: batch });
}

async function ask(app: TestApp, query: string): Promise<SummaryDocument['cells']> {
  const answer = await app.send({ url: `/api/v1/summary?${query}`, as: 'admin' });
  expect([query, answer.statusCode]).toEqual([query, 200]);
  return answer.json<SummaryDocument>().cells;
}

/** Six browsers that poll for 30 s and, in between, fetch something in 80 ms. */
async function fillWithPolls(app: TestApp, at: number) {
  for (let browser = 0; browser < 6; browser++) {
    const samples = Array.from({ length: 8 }, (_, index) => [
      request(at + index, { wait: 30_000 }, { type: 'fetch', template: '/poll' }),
      request(at + index, { wait: 80 }, { type: 'fetch', template: '/orders' }),
    ]).flat();
    expect((await post(app, browserId(browser), samples)).json()).toMatchObject({ accepted: 16, rejected: [] });
  }
}

test('long-lived requests are in no number until their type is named', async () => {
  const app = await testApp();
  await fillWithPolls(app, NOW - 1000);
  // One browser had polled before the path was known for what it is.
  expect(await ask(app, 'by=host')).toMatchObject([{ samples: 6 * 16 - 5 * 8 }]);
  expect(await ask(app, 'by=template&not.template=/poll')).toMatchObject([{ template: '/orders', samples: 48 }]);
  expect(await ask(app, 'by=host,template&type=long_lived')).toMatchObject([
    { host: 'erp.example.com', template: '/poll', samples: 40, phases: { ttlb: { median: 30_000 } } },
  ]);
  expect(await ask(app, 'by=type&type=fetch&type=long_lived')).toMatchObject([{ samples: 56 }, { samples: 40 }]);
});

test('rollups keep them apart as well', async () => {
  const app = await testApp();
  await fillWithPolls(app, NOW - 3 * DAY);
  await app.store.maintenance.rollUp();
  await pruneAll(app.store, NOW, readRetention({ version: 1, targets: [], retention: { sampleDays: 1 } }));
  const range = `from=${new Date(NOW - 7 * DAY).toISOString()}`;
  expect(await ask(app, `by=type&${range}`)).toMatchObject([{ type: 'fetch', samples: 56 }]);
  expect(await ask(app, `by=type&type=long_lived&${range}`)).toMatchObject([{ type: 'long_lived', samples: 40 }]);
});

test('no sender may hide its requests as long-lived', async () => {
  const app = await testApp();
  const samples = [request(NOW - 1000, { wait: 80 }, { type: 'long_lived' })];
  expect((await post(app, browserId(0), samples)).json()).toMatchObject({
    accepted: 0,
    rejected: [{ row: 0, code: 'bad_type' }],
  });
});
