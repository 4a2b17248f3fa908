import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { hashToken } from '../../collector/http/auth/token-text.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type TestApp, testApp } from './test-app.ts';

const SESSION = '/api/v1/session';

async function signIn(app: TestApp, role: 'read' | 'admin') {
  const answer = await app.send({ method: 'POST', url: SESSION, payload: { token: app.tokens[role] } });
  const setCookie = String(answer.headers['set-cookie']);
  return { answer, setCookie, cookie: setCookie.split(';')[0] ?? '' };
}

test('whoever has no token can neither make the collector unpack nor read much', async () => {
  const app = await testApp();
  const send = (payload: Buffer | string, headers: object) =>
    app.send({ method: 'POST', url: SESSION, payload, headers: { 'content-type': 'application/json', ...headers } });
  const packed = await send(gzipSync(JSON.stringify({ token: app.tokens.admin })), { 'content-encoding': 'gzip' });
  expect([packed.statusCode, packed.json().error.code]).toEqual([415, 'unsupported_encoding']);
  const long = await send(JSON.stringify({ token: 'x'.repeat(2_000) }), {});
  expect(long.statusCode).toBe(413);
});

test('a person signs in with a token, reads with the cookie, and signs out', async () => {
  const app = await testApp();
  const { answer, cookie, setCookie } = await signIn(app, 'admin');
  expect(answer.json()).toEqual({ role: 'admin' });
  expect(setCookie).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  expect(setCookie).not.toContain(app.tokens.admin);

  const headers = { cookie };
  expect((await app.send({ url: SESSION, headers })).json()).toEqual({ role: 'admin' });
  expect((await app.send({ url: '/api/v1/summary', headers })).statusCode).toBe(200);
  const out = await app.send({ method: 'DELETE', url: SESSION, headers });
  expect([out.statusCode, String(out.headers['set-cookie'])]).toEqual([204, expect.stringContaining('Max-Age=0')]);
  expect((await app.send({ url: SESSION, headers })).statusCode).toBe(401);
});

test('a session ends with its token, and after its time', async () => {
  const app = await testApp();
  const { cookie } = await signIn(app, 'read');
  const token = await app.store.tokens.findByHash(hashToken(app.tokens.read));
  const other = await signIn(app, 'admin');
  await app.store.tokens.revoke(token?.id ?? '');
  expect((await app.send({ url: SESSION, headers: { cookie } })).statusCode).toBe(401);

  app.clock.now += 12 * 3_600_000 - 1;
  expect((await app.send({ url: SESSION, headers: { cookie: other.cookie } })).statusCode).toBe(200);
  app.clock.now += 1;
  expect((await app.send({ url: SESSION, headers: { cookie: other.cookie } })).statusCode).toBe(401);
});

test('a session that was opened by a clock that ran ahead ends when the clock is right again', async () => {
  const app = await testApp();
  app.clock.now += 400 * 86_400_000;
  const { cookie } = await signIn(app, 'admin');
  expect((await app.send({ url: SESSION, headers: { cookie } })).statusCode).toBe(200);
  app.clock.now -= 400 * 86_400_000;
  expect((await app.send({ url: SESSION, headers: { cookie } })).statusCode).toBe(401);
});

test('over TLS the cookie never travels in the clear', async () => {
  const app = await testApp({ trustProxy: 1, loopbackOnly: false });
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'lastbyte.example.com' };
  const answer = await app.send({ method: 'POST', url: SESSION, payload: { token: app.tokens.read }, headers });
  const setCookie = String(answer.headers['set-cookie']);
  // What a browser demands for the prefix: Secure, Path=/, no Domain.
  expect(setCookie).toMatch(/^__Host-lastbyte_session_\w+=[\w-]{43}; Path=\/; [^\n]*; Secure$/);
  expect(setCookie).not.toMatch(/domain/i);
  const [cookie = ''] = setCookie.split(';');
  expect((await app.send({ url: SESSION, headers: { ...headers, cookie } })).statusCode).toBe(200);
  // Without the prefix any host of the domain could have set it.
  const planted = cookie.replace('__Host-', '');
  expect((await app.send({ url: SESSION, headers: { ...headers, cookie: planted } })).statusCode).toBe(401);
});

