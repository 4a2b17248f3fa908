import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteStore } from '../../collector/storage/sqlite/open-sqlite-store.ts';
import { MAX_SESSIONS, MAX_SESSIONS_OF_TOKEN } from '../../collector/storage/store.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { testApp } from '../collector/test-app.ts';

const SESSION = '/api/v1/session';
const UNTIL = 1_000_000;
const threadScript = pathToFileURL(join(import.meta.dirname, '../../dist/store-thread.mjs'));

async function openedStore() {
  const store = openSqliteStore({ folder: await temporaryFolder(), as: 'server' });
  onTestFinished(() => store.close());
  return store;
}

test('while the database is being written, sign-ins and sign-outs wait and everything else goes on', async () => {
  const folder = await temporaryFolder();
  const app = await testApp({ store: openSqliteStore({ folder, as: 'server', threadScript }) });
  const signIn = async () => app.send({ method: 'POST', url: SESSION, payload: { token: app.tokens.read } });
  const first = await signIn();
  expect(first.statusCode).toBe(200);
  const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
  const other = new Database(join(folder, 'lastbyte.sqlite'));
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  let answered = 0;
  const changes = [
    ...Array.from({ length: 20 }, signIn),
    app.send({ method: 'DELETE', url: SESSION, headers: { cookie } }),
  ].map(async (answer) => {
    const { statusCode } = await answer;
    answered++;
    return statusCode;
  });
  // Nothing is written for a session that is not there.
  const name = cookie.split('=')[0];
  const unknown = await app.send({ method: 'DELETE', url: SESSION, headers: { cookie: `${name}=guess` } });
  expect(unknown.statusCode).toBe(204);
  expect((await app.send({ url: '/api/v1/settings', as: 'read' })).statusCode).toBe(200);
  expect((await app.send({ url: SESSION, headers: { cookie } })).statusCode).toBe(200);
  expect(answered).toBe(0);
  other.exec('COMMIT');
  expect(await Promise.all(changes)).toEqual([...Array.from({ length: 20 }, () => 200), 204]);
  expect((await app.send({ url: SESSION, headers: { cookie } })).statusCode).toBe(401);
});

test('a token has so many sessions, and the oldest of its own make room', async () => {
  const { sessions } = await openedStore();
  const open = (token: string, number: number, until: number) => sessions.open(`${token}${number}`, token, until, 0);
  const found = (hash: string) => sessions.find(hash, 0, 2 * UNTIL);
  await open('admin', 0, UNTIL);
  await Promise.all(Array.from({ length: MAX_SESSIONS_OF_TOKEN + 1 }, (_, i) => open('read', i, UNTIL + 1 + i)));
  expect(await Promise.all(['read0', 'read1', 'admin0'].map(found))).toEqual([null, 'read', 'admin']);
});

test('when all tokens together have too many, the one with few loses none', async () => {
  const { sessions } = await openedStore();
  await sessions.open('quiet', 'admin', UNTIL, 0);
  const tokens = MAX_SESSIONS / MAX_SESSIONS_OF_TOKEN;
  await Promise.all(
    Array.from({ length: MAX_SESSIONS }, (_, i) => sessions.open(`s${i}`, `token${i % tokens}`, UNTIL + 1 + i, 0)),
  );
  const found = (hash: string) => sessions.find(hash, 0, 2 * UNTIL);
  // One too many: the oldest of one of those that have the most.
  const oldest = await Promise.all(Array.from({ length: tokens }, (_, i) => found(`s${i}`)));
  expect(oldest.filter((token) => token === null)).toHaveLength(1);
  expect(await found('quiet')).toBe('admin');
});

test('sessions that a clock running ahead opened do not keep others out', async () => {
  const { sessions } = await openedStore();
  const ahead = 1_000 * UNTIL;
  await Promise.all(
    Array.from({ length: MAX_SESSIONS_OF_TOKEN }, (_, i) => sessions.open(`ahead${i}`, 'read', ahead + i, 0)),
  );
  await sessions.open('right', 'read', UNTIL, 0);
  expect(await sessions.find('right', 0, UNTIL)).toBe('read');
});

// Windows of limits don't end because the machine is busy.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test.each([
  ['right ones', (right: string) => ({ token: right }), 200],
  ['wrong ones', () => ({ token: 'guess' }), 401],
  ['such without a token', () => ({}), 400],
])('an address signs in so often: %s', async (_, payloadOf, status) => {
  const app = await testApp();
  const signIn = (remoteAddress: string) =>
    app.send({ method: 'POST', url: SESSION, payload: payloadOf(app.tokens.read), remoteAddress });
  const statuses: number[] = [];
  for (let i = 0; i < 64; i++) statuses.push((await signIn('192.0.2.1')).statusCode);
  expect(new Set(statuses)).toEqual(new Set([status]));
  const refused = await signIn('192.0.2.1');
  expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'rate_limited']);
  expect(refused.headers).toMatchObject({ connection: 'close', 'retry-after': '10' });
  expect((await signIn('192.0.2.2')).statusCode).toBe(status);
  vi.setSystemTime(Date.now() + 10_000);
  expect((await signIn('192.0.2.1')).statusCode).toBe(status);
});

test('sign-outs of unknown sessions count as unknown tokens do', async () => {
  const app = await testApp();
  const signOut = (remoteAddress: string) =>
    app.send({ method: 'DELETE', url: SESSION, headers: { cookie: 'lastbyte_session_8642=guess' }, remoteAddress });
  for (let i = 0; i < 10_000; i++) await signOut('192.0.2.1');
  expect((await signOut('192.0.2.1')).statusCode).toBe(429);
  expect((await signOut('192.0.2.2')).statusCode).toBe(204);
});

test('an admin changes so much at once, whatever address asks, and goes on reading', async () => {
  const app = await testApp();
  const make = (remoteAddress: string) =>
    app.send({
      method: 'POST',
      url: '/api/v1/tokens',
      as: 'admin',
      payload: { role: 'read', label: '' },
      remoteAddress,
    });
  const statuses: number[] = [];
  for (let i = 0; i < 64; i++) statuses.push((await make('192.0.2.1')).statusCode);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const refused = await make('192.0.2.2');
  expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'rate_limited']);
  const revoked = await app.send({ method: 'DELETE', url: '/api/v1/tokens/x', as: 'admin' });
  expect(revoked.statusCode).toBe(429);
  expect((await app.send({ url: '/api/v1/tokens', as: 'admin' })).statusCode).toBe(200);
  vi.setSystemTime(Date.now() + 10_000);
  expect((await make('192.0.2.1')).statusCode).toBe(200);
});
