import { expect, test } from 'vitest';
import { MAX_ANNOTATIONS, type Role } from '../../collector/storage/store.ts';
import { NOW } from '../unit/wire/arbitrary-sample.ts';
import { type TestApp, testApp } from './test-app.ts';

const headers = { 'content-type': 'application/json' };
const URL = '/api/v1/annotations';

function post(app: TestApp, body: object, as: Role = 'admin') {
  return app.send({ method: 'POST', url: URL, as, headers, body: JSON.stringify(body) });
}

async function texts(app: TestApp, query = ''): Promise<string[]> {
  const { annotations } = (await app.send({ url: `${URL}${query}`, as: 'read' })).json();
  return annotations.map(({ text }: { text: string }) => text);
}

const TARGET = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] };

test('admins add notes at moments and over periods, which everyone sees in order of time', async () => {
  const app = await testApp();
  await app.store.settings.write({ version: 1, targets: [TARGET] }, null, NOW);
  const now = new Date(NOW).toISOString();
  const { id, ...added } = (await post(app, { text: 'release 4.2', target: 'erp' })).json();
  expect(added).toEqual({
    at: now,
    until: null,
    text: 'release 4.2',
    target: 'erp',
    host: null,
    author: 'admin token',
    createdAt: now,
  });
  const works = { text: 'works on the line', at: '2026-02-27T22:00:00+01:00', until: '2026-02-28T03:00:00Z' };
  expect((await post(app, { ...works, host: 'erp.example.com' })).json()).toMatchObject({
    at: '2026-02-27T21:00:00.000Z',
    until: '2026-02-28T03:00:00.000Z',
    host: 'erp.example.com',
  });
  expect(await texts(app)).toEqual(['works on the line', 'release 4.2']);
  expect(await texts(app, '?from=2026-02-28T02:00:00Z&to=2026-03-01T00:00:00Z')).toEqual(['works on the line']);
  expect(await texts(app, '?from=2026-03-01T00:00:00Z')).toEqual(['release 4.2']);
  const remove = () => app.send({ method: 'DELETE', url: `${URL}/${id}`, as: 'admin' });
  expect([(await remove()).statusCode, (await remove()).json().error.code]).toEqual([204, 'not_found']);
  expect(await texts(app)).toEqual(['works on the line']);
});

test('viewers read only, and others nothing', async () => {
  const app = await testApp();
  expect((await post(app, { text: 'x' }, 'read')).statusCode).toBe(403);
  expect((await app.send({ method: 'DELETE', url: `${URL}/x`, as: 'read' })).statusCode).toBe(403);
  expect((await app.send({ url: URL, as: 'ingest' })).statusCode).toBe(403);
  expect((await app.send({ url: URL })).statusCode).toBe(401);
});

test('there is room for a thousand', async () => {
  const app = await testApp();
  const note = { at: NOW, until: null, text: 'x', target: null, host: null, author: '', createdAt: NOW };
  for (let i = 0; i < MAX_ANNOTATIONS; i++) await app.store.annotations.add({ ...note, id: `n${i}` });
  const { statusCode, ...answer } = await post(app, { text: 'one more' });
  expect([statusCode, answer.json().error.code]).toEqual([409, 'too_many_annotations']);
  await app.store.annotations.remove('n5');
  expect((await post(app, { text: 'one more' })).statusCode).toBe(200);
});

test.each([
  [{}, 'invalid_request'],
  [{ text: '' }, 'invalid_request'],
  [{ text: ' x' }, 'invalid_text'],
  [{ text: 'two\nlines' }, 'invalid_text'],
  [{ text: 'x'.repeat(201) }, 'invalid_request'],
  [{ text: 'x', more: 1 }, 'invalid_request'],
  [{ text: 'x', at: 'yesterday' }, 'invalid_time'],
  [{ text: 'x', at: '2026-02-30T00:00:00Z' }, 'invalid_time'],
  [{ text: 'x', at: '2026-03-02T00:00:00Z', until: '2026-03-02T00:00:00Z' }, 'invalid_range'],
  [{ text: 'x', target: 'crm' }, 'unknown_target'],
])('%j is refused: %s', async (body, code) => {
  const app = await testApp();
  const answer = await post(app, body);
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, code]);
  expect(await texts(app)).toEqual([]);
});

test.each([
  ['?from=now', 'invalid_time'],
  ['?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', 'invalid_range'],
  ['?since=2026-03-02T00:00:00Z', 'unknown_parameter'],
])('the list refuses %s: %s', async (query, code) => {
  const answer = await (await testApp()).send({ url: `${URL}${query}`, as: 'read' });
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, code]);
});
