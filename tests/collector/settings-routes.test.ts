import { expect, test } from 'vitest';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import { testApp } from './test-app.ts';

const URL = '/api/v1/settings';
const SETTINGS: Settings = {
  version: 1,
  targets: [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }],
  delivery: { intervalSeconds: 10 },
};

test('settings are read, changed by who knows the newest, and never overwritten unseen', async () => {
  const app = await testApp();
  const first = await app.send({ url: URL, as: 'read' });
  expect([first.json(), first.headers.etag]).toEqual([{ version: 1, targets: [] }, '"0"']);

  const put = (match: string | null, payload: object = SETTINGS) =>
    app.send({ method: 'PUT', url: URL, as: 'admin', payload, headers: match === null ? {} : { 'if-match': match } });
  const written = await put('"0"');
  expect([written.statusCode, written.json(), written.headers.etag]).toEqual([200, SETTINGS, '"1"']);
  const late = await put('"0"', { version: 1, targets: [] });
  expect([late.statusCode, late.json().error.code]).toEqual([412, 'precondition_failed']);
  expect((await app.send({ url: URL, as: 'admin' })).json()).toEqual(SETTINGS);
  expect((await put(null)).headers.etag).toBe('"2"');
  expect((await put('*')).headers.etag).toBe('"3"');
});

test('what is wrong is named with its place, all of it, and nothing is written', async () => {
  const app = await testApp();
  const payload = {
    version: 1,
    targets: [{ id: 'ERP', name: 'ERP', match: ['https://erp.example.com/*'], colour: 1 }],
  };
  const answer = await app.send({ method: 'PUT', url: URL, as: 'admin', payload });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error).toMatchObject({
    code: 'invalid_settings',
    message: expect.stringContaining('/targets/0'),
    problems: expect.arrayContaining([
      expect.objectContaining({ path: '/targets/0/id' }),
      expect.objectContaining({ path: '/targets/0', message: 'unknown name colour' }),
    ]),
  });
  expect((await app.send({ url: URL, as: 'admin' })).headers.etag).toBe('"0"');
});

test('only admins write; browsers do not even read', async () => {
  const app = await testApp();
  for (const as of ['read', 'ingest'] as const) {
    const answer = await app.send({ method: 'PUT', url: URL, as, payload: SETTINGS });
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'forbidden']);
  }
  expect((await app.send({ url: URL, as: 'ingest' })).statusCode).toBe(403);
});

test('browsers get what they need, and 304 until it changes', async () => {
  const app = await testApp();
  const get = (tag?: string) =>
    app.send({
      url: '/api/v1/extension-settings',
      as: 'ingest',
      headers: tag === undefined ? {} : { 'if-none-match': tag },
    });
  const empty = await get();
  expect(empty.json()).toEqual({ version: 1, revision: 0, targets: [], delivery: { intervalSeconds: 60 } });
  expect((await get(String(empty.headers.etag))).statusCode).toBe(304);

  await app.store.settings.write(SETTINGS, null, 0);
  const changed = await get(String(empty.headers.etag));
  expect(changed.statusCode).toBe(200);
  expect(changed.json()).toEqual({ ...SETTINGS, revision: 1 });
  const unchanged = await get(`W/${changed.headers.etag}`);
  expect([unchanged.statusCode, unchanged.body, unchanged.headers.etag]).toEqual([304, '', '"1"']);
});

test('people have no business with the settings of browsers', async () => {
  const app = await testApp();
  expect((await app.send({ url: '/api/v1/extension-settings', as: 'admin' })).statusCode).toBe(403);
});
