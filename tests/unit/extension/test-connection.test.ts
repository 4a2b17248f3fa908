import { expect, test } from 'vitest';
import { FRESH_DELIVERY } from '../../../extension/background/delivery.ts';
import { needsAttention } from '../../../extension/background/status.ts';
import { testConnection } from '../../../extension/background/test-connection.ts';
import { endless, fakeEnvironment, redirect } from './fakes.ts';

const refusal = (status: number, code: string) => Response.json({ error: { code, message: '', hint: '' } }, { status });
const SETTINGS = { version: 1, revision: 1, targets: [], delivery: { intervalSeconds: 60 } };

test.each<[string, (() => Response) | null, object]>([
  ['nobody answers', null, { result: 'unreachable' }],
  ['the collector answers', () => Response.json(SETTINGS), { result: 'ok', targets: 0 }],
  ['the key is wrong', () => refusal(401, 'invalid_token'), { result: 'wrong_key' }],
  ['the key is one for people', () => refusal(403, 'forbidden'), { result: 'wrong_key' }],
  ['the collector has a bad day', () => refusal(500, 'internal'), { result: 'busy' }],
  ['a web page answers', () => new Response('<html>hello'), { result: 'not_a_collector' }],
  ['another API answers', () => Response.json({ ok: true }), { result: 'not_a_collector' }],
  ['a proxy wants a sign-in', () => new Response('', { status: 401 }), { result: 'not_a_collector' }],
  ['it leads elsewhere', redirect, { result: 'redirected' }],
  ['it never ends', endless, { result: 'not_a_collector' }],
  ['another path of it', () => refusal(404, 'not_found'), { result: 'not_a_collector' }],
])('%s', async (_, answer, expected) => {
  const environment = fakeEnvironment();
  if (answer) environment.answers.push(answer);
  expect(await testConnection({ collector: 'https://lastbyte.test', key: 'k' }, environment)).toEqual(expected);
});

test('the badge shows only where somebody has to do something', () => {
  const of = (
    state: Parameters<typeof needsAttention>[0]['state'],
    failures = 0,
    poll: 'ok' | 'unreachable' | null = 'ok',
  ) => needsAttention({ state, poll, delivery: { ...FRESH_DELIVERY, failures } });
  expect([of('collecting'), of('paused'), of('no_targets'), of('collecting', 7)]).toEqual([false, false, false, false]);
  expect([of('key_refused'), of('degraded'), of('not_enrolled'), of('collecting', 8)]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([of('no_settings', 0, null), of('no_settings', 0, 'unreachable')]).toEqual([false, true]);
});
