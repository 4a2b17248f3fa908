import { expect, test } from 'vitest';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { fill } from './fill-store.ts';
import { testApp } from './test-app.ts';

const TYPED = {
  version: 1,
  targets: [
    {
      id: 'idn',
      name: 'IDN',
      match: ['https://müller.example/*'],
      exclude: [{ host: 'Übung.example' }],
      unlockTimings: ['bücher.example'],
    },
    { id: 'v6', name: 'V6', match: ['https://[2001:DB8:0:0:0:0:0:1]:8443/*', 'https://[::ffff:10.0.0.1]/*'] },
  ],
  alerts: { webhooks: [], rules: [{ id: 'slow', name: 'Slow', host: 'MÜLLER.example', aboveMs: 500 }] },
};
const ONE = { from: new Date(NOW - 3_600_000).toISOString(), to: new Date(NOW + 3_600_000).toISOString() };

test('settings keep hosts as typed, and browsers get them as they spell them', async () => {
  const { send } = await testApp();
  const put = await send({ method: 'PUT', url: '/api/v1/settings', as: 'admin', payload: TYPED });
  expect([put.statusCode, put.json()]).toEqual([200, TYPED]);
  const got = await send({ url: '/api/v1/settings', as: 'admin' });
  expect([got.json(), got.headers.etag]).toEqual([TYPED, put.headers.etag]);
  const { targets } = (await send({ url: '/api/v1/extension-settings', as: 'ingest' })).json();
  expect(targets).toEqual([
    {
      ...TYPED.targets[0],
      match: ['https://xn--mller-kva.example/*'],
      exclude: [{ host: 'xn--bung-zra.example' }],
      unlockTimings: ['xn--bcher-kva.example'],
    },
    { ...TYPED.targets[1], match: ['https://[2001:db8::1]:8443/*', 'https://[::ffff:a00:1]/*'] },
  ]);
});

test.each([
  ['/targets/0/match/0', { targets: [{ id: 'a', name: 'A', match: ['https://1/*'] }] }],
  ['/targets/0/match/0', { targets: [{ id: 'a', name: 'A', match: ['https://[:::]/*'] }] }],
  [
    '/targets/0/exclude/0/host',
    { targets: [{ id: 'a', name: 'A', match: ['https://a.test/*'], exclude: [{ host: 'a b' }] }] },
  ],
  [
    '/targets/0/unlockTimings/0',
    { targets: [{ id: 'a', name: 'A', match: ['https://a.test/*'], unlockTimings: ['[::1]'] }] },
  ],
  [
    '/alerts/rules/0/host',
    { targets: [], alerts: { webhooks: [], rules: [{ id: 'a', name: 'A', host: 'https://a', aboveMs: 9 }] } },
  ],
])('a host that could match nothing is refused: %s', async (path, document) => {
  const { send } = await testApp();
  const answer = await send({
    method: 'PUT',
    url: '/api/v1/settings',
    as: 'admin',
    payload: { version: 1, ...document },
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error.problems.map((problem: { path: string }) => problem.path)).toContain(path);
});

test.each(['müller.example', 'MÜLLER.example', 'xn--mller-kva.example', 'mu\u0308ller.example'])(
  'the filter host=%s finds the samples of the one host',
  async (host) => {
    const { send, store, clock } = await testApp();
    await fill(store, [{ ...PLAIN_SAMPLE, host: 'xn--mller-kva.example' }, PLAIN_SAMPLE]);
    clock.now = NOW + 2000;
    const query = (name: string) => new URLSearchParams({ ...ONE, [name]: host, by: 'host' });
    const hosts = async (name: string) =>
      (await send({ url: `/api/v1/summary?${query(name)}`, as: 'admin' }))
        .json()
        .cells.map((cell: { host: string }) => cell.host);
    expect(await hosts('host')).toEqual(['xn--mller-kva.example']);
    expect(await hosts('not.host')).toEqual([PLAIN_SAMPLE.host]);
  },
);

test.each([
  ['https://erp.example.com/', 'Name the host alone: erp.example.com'],
  ['http://user@Erp.example.com:8443/x?y', 'Name the host alone: erp.example.com'],
  ['erp.example.com:443', 'Name the host alone: erp.example.com'],
  ['erp.example.com/orders', 'Name the host alone: erp.example.com'],
  ['[2001:DB8::0:1]:443', 'Name the host alone: [2001:db8::1]'],
  ['127.1', 'Name the host alone: 127.0.0.1'],
  ['[:::]', 'Write a name or an address, such as erp.example.com.'],
  ['a b', 'Write a name or an address'],
  ['not..host', 'Write a name or an address'],
  ['*.example.com', 'Write a name or an address'],
  ['ftp://', 'Write a name or an address'],
])('%s is no host to filter by, nor to annotate', async (host, hint) => {
  const { send } = await testApp();
  const query = (name: string) => new URLSearchParams({ [name]: host });
  const error = { code: 'invalid_parameter', hint: expect.stringContaining(hint) };
  for (const name of ['host', 'not.host']) {
    const answer = await send({ url: `/api/v1/summary?${query(name)}`, as: 'read' });
    expect([answer.statusCode, answer.json().error]).toMatchObject([400, error]);
  }
  const compared = await send({ url: `/api/v1/compare?${query('before.host')}`, as: 'read' });
  expect([compared.statusCode, compared.json().error]).toMatchObject([400, error]);
  const note = { method: 'POST', url: '/api/v1/annotations', as: 'admin', payload: { text: 'x', host } } as const;
  const noted = await send(note);
  expect([noted.statusCode, noted.json().error]).toMatchObject([400, error]);
});

test('the name of hosts that share one can be asked for, as links do', async () => {
  const { send } = await testApp();
  const answer = await send({ url: '/api/v1/summary?host=(other)', as: 'read' });
  expect(answer.statusCode).toBe(200);
});

test('an annotation is answered with its host as it is stored', async () => {
  const { send } = await testApp();
  const payload = { text: 'x', host: 'Müller.example' };
  const answer = await send({ method: 'POST', url: '/api/v1/annotations', as: 'admin', payload });
  const listed = await send({ url: '/api/v1/annotations', as: 'read' });
  expect([answer.json().host, listed.json().annotations[0].host]).toEqual(Array(2).fill('xn--mller-kva.example'));
});
