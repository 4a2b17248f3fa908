import { describe, expect, it } from 'vitest';
import { classifyConnection } from '../../../shared/classify/connection.ts';
import { CHROMIUM, entryWith, FAILED, FIREFOX, NEW_HTTP, NEW_HTTPS, OPAQUE, REUSED_HTTPS } from '../timing/entries.ts';

/** As Chromium tells of a 304 that its memory cache asked for. */
const HEADERS_ALONE = { transferSize: 300, encodedBodySize: 0, decodedBodySize: 0, deliveryType: '' };

describe('classifyConnection', () => {
  const lookupOnly = { connectStart: 106, secureConnectionStart: 106, connectEnd: 106 };
  const preconnected = { domainLookupStart: 101, domainLookupEnd: 101, connectStart: 101, connectEnd: 101 };

  it.each([
    ['new', 'connect_took_time', NEW_HTTPS],
    ['new', 'connect_took_time', NEW_HTTP],
    ['reused', 'connect_at_fetch_start', REUSED_HTTPS],
    ['reused', 'connect_took_no_time', entryWith({ ...preconnected, secureConnectionStart: 101 })],
    ['unknown', 'lookup_without_connect', entryWith(lookupOnly)],
    ['opaque', 'hidden_stamps', OPAQUE],
    ['opaque', 'hidden_stamps', { ...OPAQUE, responseStatus: 200 }],
    ['failed', 'only_start_and_end', FAILED],
    ['worker', 'worker_start', entryWith({ workerStart: 99.5 })],
    ['cache', 'delivery_type_cache', entryWith({ deliveryType: 'cache', transferSize: 0 })],
    ['cache', 'body_without_transfer', entryWith({ deliveryType: null, transferSize: 0 })],
    ['cache', 'revalidated', entryWith({ deliveryType: 'cache', transferSize: 300 })],
    ['cache', 'revalidated', entryWith({ responseStatus: 304, transferSize: 300, deliveryType: '' })],
    ['cache', 'revalidated', entryWith({ ...HEADERS_ALONE, initiatorType: 'img' })],
    ['cache', 'revalidated', entryWith({ ...HEADERS_ALONE, initiatorType: 'script' })],
    ['new', 'connect_took_time', entryWith({ ...HEADERS_ALONE, initiatorType: 'fetch' })],
    ['new', 'connect_took_time', entryWith({ ...HEADERS_ALONE, initiatorType: 'img', responseStatus: 204 })],
    ['new', 'connect_took_time', entryWith({ ...HEADERS_ALONE, initiatorType: 'img', deliveryType: null })],
    ['cache', 'navigational_prefetch', entryWith({ deliveryType: 'navigational-prefetch' })],
    ['unknown', 'navigational_prefetch', entryWith({ deliveryType: 'navigational-prefetch', activationStart: 500 })],
    ['cache', 'delivery_type_cache', { ...OPAQUE, deliveryType: 'cache' }],
    ['cache', 'navigational_prefetch', { ...OPAQUE, deliveryType: 'navigational-prefetch' }],
    ['unknown', 'stamps_out_of_order', entryWith({ requestStart: 150 })],
    // As Firefox stamps a connection that was begun for another request: measurement.md.
    ['unknown', 'stamps_out_of_order', entryWith({ connectStart: 152 })],
    ['unknown', 'stamps_negative', entryWith({ connectStart: -1 })],
  ] as const)('%s by %s', (connection, evidence, entry) => {
    expect(classifyConnection(entry, CHROMIUM)).toEqual({ connection, evidence });
  });

  it('reads a full cross-origin entry of Firefox without a protocol as what it is', () => {
    expect(classifyConnection(entryWith({ nextHopProtocol: '' }), FIREFOX).connection).toBe('new');
  });

  it('sees in Firefox that an old connection was taken while a new one was made', () => {
    const taken = entryWith({ secureConnectionStart: 108, connectEnd: 150 });
    const found = { connection: 'reused', evidence: 'taken_over' };
    expect(classifyConnection(taken, { ...FIREFOX, leastTcpMs: 40 })).toEqual(found);
    expect(classifyConnection(entryWith(lookupOnly), FIREFOX)).toEqual(found);
    // TCP in a near network takes less than a step, and HTTP/3 has none.
    for (const leastTcpMs of [null, 1]) {
      expect(classifyConnection(taken, { ...FIREFOX, leastTcpMs }).connection).toBe('new');
    }
    expect(classifyConnection({ ...taken, nextHopProtocol: 'h3' }, { ...FIREFOX, leastTcpMs: 40 }).connection).toBe(
      'new',
    );
    const plain = { ...NEW_HTTP, connectStart: 106, connectEnd: 106 };
    expect(classifyConnection(plain, FIREFOX).evidence).toBe('lookup_without_connect');
  });

  it('cannot tell a failure from a redirect behind hidden stamps on the own origin', () => {
    const own = { ...CHROMIUM, documentOrigin: 'https://cdn.example.net' };
    expect(classifyConnection(OPAQUE, own)).toEqual({
      connection: 'unknown',
      evidence: 'same_origin_without_stamps',
    });
    expect(classifyConnection({ ...OPAQUE, responseStatus: 200 }, own).connection).toBe('opaque');
    expect(classifyConnection(OPAQUE, { ...CHROMIUM, documentOrigin: 'https://app.example.com' }).connection).toBe(
      'opaque',
    );
  });

  it('believes webRequest about a failure whatever the stamps say', () => {
    expect(classifyConnection(OPAQUE, { ...CHROMIUM, error: 'net::ERR_FAILED' })).toEqual({
      connection: 'failed',
      evidence: 'web_request_error',
    });
  });
});
