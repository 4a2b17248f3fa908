import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { harSamples } from '../../../collector/exchange/import/har-samples.ts';
import { surveyHar } from '../../../collector/exchange/import/survey-har.ts';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import type { Sample } from '../../../shared/sample/sample.ts';

const TARGETS = [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }];

/** The entries of a file in tests/fixtures/har by the last part of their path: a sample, or why there is none. */
async function recording(name: string, zone: string | null = null): Promise<Record<string, Sample | string>> {
  return readAll(await readFile(new URL(`../../fixtures/har/${name}.har`, import.meta.url)), zone);
}

async function readAll(bytes: Buffer, zone: string | null = null): Promise<Record<string, Sample | string>> {
  const { log } = JSON.parse(bytes.toString());
  const { statesConnections } = await surveyHar(inOnePiece(bytes), () => {});
  const options = { targets: TARGETS, target: null, source: 'har', zone };
  const reader = harSamples({ ...options, recording: { creator: log.creator.name, statesConnections } });
  for (const { id, title } of log.pages ?? []) reader.page(id, title);
  return Object.fromEntries(
    log.entries.map((entry: { request: { url: string } }) => {
      const read = reader.entry(entry);
      // The store takes it.
      if (typeof read !== 'string') expect(toBatchColumns([read]).n).toBe(1);
      return [entry.request.url.split('/').at(-1), read];
    }),
  );
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function har(entries: readonly object[], log: object = {}): Buffer {
  return Buffer.from(JSON.stringify({ log: { creator: { name: 'a tool' }, entries: entries.map(answered), ...log } }));
}

interface Changes {
  readonly path?: string;
  readonly request?: object;
  readonly response?: object;
}

function answered({ path = 'a', request, response, ...changes }: Changes) {
  return {
    startedDateTime: '2026-02-20T11:00:00Z',
    time: 60,
    connection: '1',
    request: { method: 'GET', url: `https://erp.example.com/${path}`, ...request },
    response: { status: 200, content: { size: 5, mimeType: 'text/html' }, bodySize: 5, ...response },
    timings: { send: 1, wait: 51, receive: 8 },
    ...changes,
  };
}

const FAILED = { connection: 'failed', excluded: 'failed', status: null };

describe('requests without an answer are failed', () => {
  test('WebPageTest: statuses −1, −2, 0 and none, with no time of 0 ms', async () => {
    const { new: opened, ...others } = await recording('webpagetest-without-answer');
    expect(opened).toMatchObject({ connection: 'new', excluded: null, times: { ttlb: 150_000 } });
    expect(Object.keys(others)).toEqual(['minus2', 'minus1', 'absent', 'zero']);
    for (const sample of Object.values(others)) expect(sample).toMatchObject({ ...FAILED, error: 'other' });
    expect(others.minus2).toMatchObject({ times: { ttlb: null }, unknown: { ttlb: 'not_recorded', wait: 'failed' } });
  });

  test.each([
    [{ response: { status: -1, _failureText: 'net::ERR_CONNECTION_RESET' } }, 'net::ERR_CONNECTION_RESET'],
    [{ response: { status: 0, _error: 'NS_ERROR_UNKNOWN_HOST' } }, 'NS_ERROR_UNKNOWN_HOST'],
    [{ response: { status: 0 }, _failureText: 'net::ERR_FAILED' }, 'net::ERR_FAILED'],
    [{ response: { status: '0', _error: null } }, 'other'],
    [{ response: { status: -999 } }, 'other'],
    [{ response: { status: 12_029 } }, 'other'],
    [{ response: { status: 0, _error: 'Could not connect to https://erp.example.com/secret' } }, 'other'],
  ])('%j', async (changes, error) => {
    const { a } = await readAll(har([changes]));
    expect(a).toMatchObject({ ...FAILED, error });
  });

  test('999 is an answer, and no success', async () => {
    const { a } = await readAll(har([{ response: { status: 999 } }]));
    expect(a).toMatchObject({ connection: 'reused', excluded: 'status', status: null, times: { wait: 52_000 } });
  });

  test('a code beside a status is a failure under way, whose status stays', async () => {
    const { a } = await readAll(har([{ response: { _error: 'net::ERR_INCOMPLETE_CHUNKED_ENCODING' } }]));
    expect(a).toMatchObject({ connection: 'failed', status: 200, error: 'net::ERR_INCOMPLETE_CHUNKED_ENCODING' });
  });
});

describe('ERR_ABORTED', () => {
  test('of an answer without a body is no failure', async () => {
    const { ok, save, head, left } = await recording('devtools-err-aborted');
    for (const sample of [ok, save, head]) {
      expect(sample).toMatchObject({ connection: 'reused', excluded: null, error: null, times: { wait: 40_100 } });
    }
    expect(save).toMatchObject({ status: 204, times: { ttlb: 42_100 } });
    expect(left).toMatchObject({ ...FAILED, error: 'net::ERR_ABORTED' });
    const { a } = await readAll(har([{ response: { status: 304, _failureText: 'NS_BINDING_ABORTED' } }]));
    expect(a).toMatchObject({ connection: 'cache', excluded: null, times: { wait: 52_000 } });
  });

  test('of a body leaves the times until then, abandoned', async () => {
    const { a } = await readAll(har([{ response: { _error: 'net::ERR_ABORTED' } }]));
    expect(a).toMatchObject({ connection: 'reused', excluded: 'abandoned', error: null, times: { wait: 52_000 } });
  });
});

describe('times that are not stated', () => {
  test('a missing wait or receive is not recorded, and nothing else is lost', async () => {
    const {
      new: opened,
      unanswered,
      fulfilled,
      'cached-image.png': cached,
    } = await recording('without-wait-or-receive');
    expect(opened).toMatchObject({ connection: 'new', times: { wait: 80_000, receive: 5000, ttlb: 145_000 } });
    expect(unanswered).toMatchObject(FAILED);
    expect(fulfilled).toMatchObject({
      connection: 'reused',
      times: { wait: 8286, receive: null, ttfb: 8286, ttlb: 8286 },
      unknown: { receive: 'not_recorded' },
    });
    expect(cached).toMatchObject({
      connection: 'unknown',
      connectionEvidence: 'connections_not_recorded',
      times: { wait: null, ttlb: null },
      unknown: { dns: 'not_recorded', wait: 'not_recorded', ttlb: 'not_recorded' },
    });
  });

  const all = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: -1, wait: -1, receive: -1 };
  test.each([
    ['−1 everywhere', { timings: all }, { blocked: null, dns: null, wait: null, ttlb: 60_000 }],
    ['no names', { timings: {} }, { tcp: null, receive: null, ttlb: 60_000 }],
    ['no names and no time', { timings: {}, time: undefined }, { wait: null, ttlb: null }],
    ['0 everywhere', { timings: { send: 0, wait: 0, receive: 0 }, time: 0 }, { wait: null, ttlb: null }],
    [
      'no wait',
      { timings: { blocked: 2, receive: 8 } },
      { blocked: 2000, wait: null, ttfb: null, receive: 8000, ttlb: 60_000 },
    ],
    [
      'no receive',
      { timings: { blocked: 2, wait: 50, receive: null } },
      { wait: 50_000, ttfb: 52_000, receive: null, ttlb: 60_000 },
    ],
    ['no receive and no time', { timings: { wait: 50 }, time: -1 }, { wait: 50_000, ttfb: 50_000, ttlb: null }],
    ['no receive and less time', { timings: { wait: 50 }, time: 0 }, { wait: 50_000, ttlb: null }],
    ['texts', { timings: { send: '1', wait: '50.5', receive: '8' }, time: '59.5' }, { wait: 51_500, ttlb: 59_500 }],
  ])('%s', async (_, changes, times) => {
    const { a } = await readAll(har([changes]));
    expect(a).toMatchObject({ excluded: null, times });
    const { unknown, connection } = a as Sample;
    expect(new Set(Object.values(unknown))).toEqual(
      Object.values(unknown).length > 0 ? new Set(['not_recorded']) : new Set(),
    );
    expect(['reused', 'unknown']).toContain(connection);
  });

  test('a memory cache answers within no time, a server that is asked for changes does not', async () => {
    const { a } = await readAll(har([{ timings: { wait: 0, receive: 0 }, time: 0, _fromCache: 'memory' }]));
    expect(a).toMatchObject({ connection: 'cache', times: { ttlb: 0 } });
    const nothing = { timings: { send: 0, wait: 0, receive: 0 }, time: 0 };
    const { a: unchanged } = await readAll(har([{ ...nothing, response: { status: 304 } }]));
    expect(unchanged).toMatchObject({ connection: 'cache', times: { wait: null, ttlb: null } });
  });
});

