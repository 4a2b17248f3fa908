import { expect, test } from 'vitest';
import { aggregateSamples } from '../../../collector/analysis/summary/aggregate-samples.ts';
import { toServerShare } from '../../../collector/analysis/summary/own-round-trip.ts';
import { serverShare, serverShares } from '../../../collector/analysis/summary/server-share.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { makeSample } from './make-sample.ts';

const TIMES = { tcp: 40_000, tls: 42_000, wait: 65_000 };
const opened = (given: Parameters<typeof makeSample>[0] = {}) =>
  makeSample({ connection: 'new', times: TIMES, ...given });

test('the wait less the round trip of the same request', () => {
  expect(toServerShare(opened())).toBe(25_000);
  expect(toServerShare(opened({ times: { ...TIMES, wait: 38_000 } }))).toBe(-2000);
});

test.each<[string, StoredSample]>([
  ['HTTP/3 merges TCP and TLS', opened({ protocol: 'h3' })],
  ['a reused connection has no round trip of its own', makeSample({ times: { wait: 65_000 } })],
  ['an uncorrected Firefox stamp', opened({ times: { ...TIMES, wait: null }, unknown: { wait: 'firefox_tls13' } })],
  ['Early Hints', opened({ responseMark: 'final_response_headers' })],
  ['a socket that was opened ahead', opened({ times: { ...TIMES, tcp: 0 } })],
  ['0-RTT', opened({ times: { ...TIMES, tls: 0 } })],
])('no share: %s', (_why, sample) => {
  expect(toServerShare(sample)).toBeNull();
});

test('plain HTTP and a corrected Firefox stamp do have one', () => {
  const plain = opened({ scheme: 'http', times: { ...TIMES, tls: null }, unknown: { tls: 'plain_http' } });
  expect(toServerShare(plain)).toBe(25_000);
  expect(toServerShare(opened({ responseMark: 'web_request' }))).toBe(25_000);
});

test('an interval that contains 0 is not measurable, one beside it is', () => {
  const around = (centre: number) => exactDistribution(Array.from({ length: 41 }, (_, i) => centre + (i - 20) * 100));
  expect(serverShare(around(0))).toMatchObject({ median: null, notMeasurable: 'interval_contains_zero' });
  expect(serverShare(around(20_000))).toMatchObject({ n: 41, median: 20, notMeasurable: null });
  expect(serverShare(around(-20_000)).median).toBe(-20);
  expect(serverShare(exactDistribution([5000, 6000]))).toMatchObject({ median: null, notMeasurable: 'few_samples' });
  expect(serverShare(exactDistribution([])).notMeasurable).toBe('no_samples');
});

test('new and reused connections side by side, with how many borrowed a round trip', () => {
  const samples = [
    ...Array.from({ length: 10 }, () => opened()),
    ...Array.from({ length: 20 }, () => makeSample({ times: { wait: 70_000 } })),
  ];
  const [cell] = aggregateSamples(samples, []);
  expect(cell && serverShares(cell)).toMatchObject({
    meaning: expect.stringMatching(/first TCP endpoint/),
    onNewConnections: { n: 10, median: 25 },
    onReusedConnections: { n: 20, median: 30, basis: { site: 20, none: 0 } },
  });
});

test('an interval that only touches 0 is not measurable either', () => {
  const six = (from: number) => exactDistribution(Array.from({ length: 6 }, (_, i) => from + i * 1000));
  expect(serverShare(six(0))).toMatchObject({
    median: null,
    interval: [0, 5],
    notMeasurable: 'interval_contains_zero',
  });
  expect(serverShare(six(-5000))).toMatchObject({ median: null, interval: [-5, 0] });
  expect(serverShare(six(1))).toMatchObject({ notMeasurable: null });
});

test('nobody borrows from a request that was left out, nor from a browser that only shares the lack of a site', () => {
  const basis = (lender: StoredSample, site: string) => {
    const [cell] = aggregateSamples([lender, makeSample({ origin: { client: 'other', site } })], []);
    return cell?.reusedServerShare.basis;
  };
  expect(basis(opened(), 'berlin')).toEqual({ site: 1, none: 0 });
  expect(basis(opened({ status: 401, excluded: 'status' }), 'berlin')).toEqual({ site: 0, none: 1 });
  expect(basis(opened({ origin: { site: '' } }), '')).toEqual({ site: 0, none: 1 });
});