test('of two session cookies in a request neither counts', async () => {
  const app = await testApp();
  const { cookie } = await signIn(app, 'admin');
  const [name = ''] = cookie.split('=');
  for (const both of [`${cookie}; ${name}=other`, `${name}=other; ${cookie}`, `${cookie}; ${cookie}`]) {
    const answer = await app.send({ url: SESSION, headers: { cookie: both } });
    expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'unauthorized']);
    expect(answer.json().error.message).toContain('more than one session cookie');
  }
  expect((await app.send({ url: SESSION, headers: { cookie: `a=b; ${cookie}` } })).statusCode).toBe(200);
});

test('what a browser says came from another site changes nothing, unless it has a token', async () => {
  const app = await testApp();
  const { cookie } = await signIn(app, 'admin');
  const put = (headers: Record<string, string>) =>
    app.send({ method: 'PUT', url: '/api/v1/settings', headers, payload: { version: 1, targets: [] } });
  for (const site of ['cross-site', 'same-site']) {
    const answer = await put({ cookie, 'sec-fetch-site': site });
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'cross_site']);
    expect((await put({ authorization: `Bearer ${app.tokens.admin}`, 'sec-fetch-site': site })).statusCode).toBe(200);
    expect((await app.send({ url: SESSION, headers: { cookie, 'sec-fetch-site': site } })).statusCode).toBe(200);
  }
  for (const site of ['same-origin', 'none']) {
    expect((await put({ cookie, 'sec-fetch-site': site })).statusCode).toBe(200);
  }
  const batch = { origin: 'chrome-extension://abcdef', 'sec-fetch-site': 'cross-site' };
  const sent = await app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', headers: batch, payload: {} });
  expect(sent.json().error.code).toBe('unsupported_version');
});

test('no session for an unknown token or for a browser key', async () => {
  const app = await testApp();
  const post = (payload: object) => app.send({ method: 'POST', url: SESSION, payload });
  expect((await post({ token: 'lb_admin_guess' })).statusCode).toBe(401);
  expect((await post({ token: app.tokens.ingest })).statusCode).toBe(403);
  expect((await post({ token: 7 })).json().error.code).toBe('invalid_request');
  expect((await post({})).json().error.code).toBe('invalid_request');
});

test('a page of another origin changes nothing, even on the same host', async () => {
  const app = await testApp();
  const { cookie } = await signIn(app, 'admin');
  const put = (origin: string) =>
    app.send({
      method: 'PUT',
      url: '/api/v1/settings',
      headers: { cookie, origin },
      payload: { version: 1, targets: [] },
    });
  for (const origin of ['https://evil.example', 'http://localhost:3000', 'https://localhost:8642', 'null']) {
    const answer = await put(origin);
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'cross_site']);
  }
  expect((await put('http://localhost:8642')).statusCode).toBe(200);
});

test('an extension sends from its own origin with a key', async () => {
  const app = await testApp();
  const headers = { origin: 'chrome-extension://abcdef' };
  const answer = await app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', headers, payload: {} });
  expect(answer.json().error.code).toBe('unsupported_version');
});

test.each([
  ['localhost:8642', 200],
  ['127.0.0.1:8642', 200],
  ['127.1.2.3', 200],
  ['[::1]:8642', 200],
  ['board.localhost:8642', 200],
  ['rebound.example.com:8642', 421],
  ['localhost.example.com', 421],
  ['10.0.0.1:8642', 421],
])('on loopback the name %s is answered with %i', async (host, status) => {
  const app = await testApp();
  expect((await app.send({ url: '/healthz', headers: { host } })).statusCode).toBe(status);
});

test('every answer has the policy, faults included', async () => {
  const app = await testApp();
  const sent = await Promise.all([
    app.send({ method: 'POST', url: '/api/v1/batches', payload: {} }),
    app.send({ url: '/api/v1/summary' }),
    app.send({ url: '/nowhere' }),
  ]);
  expect(sent.map(({ statusCode }) => statusCode)).toEqual([401, 401, 404]);
  for (const { headers } of sent) {
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  }
});

