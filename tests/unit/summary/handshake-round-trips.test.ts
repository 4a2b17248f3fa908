import { expect, test } from 'vitest';
import { aggregateSamples } from '../../../collector/analysis/summary/aggregate-samples.ts';
import { handshakeRoundTrips } from '../../../collector/analysis/summary/handshake-round-trips.ts';
import { requestsPerConnection } from '../../../collector/analysis/summary/summary-extras.ts';
import { makeSample } from './make-sample.ts';

function roundTrips(tcp: number, tls: number | null) {
  const plain = tls === null ? { scheme: 'http' as const, unknown: { tls: 'plain_http' as const } } : {};
  const [cell] = aggregateSamples([makeSample({ connection: 'new', times: { tcp, tls }, ...plain })], ['host']);
  return cell && handshakeRoundTrips(cell);
}

test.each([
  [42_000, /TLS 1\.3, with False Start in TLS 1\.2, or when a session is resumed/],
  [86_000, /full handshake of TLS 1\.2 without False Start/],
  [143_000, /certificate chain/],
])('%d µs of TLS on a path of 41 ms', (tls, meaning) => {
  expect(roundTrips(41_000, tls)).toMatchObject({ roundTrips: tls / 41_000, reason: null });
  expect(roundTrips(41_000, tls)?.meaning).toMatch(meaning);
});

test('not on plain HTTP, nor on a path too short for the clock', () => {
  expect(roundTrips(41_000, null)).toMatchObject({ roundTrips: null, reason: 'no_tls', meaning: null });
  expect(roundTrips(100, 2000)).toMatchObject({ roundTrips: null, reason: 'below_clock_step' });
  expect(roundTrips(0, 2000)).toMatchObject({ roundTrips: null, reason: 'below_clock_step' });
});

test.each([
  [200, 5700, 100],
  [4900, 9800, 100],
  [9000, 18_000, 1000],
])('not measurable: %d µs of TCP, %d µs of TLS, a clock of %d µs', (tcp, tls, clockStep) => {
  const sample = makeSample({ connection: 'new', times: { tcp, tls }, origin: { clockStep } });
  const [cell] = aggregateSamples([sample], ['host']);
  expect(cell && handshakeRoundTrips(cell)).toMatchObject({ roundTrips: null, reason: 'round_trip_too_short' });
});

test('not where plain HTTP or HTTP/3 stands beside: whose tcp would whose tls be divided by', () => {
  const secure = makeSample({ connection: 'new', times: { tcp: 40_000, tls: 40_000 } });
  const plain = makeSample({
    scheme: 'http',
    connection: 'new',
    times: { tcp: 1000, tls: null },
    unknown: { tls: 'plain_http' },
  });
  const merged = makeSample({ connection: 'new', times: { tcp: null, tls: 50_000 }, unknown: { tcp: 'merged_h3' } });
  for (const samples of [
    [secure, plain],
    [secure, merged],
    [secure, plain, merged],
  ]) {
    const [cell] = aggregateSamples(samples, []);
    expect(cell && handshakeRoundTrips(cell)).toMatchObject({ roundTrips: null, reason: 'mixed', meaning: null });
  }
});

test('connections that do not tell their tcp are stood for by those that do', () => {
  const told = makeSample({ connection: 'new', times: { tcp: 40_000, tls: 44_000 } });
  const earlier = makeSample({
    connection: 'new',
    times: { tcp: null, tls: 44_000, ttlb: 60_000 },
    unknown: { tcp: 'begun_earlier' },
  });
  const [cell] = aggregateSamples([told, earlier, earlier], ['host']);
  expect(cell && handshakeRoundTrips(cell)).toMatchObject({ roundTrips: 1.1, n: 1, reason: null });
});

test('requests per connection need a connection to divide by', () => {
  expect(requestsPerConnection({ connections: { new: 4, reused: 96, cache: 50 } })).toBe(25);
  expect(requestsPerConnection({ connections: { reused: 96 } })).toBeNull();
});
