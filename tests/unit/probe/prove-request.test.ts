import { expect, test } from 'vitest';
import { proveRequest, type RequestOutcome } from '../../../shared/probes/prove-request.ts';
import { outcome, probeEntry } from './fake-edges.ts';

const URL = 'https://app.test/4k';
const PLAIN = 'http://app.test/4k';
const entry = probeEntry(URL, 'new');

test('a run proves itself by its own connection stamps', () => {
  const asked = { url: URL, size: 4096 } as const;
  expect(proveRequest(outcome(entry), { ...asked, connection: 'new' })).toBeNull();
  expect(proveRequest(outcome(entry), { ...asked, connection: 'reused' })).toBe('not_reused');
  const reused = outcome(probeEntry(URL, 'reused'));
  expect(proveRequest(reused, { ...asked, connection: 'reused' })).toBeNull();
  expect(proveRequest(reused, { ...asked, connection: 'new' })).toBe('not_new');
});

test.each<[string, RequestOutcome, string]>([
  ['timeout', outcome(null, { error: 'timeout' }), URL],
  ['error:NS_ERROR_NET_RESET', outcome(null, { error: 'NS_ERROR_NET_RESET' }), URL],
  ['no_entry', outcome(null), URL],
  // HSTS leaves the asked address in the entry's name.
  ['https_upgrade', outcome({ ...entry, name: PLAIN }, { finalUrl: null }), PLAIN],
  ['https_upgrade', outcome({ ...probeEntry(PLAIN, 'new') }, { finalUrl: URL }), PLAIN],
  ['redirected', outcome(entry, { finalUrl: 'https://app.test/login' }), URL],
  ['redirected', outcome({ ...entry, redirectStart: 90, redirectEnd: 100 }), URL],
  ['redirected', outcome(entry, { status: 302 }), URL],
  ['status_403', outcome(entry, { status: 403 }), URL],
  ['cache', outcome({ ...entry, transferSize: 0 }), URL],
  ['worker', outcome({ ...entry, workerStart: 101 }), URL],
  ['invalid', outcome({ ...entry, requestStart: 100_000 }), URL],
  ['size_changed', outcome({ ...entry, decodedBodySize: 5000 }), URL],
  [
    'opaque',
    outcome({ ...entry, requestStart: 0, responseStart: 0, connectEnd: 0, connectStart: 0, secureConnectionStart: 0 }),
    URL,
  ],
])('%s', (reason, run, url) => {
  expect(proveRequest(run, { url, connection: 'new', size: 4096 })).toBe(reason);
});

test('a date or a token in the body is no other body', () => {
  const run = outcome({ ...entry, decodedBodySize: 4110 });
  expect(proveRequest(run, { url: URL, connection: 'new', size: 4096 })).toBeNull();
});
