import { expect, test } from 'vitest';
import { MAX_SAVED_VIEWS, type Role } from '../../collector/storage/store.ts';
import { NOW } from '../unit/wire/arbitrary-sample.ts';
import { type TestApp, testApp } from './test-app.ts';

const headers = { 'content-type': 'application/json' };

function put(app: TestApp, id: string, body: object, as: Role = 'admin') {
  return app.send({ method: 'PUT', url: `/api/v1/views/${id}`, as, headers, body: JSON.stringify(body) });
}

async function views(app: TestApp): Promise<{ id: string; name: string; query: string }[]> {
  return (await app.send({ url: '/api/v1/views', as: 'read' })).json().views;
}

const WEEK = { name: 'ERP this week', query: '?range=7d&target=erp&not.host=cdn.example.com' };

test('admins save views that everyone sees, rename them and delete them', async () => {
  const app = await testApp();
  expect(await views(app)).toEqual([]);
  const saved = { id: 'erp-week', ...WEEK, at: new Date(NOW).toISOString(), author: 'admin token' };
  const answer = await put(app, 'erp-week', WEEK);
  expect([answer.statusCode, answer.json()]).toEqual([200, saved]);
  await put(app, 'all', { name: 'Alles über alle', query: '' });
  expect(await views(app)).toEqual([expect.objectContaining({ id: 'all', query: '' }), saved]);
  app.clock.now += 1000;
  await put(app, 'erp-week', { ...WEEK, name: 'A name before all others' });
  expect((await views(app)).map(({ name }) => name)).toEqual(['A name before all others', 'Alles über alle']);
  const remove = () => app.send({ method: 'DELETE', url: '/api/v1/views/erp-week', as: 'admin' });
  expect([(await remove()).statusCode, (await remove()).json().error.code]).toEqual([204, 'not_found']);
  expect(await views(app)).toHaveLength(1);
});

test('viewers read only, and others nothing', async () => {
  const app = await testApp();
  expect((await put(app, 'x', WEEK, 'read')).statusCode).toBe(403);
  expect((await app.send({ method: 'DELETE', url: '/api/v1/views/x', as: 'read' })).statusCode).toBe(403);
  expect((await app.send({ url: '/api/v1/views', as: 'ingest' })).statusCode).toBe(403);
  expect((await app.send({ url: '/api/v1/views' })).statusCode).toBe(401);
});

test('a name is given once, whatever its case and its spelling of accents', async () => {
  const app = await testApp();
  await put(app, 'one', { name: 'Caf\u00e9', query: '' });
  for (const name of ['caf\u00e9', 'Cafe\u0301']) {
    const { error } = (await put(app, 'two', { name, query: '' })).json();
    expect([name, error.code]).toEqual([name, 'name_taken']);
  }
  expect((await put(app, 'one', { name: 'CAF\u00e9', query: '' })).statusCode).toBe(200);
});

test('there is room for 200, and replacing one is always possible', async () => {
  const app = await testApp();
  for (let i = 0; i < MAX_SAVED_VIEWS; i++) {
    await app.store.views.write({ id: `v${i}`, name: `View ${i}`, query: '', at: NOW, author: '' });
  }
  expect((await put(app, 'more', WEEK)).json().error).toMatchObject({
    code: 'too_many_views',
    message: 'there are already 200 views',
  });
  expect((await put(app, 'v7', WEEK)).statusCode).toBe(200);
});

test.each([
  { name: '', query: '' },
  { name: 'x'.repeat(81), query: '' },
  { name: 'x', query: 'range=7d' },
  { name: 'x', query: 'https://evil.example.com/?range=7d' },
  { name: 'x', query: '?range=7d#token=abc' },
  { name: 'x', query: '?a b' },
  { name: 'x', query: `?${'a'.repeat(2000)}` },
  { name: 'x', query: '', more: 1 },
  { name: 'x' },
])('%j is refused', async (body) => {
  const answer = await put(await testApp(), 'x', body);
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request']);
});

test.each(['UPPER', '-x', 'a'.repeat(64), 'a%20b'])('the id %s is refused', async (id) => {
  expect((await put(await testApp(), id, WEEK)).statusCode).toBe(400);
});
