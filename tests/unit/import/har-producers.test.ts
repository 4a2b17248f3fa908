import { describe, expect, test } from 'vitest';
import { harSamples } from '../../../collector/exchange/import/har-samples.ts';
import { surveyHar } from '../../../collector/exchange/import/survey-har.ts';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import { findSetUp } from '../../../collector/reductions/set-up.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { PHASES } from '../../../shared/vocabulary/time-names.ts';

const TARGETS = [{ id: 'erp', name: 'ERP', match: ['*://erp.example.com/*'] }];

interface Shape {
  readonly timings: Readonly<Record<string, number>>;
  readonly time?: number;
  readonly version?: unknown;
  readonly url?: string;
  /** Beside the fields that every producer writes. */
  readonly more?: Readonly<Record<string, unknown>>;
}

function entry({ timings, time, version = 'HTTP/1.1', url = 'https://erp.example.com/a', more = {} }: Shape) {
  return {
    startedDateTime: '2026-02-20T11:00:00.000Z',
    time,
    request: { method: 'GET', url, httpVersion: version },
    response: { status: 200, httpVersion: version, content: { size: 9, mimeType: 'text/css' }, bodySize: 9 },
    cache: {},
    timings,
    ...more,
  };
}

/** A recording in the shape of one producer, read as the import reads a file. */
async function read(creator: string, shapes: readonly Shape[], log: object = {}): Promise<Sample[]> {
  const entries = shapes.map(entry);
  const text = JSON.stringify({ log: { version: '1.2', entries, creator: { name: creator, version: '1' }, ...log } });
  const survey = await surveyHar(inPieces(Buffer.from(text)), () => {});
  expect(survey).toMatchObject({ foundEntries: true, syntax: null, creator: { name: creator } });
  const reader = harSamples({
    targets: TARGETS,
    target: null,
    source: 'har',
    recording: { creator, statesConnections: survey.statesConnections },
  });
  const samples = entries.map((one) => {
    const made = reader.entry(one);
    if (typeof made === 'string') throw new Error(made);
    return made;
  });
  // The store takes all of them, and no phase is longer than the whole.
  expect(toBatchColumns(samples).n).toBe(samples.length);
  for (const { times } of samples) {
    expect(PHASES.reduce((sum, phase) => sum + (times[phase] ?? 0), 0)).toBeLessThanOrEqual(times.ttlb ?? 0);
  }
  return samples;
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 97) yield bytes.subarray(at, at + 97);
}

const OPENED = { blocked: 1, dns: 2, connect: 80, ssl: 40, send: 0, wait: 50, receive: 3 };
const KEPT = { blocked: 1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 50, receive: 3 };

test.each([
  ['WebInspector (Chrome)', { timings: OPENED, time: 136, version: 'h2', more: { connection: '443' } }],
  ['WebInspector (Chrome) of 2019', { timings: OPENED, time: 136, version: 'http/2+quic/46' }],
  ['Firefox', { timings: { ...OPENED, connect: 40, ssl: 40 }, time: 136, version: 'HTTP/2' }],
  ['Charles Proxy', { timings: OPENED, time: 136, version: 'HTTP/2.0', more: { connection: '17' } }],
  ['Fiddler', { timings: OPENED, time: 136, version: 'HTTP/1.1', more: { connection: 'ClientPort:5;EgressPort:6' } }],
  ['WebPagetest', { timings: OPENED, time: 136, version: '1.1', more: { _protocol: 'HTTP/1.1' } }],
  ['mitmproxy', { timings: { ...OPENED, blocked: -1 }, time: 135, version: 'HTTP/2.0' }],
  ['Browsertime', { timings: OPENED, time: 136, version: 'h3-29' }],
  ['Playwright', { timings: { dns: 2, connect: 80, ssl: 40, send: 0, wait: 50, receive: 3 }, time: 175 }],
])('%s: a new connection, its protocol and its whole time', async (creator, shape) => {
  const [sample] = await read(creator, [shape as Shape]);
  expect(sample).toMatchObject({ connection: 'new', times: { dns: 2000, wait: 50_000, receive: 3000 } });
  expect(sample?.protocol).not.toBeNull();
  expect(sample && findSetUp(sample)).toBe(82_000);
  expect(sample?.unknown.blocked).toBeUndefined();
});