test('times without a zone are refused, or are in the zone that was given', async () => {
  const refused = await recording('times-without-zone');
  const { e, f, g, ...others } = refused;
  expect(others).toEqual({ a: 'no_zone', b: 'bad_time', c: 'bad_time', d: 'bad_time' });
  for (const sample of [e, f, g]) expect(sample).toMatchObject({ at: Date.UTC(2026, 0, 13, 14, 41, 11, 497) });
  const { a } = await recording('times-without-zone', 'America/New_York');
  expect(a).toMatchObject({ at: Date.UTC(2026, 0, 13, 20, 41, 11, 497) });
});

describe('navigations', () => {
  const types = (read: Record<string, Sample | string>) =>
    Object.fromEntries(Object.entries(read).map(([path, one]) => [path, typeof one === 'string' ? one : one.type]));
  const dest = (value: string) => ({ headers: [{ name: 'Sec-Fetch-Dest', value }] });

  test('Sec-Fetch-Dest tells documents from frames and from what scripts fetch', async () => {
    const read = await readAll(
      har([
        { path: 'frame', pageref: 'p', request: dest('iframe'), _resourceType: 'document' },
        { path: 'first', pageref: 'p', request: dest('document') },
        { path: 'second', pageref: 'p', request: dest('document'), _resourceType: 'document' },
        { path: 'html', pageref: 'p', request: dest('empty') },
      ]),
    );
    expect(types(read)).toEqual({ frame: 'iframe', first: 'document', second: 'document', html: 'other' });
  });

  test('a proxy knows no pages: what was asked for as HTML is a document, a script’s or an image’s error page is not', async () => {
    const headers = (accept: string, more: object[] = []) => ({
      headers: [{ name: 'accept', value: accept }, ...more],
    });
    const byScript = { name: 'X-Requested-With', value: 'XMLHttpRequest' };
    const read = await readAll(
      har([
        { path: 'first' },
        { path: 'second', request: headers('text/html, */*') },
        { path: 'posted', request: { method: 'POST', ...headers('text/html,application/xhtml+xml') } },
        { path: 'fragment', request: headers('*/*') },
        { path: 'loaded', request: headers('text/html, */*; q=0.01', [byScript]) },
        { path: 'gone.png', response: { status: 404 } },
        { path: 'missing', response: { status: 404 } },
      ]),
    );
    expect(types(read)).toEqual({
      ...{ first: 'document', second: 'document', posted: 'document', missing: 'document' },
      ...{ fragment: 'other', loaded: 'other', 'gone.png': 'image' },
    });
  });

  test('a command-line tool asks for pages like for anything', async () => {
    const asked = { request: { headers: [{ name: 'accept', value: '*/*' }] } };
    expect(types(await readAll(har([asked])))).toEqual({ a: 'document' });
  });

  test('redirects on the way, a 304 and a failure are of the navigation, in DevTools’ words', async () => {
    const document = { pageref: 'p', _resourceType: 'document' };
    const read = await readAll(
      har(
        [
          { path: 'moved', ...document, response: { status: 302 } },
          { path: 'arrived', ...document, response: { status: 304 } },
          { path: 'frame', ...document },
          { path: 'failed', ...document, pageref: 'q', response: { status: 0 } },
          { path: 'again', ...document },
        ],
        { pages: [{ id: 'p', title: 'https://erp.example.com/again' }] },
      ),
    );
    expect(types(read)).toEqual({
      ...{ moved: 'document', arrived: 'document', frame: 'iframe', failed: 'document', again: 'document' },
    });
  });
});

test('Firefox describes the cache where it answered; other tools describe what was in it', async () => {
  const cache = { beforeRequest: {}, afterRequest: null };
  const { a } = await readAll(har([{ cache }], { creator: { name: 'Firefox' } }));
  expect(a).toMatchObject({ connection: 'cache' });
  const { a: other } = await readAll(har([{ cache }], { creator: { name: 'HttpWatch Professional' } }));
  expect(other).toMatchObject({ connection: 'reused' });
});

test('Server-Timing is read by its grammar, and what cannot be right is unknown', async () => {
  const read = await recording('server-timing');
  const times = Object.entries(read).map(([path, one]) => [path, typeof one === 'string' ? one : one.serverTime]);
  expect(Object.fromEntries(times)).toEqual({
    ...{ 'quoted-comma': 40_000, 'quoted-semicolon': 40_000, spaces: 40_000, negative: null, huge: null },
  });
});
