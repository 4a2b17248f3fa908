import { expect, test } from 'vitest';
import { harSamples, toPageKey } from '../../../collector/exchange/import/har-samples.ts';
import { HAR_FAULTS, readHarEntry } from '../../../collector/exchange/import/har-timing-entry.ts';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { PROTOTYPE_NAMES, withTextReplaced } from '../fixtures/prototype-names.ts';

const TARGETS = [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'], serverTimingMetrics: ['db'] }];

function harEntry(changes: Record<string, unknown> = {}, response: Record<string, unknown> = {}) {
  return {
    pageref: 'page_1',
    startedDateTime: '2019-03-01T12:00:00.000+01:00',
    time: 146.9,
    request: { method: 'GET', url: 'https://erp.example.com/orders/4711?secret=1', httpVersion: 'HTTP/2.0' },
    response: {
      status: 200,
      httpVersion: 'HTTP/2.0',
      headers: [{ name: 'Server-Timing', value: 'db;dur=4.5, total;dur=18' }],
      content: { size: 40_960, mimeType: 'text/html; charset=utf-8' },
      bodySize: 12_045,
      headersSize: 300,
      ...response,
    },
    cache: {},
    timings: { blocked: 0.3, dns: 1.2, connect: 81.9, ssl: 41.8, send: 0.5, wait: 60.5, receive: 2.5 },
    ...changes,
  };
}

function sampleOf(entry: unknown): Sample {
  const made = harSamples({ targets: TARGETS, target: null, source: 'har' }).entry(entry);
  if (typeof made === 'string') throw new Error(made);
  return made;
}

test('an entry goes through the same core as a browser’s: phases, class, template', () => {
  const sample = sampleOf(harEntry());
  expect(sample).toMatchObject({
    at: Date.parse('2019-03-01T11:00:00Z'),
    target: 'erp',
    host: 'erp.example.com',
    scheme: 'https',
    template: '/orders/{n}',
    type: 'document',
    protocol: 'h2',
    source: 'har',
    connection: 'new',
    excluded: null,
    status: 200,
    transferSize: 12_345,
    encodedBodySize: 12_045,
    decodedBodySize: 40_960,
    serverTime: 18_000,
    metrics: { db: 4.5 },
  });
  expect(sample.times).toEqual({
    blocked: 300,
    dns: 1200,
    tcp: 40_100,
    tls: 41_800,
    wait: 61_000,
    receive: 2500,
    redirect: 0,
    ttfb: 144_400,
    ttlb: 146_900,
  });
  expect(JSON.stringify(sample)).not.toContain('secret');
});

test('−1 for dns and connect is a reused connection, so is 0', () => {
  for (const none of [-1, 0]) {
    const timings = { blocked: 5, dns: none, connect: none, ssl: none, send: 0, wait: 20, receive: 1 };
    const { connection, times } = sampleOf(harEntry({ timings, time: 26 }));
    expect(connection).toBe('reused');
    expect(times).toMatchObject({ blocked: 5000, dns: 0, tcp: 0, tls: 0, wait: 20_000, ttlb: 26_000 });
  }
});

test('ssl beside connect instead of in it is seen by the sum', () => {
  const timings = { blocked: 0, dns: 0, connect: 40, ssl: 42, send: 0, wait: 20, receive: 1 };
  expect(sampleOf(harEntry({ timings, time: 103 })).times).toMatchObject({ tcp: 40_000, tls: 42_000 });
  const beside = { ...timings, connect: 50, ssl: 42 };
  expect(sampleOf(harEntry({ timings: beside, time: 113 })).times).toMatchObject({ tcp: 50_000, tls: 42_000 });
  expect(sampleOf(harEntry({ timings: beside, time: 71 })).times).toMatchObject({ tcp: 8000, tls: 42_000 });
});

test('where no sum tells, a handshake longer than the connect stands beside it', () => {
  const timings = { connect: 40, ssl: 42, send: 0, wait: 20, receive: 1 };
  expect(sampleOf(harEntry({ timings, time: undefined })).times).toMatchObject({ tcp: 40_000, tls: 42_000 });
});

test('a handshake on plain HTTP is none', () => {
  const timings = { dns: 0.017, connect: 0.128, ssl: 1.229, send: 0, wait: 145.831, receive: 1.747 };
  const made = harSamples({ targets: TARGETS, target: 'erp', source: 'har' }).entry(
    harEntry({ timings, time: 148.952, request: { url: 'http://erp.example.com/' } }),
  );
  expect(made).toMatchObject({ connection: 'new', times: { dns: 17, tcp: 128, tls: null, ttlb: 147_723 } });
});

test('cache, service worker, failure and redirect are what they are', () => {
  expect(sampleOf(harEntry({ _fromCache: 'disk' })).connection).toBe('cache');
  expect(sampleOf(harEntry({}, { _fetchedViaServiceWorker: true })).connection).toBe('worker');
  expect(sampleOf(harEntry({}, { status: 0, _error: 'net::ERR_CONNECTION_REFUSED' }))).toMatchObject({
    connection: 'failed',
    error: 'net::ERR_CONNECTION_REFUSED',
  });
  expect(sampleOf(harEntry({}, { status: 302 })).excluded).toBe('redirect');
});

test('a negative time makes the entry invalid, not another number', () => {
  const timings = { blocked: 0, dns: -7, connect: 10, ssl: -1, send: 0, wait: 20, receive: 1 };
  expect(sampleOf(harEntry({ timings }))).toMatchObject({ excluded: 'invalid', times: { ttlb: null } });
});

test('sizes that the HAR does not tell are unknown, not 0 and not from the cache', () => {
  const sample = sampleOf(harEntry({}, { bodySize: -1, headersSize: -1, content: { mimeType: 'text/css' } }));
  expect(sample).toMatchObject({
    connection: 'new',
    type: 'style',
    transferSize: null,
    encodedBodySize: null,
    decodedBodySize: null,
  });
});

test('an entry belongs to its page’s target, whoever answered; the first document is the page’s', () => {
  const reader = harSamples({ targets: TARGETS, target: null, source: 'har-old' });
  const cdn = { request: { url: 'https://cdn.example.net/app.js' }, _resourceType: 'script' };
  expect(reader.entry(harEntry(cdn))).toBe('no_target');
  reader.page('page_1', 'https://erp.example.com/');
  expect(reader.entry(harEntry(cdn))).toMatchObject({ target: 'erp', type: 'script', host: 'cdn.example.net' });
  expect(reader.entry(harEntry())).toMatchObject({ type: 'document' });
  expect(reader.entry(harEntry({ _resourceType: 'document' }))).toMatchObject({ type: 'iframe' });
  const all = harSamples({ targets: TARGETS, target: 'erp', source: 'har' });
  expect(all.entry(harEntry({ ...cdn, pageref: undefined }))).toMatchObject({ target: 'erp' });
});

test('a page’s id may be of any length; what stands for it is short', () => {
  const long = 'p'.repeat(70_000);
  expect(toPageKey('page_1')).toBe('page_1');
  expect(toPageKey(long).length).toBeLessThan(100);
  expect(toPageKey(`${long}1`)).not.toBe(toPageKey(`${long}2`));
  const reader = harSamples({ targets: TARGETS, target: null, source: 'har' });
  reader.page(toPageKey(long), 'https://erp.example.com/');
  const cdn = { request: { url: 'https://cdn.example.net/app.js' }, _resourceType: 'script', pageref: long };
  expect(reader.entry(harEntry(cdn))).toMatchObject({ target: 'erp' });
});

test.each([
  [null, 'not_an_entry'],
  [[], 'not_an_entry'],
  [{}, 'bad_address'],
  [harEntry({ request: { url: 'file:///etc/passwd' } }), 'bad_address'],
  [harEntry({ request: { url: 'wss://erp.example.com/' } }), 'bad_address'],
  [harEntry({ startedDateTime: 'yesterday' }), 'bad_time'],
  [harEntry({ startedDateTime: 17 }), 'bad_time'],
  [harEntry({ timings: 'fast' }), 'no_timings'],
])('%j is a fault of the entry', (entry, fault) => {
  expect(readHarEntry(entry)).toBe(fault);
});

test.each(PROTOTYPE_NAMES)('no text of an entry finds anything by the name %s', (name) => {
  const entry = harEntry(
    { _resourceType: 'document', _fromCache: 'disk', comment: 'x', connection: '443' },
    { _error: 'net::ERR_FAILED', statusText: 'OK', redirectURL: '' },
  );
  const changed = [...withTextReplaced(entry, name)];
  expect(changed.length).toBeGreaterThan(10);
  for (const { path, value } of changed) {
    const reader = harSamples({ targets: TARGETS, target: null, source: 'har' });
    reader.page(name, name);
    const made = reader.entry(value);
    if (typeof made === 'string') expect(Object.keys(HAR_FAULTS), path).toContain(made);
    else expect(toBatchColumns([made]).n, path).toBe(1);
  }
});