test('of a connection without a lookup Chromium’s developer tools tell the whole, and others its parts', async () => {
  const timings = { ...OPENED, dns: -1 };
  const [chromium] = await read('WebInspector', [{ timings }]);
  // Its tls begins after its connect, so that was not moved; connect may be, to where the request began to wait.
  expect(chromium).toMatchObject({ times: { tcp: null, tls: 40_000 }, unknown: { tcp: 'begun_earlier' } });
  expect(chromium && findSetUp(chromium)).toBe(80_000);
  const [looked] = await read('WebInspector', [{ timings: OPENED }]);
  expect(looked?.times.tcp).toBe(40_000);
  const [proxy] = await read('Charles Proxy', [{ timings }]);
  expect(proxy?.times).toMatchObject({ tcp: 40_000, tls: 40_000 });
});

describe('a protocol that is not told', () => {
  test.each([['unknown'], [''], [null]])('%j is unknown, and does not make HTTP/3 of a handshake', async (version) => {
    const timings = { ...OPENED, connect: 40, ssl: 40 };
    const [sample] = await read('a proxy', [{ timings, time: 96, version }]);
    expect(sample).toMatchObject({
      protocol: null,
      connection: 'new',
      times: { dns: 2000, tcp: null, tls: null, ttlb: 96_000 },
      unknown: { tcp: 'no_tls_stamp', tls: 'no_tls_stamp' },
    });
    expect(sample && findSetUp(sample)).toBe(42_000);
  });

  test('the request’s or the producer’s own field tells where the answer does not', async () => {
    const response = { status: 200, httpVersion: '', content: { size: 9, mimeType: 'text/css' }, bodySize: 9 };
    const shapes = [
      { timings: OPENED, version: 'HTTP/2', more: { response } },
      { timings: OPENED, version: '', more: { _protocol: '2 2' } },
      { timings: OPENED, version: 1.1 },
      { timings: OPENED, version: 'ori', more: { _protocol: 'HTTP/2' } },
      { timings: OPENED, version: 'us:' },
      { timings: OPENED, version: 'K' },
    ];
    const samples = await read('a tool', shapes);
    expect(samples.map(({ protocol }) => protocol)).toEqual(['h2', 'h2', 'http/1.1', 'h2', 'h2', null]);
  });
});

test('https without ssl: lookup and connect stay known together', async () => {
  const [sample] = await read('a proxy', [
    { timings: { dns: 2, connect: 80, send: 0, wait: 50, receive: 3 }, time: 135 },
  ]);
  expect(sample).toMatchObject({ connection: 'new', times: { dns: 2000, tcp: null, tls: null, ttlb: 135_000 } });
  expect(sample && findSetUp(sample)).toBe(82_000);
});

describe('a producer that never states connections', () => {
  const silent = [{ dns: 0, connect: 0, ssl: 0 }, { dns: -1, connect: -1, ssl: -1 }, {}].map((part) => ({
    timings: { send: 0, wait: 50, receive: 3, ...part },
    time: 53,
  }));

  test('its requests are of unknown connections, not of reused ones', async () => {
    for (const sample of await read('k6', silent)) {
      expect(sample).toMatchObject({
        connection: 'unknown',
        connectionEvidence: 'connections_not_recorded',
        excluded: null,
        times: { dns: null, tcp: null, tls: null, wait: 50_000, ttlb: 53_000 },
        unknown: { dns: 'not_recorded', tcp: 'not_recorded', tls: 'not_recorded' },
      });
      expect(findSetUp(sample)).toBeNull();
    }
  });

  test('a lookup that it tells stays', async () => {
    const [sample] = await read('a tool', [{ timings: { dns: 4, send: 0, wait: 50, receive: 3 } }]);
    expect(sample).toMatchObject({ connection: 'unknown', times: { dns: 4000, tcp: null, tls: null } });
  });

  test('one connection that is named, or took time, anywhere in the file, speaks for all', async () => {
    const kept = { timings: KEPT, time: 54 };
    const named = await read('Chrome', [kept, { ...kept, more: { connection: '443' } }]);
    const took = await read('Chrome', [kept, { timings: OPENED, time: 136 }]);
    expect([...named, took[0]].map((sample) => sample?.connection)).toEqual(['reused', 'reused', 'reused']);
  });
});

