import { expect, test } from 'vitest';
import { aggregateSamples } from '../../../shared/summary/aggregate-samples.ts';
import { handshakeRoundTrips } from '../../../shared/summary/handshake-round-trips.ts';
import { requestsPerConnection } from '../../../shared/summary/requests-per-connection.ts';
import { makeSample } from './make-sample.ts';

function roundTrips(tcp: number, tls: number | null) {
  const plain = tls === null ? { scheme: 'http' as const, unknown: { tls: 'plain_http' as const } } : {};
  const [cell] = aggregateSamples([makeSample({ connection: 'new', times: { tcp, tls }, ...plain })], ['host']);
  return cell && handshakeRoundTrips(cell);
}

test.each([
  [42_000, /TLS 1\.3, or a resumed/],
  [86_000, /full handshake of TLS 1\.2/],
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

test('requests per connection need a connection to divide by', () => {
  expect(requestsPerConnection({ connections: { new: 4, reused: 96, cache: 50 } })).toBe(25);
  expect(requestsPerConnection({ connections: { reused: 96 } })).toBeNull();
});
