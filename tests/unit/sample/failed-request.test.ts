import { expect, it } from 'vitest';
import { type FailedRequest, makeFailedSample } from '../../../shared/sample/failed-request.ts';
import { TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';

const REQUEST: FailedRequest = {
  url: 'https://app.example.com/orders/4711?secret=1',
  type: 'xmlhttprequest',
  startedAt: 1_700_000_000_000.4,
  endedAt: 1_700_000_021_000.4,
  error: 'net::ERR_CONNECTION_TIMED_OUT',
};
const OPTIONS = { target: 'erp', source: 'page' };

it('counts a failure with its code, its time and no phase', () => {
  const sample = makeFailedSample(REQUEST, OPTIONS);
  expect(sample).toMatchObject({
    at: 1_700_000_000_000,
    host: 'app.example.com',
    template: '/orders/{n}',
    type: 'fetch',
    connection: 'failed',
    excluded: 'failed',
    error: 'net::ERR_CONNECTION_TIMED_OUT',
  });
  expect(sample?.times.ttlb).toBe(21_000_000);
  for (const name of TIME_NAMES) {
    if (name !== 'ttlb') expect([sample?.times[name], sample?.unknown[name]]).toEqual([null, 'failed']);
  }
  expect(makeFailedSample({ ...REQUEST, type: 'constructor' }, OPTIONS)?.type).toBe('other');
});

it('gives none for what is no request or has no sensible time', () => {
  expect(makeFailedSample({ ...REQUEST, url: 'about:blank' }, OPTIONS)).toBeNull();
  expect(makeFailedSample({ ...REQUEST, endedAt: 1 }, OPTIONS)).toBeNull();
  expect(makeFailedSample({ ...REQUEST, startedAt: Number.NaN }, OPTIONS)).toBeNull();
});

it('does not make up how long a request took whose start nobody saw', () => {
  const sample = makeFailedSample({ ...REQUEST, startedAt: null }, OPTIONS);
  expect(sample).toMatchObject({ at: 1_700_000_021_000, times: { ttlb: null }, unknown: { ttlb: 'failed' } });
});