describe('time beyond the parts', () => {
  test('stays in the total, and in no phase', async () => {
    const shapes = [
      // Safari leaves the gap between lookup and connect out.
      { timings: OPENED, time: 161.5, more: { connection: '3' } },
      { timings: KEPT, time: 79.5 },
      { timings: { send: 0, wait: 50, receive: 3 }, time: 78.5 },
    ];
    const [opened, kept, bare] = await read('WebKit Web Inspector', shapes);
    const gap = { blocked: 'not_recorded', ttfb: 'not_recorded' };
    expect(opened).toMatchObject({
      connection: 'new',
      times: { blocked: null, ttfb: null, ttlb: 161_500 },
      unknown: gap,
    });
    expect(opened && findSetUp(opened)).toBe(82_000);
    expect(kept).toMatchObject({ connection: 'reused', times: { blocked: null, wait: 50_000, ttlb: 79_500 } });
    expect(bare).toMatchObject({ times: { wait: 50_000, receive: 3000, ttfb: null, ttlb: 78_500 }, unknown: gap });
  });

  test('rounding is no gap', async () => {
    const [whole, fine] = await read('Chrome', [
      { timings: OPENED, time: 139 },
      { timings: { ...OPENED, wait: 50.25 }, time: 136.2500001 },
    ]);
    expect(whole).toMatchObject({ times: { blocked: 1000, ttlb: 136_000 }, unknown: {} });
    expect(fine).toMatchObject({ times: { blocked: 1000, ttlb: 136_250 }, unknown: {} });
  });

  test('a gap is not taken for a handshake beside the connect', async () => {
    const [sample] = await read('Chrome', [{ timings: OPENED, time: 190 }]);
    expect(sample).toMatchObject({ times: { tcp: 40_000, tls: 40_000, ttlb: 190_000 } });
  });

  test('what Playwright adds twice is no time of its own', async () => {
    const timings = { dns: 2, connect: 80, ssl: 40, send: 0, wait: 50.5, receive: 3 };
    const plain = { ...timings, ssl: 120.25 };
    const [secure, http] = await read('Playwright', [
      { timings, time: 175.5 },
      { timings: plain, time: 255.75, url: 'http://erp.example.com/a' },
    ]);
    expect(secure).toMatchObject({ times: { tcp: 40_000, tls: 40_000, ttlb: 135_500 }, unknown: {} });
    expect(http).toMatchObject({ times: { tcp: 80_000, tls: null, ttlb: 135_500 }, unknown: { tls: 'plain_http' } });
  });
});

test('Safari says in a word of its own what came from a cache or a worker', async () => {
  const types = ['Disk Cache', 'Memory Cache', 'Service Worker', 'Network Load'];
  const samples = await read(
    'WebKit Web Inspector',
    types.map((_fetchType) => ({ timings: OPENED, more: { _fetchType } })),
  );
  expect(samples.map(({ connection }) => connection)).toEqual(['cache', 'cache', 'worker', 'new']);
});

test('page timings are counted, creator and pages are read wherever they stand', async () => {
  const pages = [
    { id: 'a', title: 'https://erp.example.com/', pageTimings: { onContentLoad: 300, onLoad: -1 } },
    { id: 'b', title: 'B', pageTimings: { onContentLoad: -1, onLoad: -1 } },
    { id: 'c', title: 'C', pageTimings: {} },
  ];
  const text = JSON.stringify({ log: { entries: [entry({ timings: KEPT })], pages, creator: { name: 'X' } } });
  const seen: string[] = [];
  const survey = await surveyHar(inPieces(Buffer.from(text)), (id) => seen.push(id));
  expect(survey).toMatchObject({ pageTimings: 1, creator: { name: 'X' }, statesConnections: false });
  expect(seen).toEqual(['a', 'b', 'c']);
});
