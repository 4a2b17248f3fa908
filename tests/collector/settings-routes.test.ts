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
  expect(first.json()).toEqual({ version: 1, targets: [] });

  const put = (match: string | null, payload: object = SETTINGS) =>
    app.send({ method: 'PUT', url: URL, as: 'admin', payload, headers: match === null ? {} : { 'if-match': match } });
  const tag = String(first.headers.etag);
  const weak = await put(`W/${tag}`);
  expect([weak.statusCode, weak.json().error.code]).toEqual([412, 'precondition_failed']);
  const written = await put(tag);
  expect([written.statusCode, written.json()]).toEqual([200, SETTINGS]);
  expect(written.headers.etag).not.toBe(tag);
  const late = await put(tag, { version: 1, targets: [] });
  expect([late.statusCode, late.json().error.code]).toEqual([412, 'precondition_failed']);
  expect((await app.send({ url: URL, as: 'admin' })).json()).toEqual(SETTINGS);
  const again = await put(null);
  expect(again.headers.etag).toBe((await app.send({ url: URL, as: 'read' })).headers.etag);
  expect((await put('*')).headers.etag).not.toBe(again.headers.etag);
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
  expect((await app.send({ url: URL, as: 'admin' })).json()).toEqual({ version: 1, targets: [] });
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
  expect([unchanged.statusCode, unchanged.body, unchanged.headers.etag]).toEqual([304, '', changed.headers.etag]);
});

test('another data folder behind the same address is not taken for the one before it', async () => {
  const [one, other] = [await testApp(), await testApp()];
  const get = (app: typeof one, tag = '') =>
    app.send({ url: '/api/v1/extension-settings', as: 'ingest', headers: { 'if-none-match': tag } });
  await one.store.settings.write(SETTINGS, null, 0);
  await other.store.settings.write({ ...SETTINGS, targets: [] }, null, 0);
  const first = await get(one);
  const second = await get(other, String(first.headers.etag));
  expect([first.json().revision, second.statusCode, second.json().revision]).toEqual([1, 200, 1]);
});

test('people have no business with the settings of browsers', async () => {
  const app = await testApp();
  expect((await app.send({ url: '/api/v1/extension-settings', as: 'admin' })).statusCode).toBe(403);
});
