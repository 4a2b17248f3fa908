import { expect, test } from 'vitest';
import { testApp } from './test-app.ts';

const ERP = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] };
const settings = (...targets: object[]) => ({ version: 1, targets });

test('every revision is kept, with who wrote it, newest first, and can be read again', async () => {
  const app = await testApp();
  const put = (payload: object) => app.send({ method: 'PUT', url: '/api/v1/settings', as: 'admin', payload });
  await put(settings(ERP));
  app.clock.now += 1000;
  await put(settings());
  const { revisions } = (await app.send({ url: '/api/v1/settings/revisions', as: 'read' })).json();
  expect(revisions).toEqual([
    { revision: 2, at: new Date(app.clock.now).toISOString(), author: 'admin token' },
    { revision: 1, at: new Date(app.clock.now - 1000).toISOString(), author: 'admin token' },
  ]);
  const first = await app.send({ url: '/api/v1/settings/revisions/1', as: 'read' });
  expect(first.json()).toEqual({ ...revisions[1], author: undefined, document: settings(ERP) });
  const none = await app.send({ url: '/api/v1/settings/revisions/3', as: 'read' });
  expect([none.statusCode, none.json().error.code]).toEqual([404, 'not_found']);
  expect((await app.send({ url: '/api/v1/settings/revisions/0', as: 'read' })).statusCode).toBe(400);
});

test('a document is judged as when it is saved, and not put in force', async () => {
  const app = await testApp();
  const check = (payload: unknown, as: 'admin' | 'read' = 'admin') =>
    app.send({
      method: 'POST',
      url: '/api/v1/settings/check',
      as,
      payload: JSON.stringify(payload),
      headers: { 'content-type': 'application/json' },
    });
  expect((await check(settings(ERP))).json()).toEqual({ ok: true, problems: [] });
  const faulty = settings({ ...ERP, match: ['*://*/*'] });
  const judged = (await check(faulty)).json();
  const saved = await app.send({ method: 'PUT', url: '/api/v1/settings', as: 'admin', payload: faulty });
  expect(judged).toEqual({ ok: false, problems: saved.json().error.problems });
  expect(judged.problems[0].path).toBe('/targets/0/match/0');
  for (const strange of [null, 1, 'x', []]) expect((await check(strange)).json().ok).toBe(false);
  expect((await check(settings(ERP), 'read')).statusCode).toBe(403);
  expect((await app.send({ url: '/api/v1/settings/revisions', as: 'read' })).json()).toEqual({ revisions: [] });
});
