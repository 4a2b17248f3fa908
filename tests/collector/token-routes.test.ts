import { expect, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

const URL = '/api/v1/tokens';

test('an admin makes a token, sees it once, and revokes it', async () => {
  const app = await testApp();
  const made = await app.send({ method: 'POST', url: URL, as: 'admin', payload: { role: 'read', label: ' Grafana ' } });
  expect([made.statusCode, made.headers['cache-control']]).toEqual([200, 'no-store']);
  const { id, token } = made.json();
  expect(token).toMatch(/^lb_read_/);
  const list = await app.send({ url: URL, as: 'admin' });
  expect(list.json().tokens).toContainEqual(
    expect.objectContaining({ id, role: 'read', label: 'Grafana', current: false }),
  );
  expect(list.json().tokens.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
  expect(list.payload).not.toContain(token);
  const ask = () => app.send({ url: '/api/v1/summary', headers: { authorization: `Bearer ${token}` } });
  expect((await ask()).statusCode).toBe(200);
  const revoke = () => app.send({ method: 'DELETE', url: `${URL}/${id}`, as: 'admin' });
  expect((await revoke()).statusCode).toBe(204);
  expect((await ask()).statusCode).toBe(401);
  expect((await revoke()).statusCode).toBe(404);
});

test('viewers and browsers neither see nor make nor revoke tokens', async () => {
  const app = await testApp();
  for (const as of ['read', 'ingest'] as const) {
    expect((await app.send({ url: URL, as })).statusCode).toBe(403);
    expect((await app.send({ method: 'POST', url: URL, as, payload: { role: 'admin', label: '' } })).statusCode).toBe(
      403,
    );
    expect((await app.send({ method: 'DELETE', url: `${URL}/x`, as })).statusCode).toBe(403);
  }
});

test('a label is one line of at most 100 characters, and a role one of three', async () => {
  const app = await testApp();
  for (const payload of [{ role: 'owner', label: '' }, { role: 'read', label: 'x'.repeat(101) }, { role: 'read' }]) {
    expect((await app.send({ method: 'POST', url: URL, as: 'admin', payload })).statusCode).toBe(400);
  }
});

test('a session outlives the collector, and ends with its token or its time', async () => {
  const folder = await temporaryFolder();
  const first = await testApp({ store: await openStore({ folder, as: 'server' }) });
  const { tokens } = first;
  const signed = await first.send({ method: 'POST', url: '/api/v1/session', payload: { token: tokens.admin } });
  const cookie = String(signed.headers['set-cookie']).split(';')[0] ?? '';
  const asked = (app: typeof first) => app.send({ url: '/api/v1/session', headers: { cookie } });
  expect((await asked(first)).json()).toEqual({ role: 'admin' });
  await first.store.close();

  const second = await testApp({ store: await openStore({ folder, as: 'server' }) });
  expect((await asked(second)).json()).toEqual({ role: 'admin' });
  second.clock.now += 12 * 3_600_000;
  expect((await asked(second)).statusCode).toBe(401);
  second.clock.now -= 1;
  expect((await asked(second)).statusCode).toBe(200);
  await second.send({ method: 'DELETE', url: '/api/v1/session', headers: { cookie } });
  expect((await asked(second)).statusCode).toBe(401);
});