test('the dashboard is for everybody, with a strict policy, and cached by its content', async () => {
  const dashboardFolder = join(await temporaryFolder(), 'dashboard');
  await mkdir(join(dashboardFolder, 'secret'), { recursive: true });
  await writeFile(join(dashboardFolder, 'index.en.html'), '<!doctype html><title>Lastbyte</title>');
  await writeFile(join(dashboardFolder, 'dashboard.js'), 'export {};');
  await writeFile(join(dashboardFolder, 'notes.txt'), 'not for the web');
  await writeFile(join(dashboardFolder, 'chunk-7IZXJNKM.js'), 'export {};');
  const app = await testApp({ dashboardFolder });

  const page = await app.send({ url: '/?from=2026-03-01' });
  expect([page.statusCode, page.headers['content-type'], page.body]).toEqual([
    200,
    'text/html; charset=utf-8',
    '<!doctype html><title>Lastbyte</title>',
  ]);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
  expect(page.headers['content-security-policy']).not.toContain('unsafe');
  expect(page.headers['x-content-type-options']).toBe('nosniff');
  const again = await app.send({ url: '/', headers: { 'if-none-match': String(page.headers.etag) } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect((await app.send({ url: '/dashboard.js' })).headers['content-type']).toBe('text/javascript; charset=utf-8');
  const coded = (accepted: string) => app.send({ url: '/', headers: { 'accept-encoding': accepted } });
  const zipped = await coded('br, gzip;q=0.8');
  expect([zipped.headers['content-encoding'], gunzipSync(zipped.rawPayload).toString()]).toEqual(['gzip', page.body]);
  expect(zipped.headers.etag).not.toBe(page.headers.etag);
  for (const { headers } of [zipped, page]) expect(headers.vary).toBe('accept-encoding, accept-language, cookie');
  for (const refused of ['identity', 'gzip;q=0', 'br']) expect((await coded(refused)).body).toBe(page.body);
  const caching = async (url: string) => (await app.send({ url })).headers['cache-control'];
  // The names of the others stay what they are when their content changes.
  for (const url of ['/', '/dashboard.js']) expect(await caching(url)).toBe('no-cache');
  expect(await caching('/chunk-7IZXJNKM.js')).toBe('public, max-age=31536000, immutable');
  for (const url of ['/notes.txt', '/secret', '/../package.json', '/%2e%2e/package.json', '/..%2fpackage.json']) {
    expect((await app.send({ url })).statusCode).toBe(404);
  }
});

test('the page is in the language that the reader chose, or prefers', async () => {
  const dashboardFolder = await temporaryFolder();
  for (const language of ['en', 'de']) await writeFile(join(dashboardFolder, `index.${language}.html`), language);
  const app = await testApp({ dashboardFolder });
  const page = async (url: string, headers: Record<string, string> = {}) => (await app.send({ url, headers })).body;
  expect(await page('/')).toBe('en');
  expect(await page('/', { 'accept-language': 'fr, de-AT;q=0.8, en;q=0.5' })).toBe('de');
  expect(await page('/', { 'accept-language': 'de;q=0, fr' })).toBe('en');
  expect(await page('/?lang=de')).toBe('de');
  expect(await page('/?lang=xx', { 'accept-language': 'de' })).toBe('de');
  const chosen = await app.send({ url: '/?lang=de' });
  const cookie = String(chosen.headers['set-cookie']).split(';')[0] ?? '';
  expect(await page('/', { cookie, 'accept-language': 'en' })).toBe('de');
  expect(await page('/?lang=en', { cookie })).toBe('en');
});

test('what does not exist, and what cannot be read, is a coded error too', async () => {
  const app = await testApp();
  expect((await app.send({ url: '/api/v1/nothing' })).json().error.code).toBe('not_found');
  expect((await app.send({ method: 'POST', url: '/healthz' })).json().error.code).toBe('not_found');
  const broken = await app.send({ url: '/%' });
  expect([broken.statusCode, broken.json().error.code]).toEqual([400, 'invalid_request']);
});

test('a defect of ours is told without its details, and logged without the user', async () => {
  const app = await testApp();
  app.store.samples.read = () => Promise.reject(new Error('secret path /home/x'));
  const headers = { 'user-agent': 'Mozilla/5.0 (of Jane)', cookie: 'a=b' };
  const answer = await app.send({ url: '/api/v1/summary?host=private.example.com', as: 'read', headers });
  expect([answer.statusCode, answer.json().error.code]).toEqual([500, 'internal_error']);
  expect(answer.body).not.toContain('secret');
  const logged = app.log.join('');
  expect(logged).toContain('secret path');
  expect(logged).toContain('"route":"/api/v1/summary"');
  for (const private_ of ['Jane', '127.0.0.1', 'private.example.com', app.tokens.read, 'a=b']) {
    expect(logged).not.toContain(private_);
  }
});

test('ready only while the store is', async () => {
  const app = await testApp();
  expect((await app.send({ url: '/readyz' })).json()).toEqual({ status: 'ok' });
  await app.store.close();
  app.clock.now += 1_000; // the disk is asked once a second
  expect((await app.send({ url: '/readyz' })).statusCode).toBe(500);
  expect((await app.send({ url: '/healthz' })).statusCode).toBe(200);
});
