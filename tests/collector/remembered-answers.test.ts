import { expect, test, vi } from 'vitest';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { type TestApp, testApp } from './test-app.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();
const lastDay = (movedMs = 0) => `from=${iso(NOW - DAY + movedMs)}&to=${iso(NOW + movedMs)}`;

async function app(): Promise<TestApp & { readonly reads: () => string[] }> {
  const made = await testApp();
  await fill(made.store, [{ ...PLAIN_SAMPLE, at: NOW - 2 * HOUR }], { client: browserId(1) });
  const spy = vi.spyOn(made.store.samples, 'read');
  const reads = () => {
    const names = spy.mock.calls.map(([{ name }]) => name).filter((name) => /^(findings|changes)$/.test(name));
    spy.mockClear();
    return names;
  };
  return { ...made, reads };
}

const ask = async ({ send }: TestApp, question: string, as: 'read' | 'admin' = 'admin') => {
  const answer = await send({ url: `/api/v1/${question}`, as });
  expect([question, answer.statusCode]).toEqual([question, 200]);
  return answer.json();
};

test('findings are read once while nothing changes, even if the range moves on', async () => {
  const made = await app();
  const first = await ask(made, `findings?${lastDay()}`);
  const again = await ask(made, `findings?${lastDay(60_000)}`);
  expect(made.reads()).toEqual(['findings']);
  expect(again.method.to).toBe(iso(NOW + 60_000));
  expect({ ...again, method: null }).toEqual({ ...first, method: null });
});

test('findings are read again with another sample, another length, filter, zone, language or name of an app', async () => {
  const made = await app();
  await ask(made, `findings?${lastDay()}`);
  for (const query of [
    `from=${iso(NOW - 3 * DAY)}&to=${iso(NOW)}`,
    `${lastDay()}&host=other.example.com`,
    `${lastDay()}&zone=Asia/Tokyo`,
    `${lastDay()}&lang=de`,
  ])
    await ask(made, `findings?${query}`);
  await fill(made.store, [{ ...PLAIN_SAMPLE, at: NOW - HOUR }], { client: browserId(2) });
  expect((await ask(made, `findings?${lastDay()}`)).requests).toBe(2);
  const named = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] };
  await made.store.settings.write({ version: 1, targets: [named] }, null, NOW);
  await ask(made, `findings?${lastDay()}`);
  expect(made.reads()).toHaveLength(7);
});

test('changes are read again with another sample of a day that is over, not with one of today', async () => {
  const made = await app();
  await ask(made, `changes?${lastDay()}`);
  for (const [daysAgo, read] of [
    [0, []],
    [5, ['changes']],
    [2, ['changes']],
    [0, []],
  ] as const) {
    made.reads();
    await fill(made.store, [{ ...PLAIN_SAMPLE, at: NOW - daysAgo * DAY - 60_000 }], { client: browserId(2) });
    await ask(made, `changes?${lastDay()}`);
    expect([daysAgo, made.reads()]).toEqual([daysAgo, read]);
  }
});

test('once a browser is erased, nothing of it is answered from memory', async () => {
  const made = await app();
  await fill(made.store, [{ ...PLAIN_SAMPLE, at: NOW - HOUR }], { client: browserId(2) });
  expect((await ask(made, `findings?${lastDay()}`)).requests).toBe(2);
  await made.store.maintenance.erase({ client: browserId(2) });
  expect((await ask(made, `findings?${lastDay()}`)).requests).toBe(1);
});
