import { describe, expect, it } from 'vitest';
import type { EntryContext } from '../../../shared/timing/entry-context.ts';
import { measurePhases } from '../../../shared/timing/phases.ts';
import type { TimingEntry } from '../../../shared/timing/timing-entry.ts';
import type { Connection } from '../../../shared/vocabulary/vocabulary.ts';
import {
  CHROMIUM,
  entryWith,
  FAILED,
  FIREFOX,
  NEW_HTTP,
  NEW_HTTPS,
  OPAQUE,
  observedAt,
  REUSED_HTTPS,
} from './entries.ts';

function measure(entry: TimingEntry, connection: Connection = 'new', context: EntryContext = CHROMIUM) {
  return measurePhases(entry, context, connection);
}

describe('phases of an ordinary request', () => {
  it('measures a new https connection in whole microseconds', () => {
    const { times, unknown, responseMark } = measure(NEW_HTTPS);
    expect(times).toEqual({
      blocked: 6_000,
      dns: 5_000,
      tcp: 40_000,
      tls: 42_000,
      wait: 90_000,
      receive: 10_000,
      redirect: 0,
      ttfb: 183_000,
      ttlb: 193_000,
    });
    expect(unknown).toEqual({});
    expect(responseMark).toBe('response_start');
  });

  it('has no tls on plain http, and never subtracts secureConnectionStart 0', () => {
    const { times, unknown } = measure(NEW_HTTP);
    expect(times).toMatchObject({ tcp: 82_000, tls: null, ttlb: 193_000 });
    expect(unknown).toEqual({ tls: 'plain_http' });
  });

  it('counts a reused connection 0, which is known', () => {
    expect(measure(REUSED_HTTPS, 'reused').times).toMatchObject({ dns: 0, tcp: 0, tls: 0, blocked: 2_000 });
  });

  it('keeps differences below the clock step as they read', () => {
    const short = entryWith({ responseStart: 193.1, responseEnd: 193.2 });
    expect(measure(short).times).toMatchObject({ wait: 100, receive: 100 });
  });

  it('rounds stamps before it subtracts, so that the sum is exact', () => {
    const entry = entryWith({ domainLookupStart: 101.0004, domainLookupEnd: 106.0014, connectStart: 108.0024 });
    const { blocked, dns, tcp, tls, wait, receive, ttlb } = measure(entry).times;
    expect([blocked, dns, tcp, tls, wait, receive].reduce<number>((sum, time) => sum + (time ?? 0), 0)).toBe(ttlb);
  });
});

describe('what hides phases', () => {
  it.each([
    ['opaque', OPAQUE],
    ['failed', FAILED],
    ['cache', entryWith({ transferSize: 0, deliveryType: 'cache' })],
  ] as const)('%s: everything but ttlb is null with that reason', (connection, entry) => {
    const { times, unknown, problem } = measure(entry, connection);
    expect(problem).toBeNull();
    expect(times).toMatchObject({ blocked: null, dns: null, tcp: null, tls: null, wait: null, receive: null });
    expect(times).toMatchObject({ ttfb: null, redirect: null, ttlb: 193_000 });
    expect(new Set(Object.values(unknown))).toEqual(new Set([connection]));
  });

  const dispatched = (at: number, responseEnd: number) => ({
    ...Object.fromEntries(
      ['fetchStart', 'domainLookupStart', 'domainLookupEnd', 'connectStart'].map((name) => [name, at]),
    ),
    ...Object.fromEntries(['secureConnectionStart', 'connectEnd', 'requestStart'].map((name) => [name, at])),
    responseStart: responseEnd - 0.1,
    responseEnd,
  });

  it.each([
    // As Chromium stamped them: a resource, with an older requestStart; a cold worker; a navigation after 30 ms of redirects.
    [
      'resource',
      { ...dispatched(2171.7, 2173.5), startTime: 2171.4, workerStart: 2171.6, requestStart: 2171.6 },
      { blocked: 300, ttlb: 2100 },
    ],
    [
      'resource',
      { ...dispatched(2448, 2506.3), startTime: 1851, workerStart: 1851.7 },
      { blocked: 597_000, ttlb: 655_300 },
    ],
    [
      'resource',
      { ...dispatched(500, 510), startTime: 10, redirectStart: 10, redirectEnd: 60, workerStart: 61 },
      { blocked: 440_000, ttlb: 450_000 },
    ],
    ['navigation', { ...dispatched(441.2, 461), startTime: 0, workerStart: 33.8 }, { blocked: 407_400, ttlb: 427_200 }],
    // As the specification has it: nothing says when the worker had the request.
    ['resource', { ...dispatched(100, 150), startTime: 100, workerStart: 120 }, { blocked: null, ttlb: 50_000 }],
    // Firefox stamps the response only.
    [
      'resource',
      { ...dispatched(458, 458), responseStart: 458, startTime: 458, workerStart: 0 },
      { blocked: null, ttlb: null },
    ],
  ] as const)(
    'worker: a %s counts from before its worker started, and nothing else is known',
    (entryType, stamps, known) => {
      const { times, unknown, problem } = measure(entryWith({ entryType, ...stamps }), 'worker');
      expect(problem).toBeNull();
      expect(times).toEqual({
        ...{ dns: null, tcp: null, tls: null, wait: null, receive: null, ttfb: null, redirect: null },
        ...known,
      });
      expect(new Set(Object.values(unknown))).toEqual(new Set(['worker']));
    },
  );

  it('keeps the phases of a revalidated answer: the server was asked', () => {
    const revalidated = entryWith({ transferSize: 300, deliveryType: 'cache' });
    expect(measure(revalidated, 'cache').times).toMatchObject({ wait: 90_000, tls: 42_000 });
  });
});

describe('stamps that cannot be subtracted', () => {
  it.each([
    ['negative', { fetchStart: -5 }, 'negative'],
    ['not a number', { connectEnd: Number.NaN }, 'not_a_time'],
    ['responseStart after responseEnd', { responseStart: 400 }, 'out_of_order'],
    ['responseStart zero', { responseStart: 0 }, 'missing'],
    ['requestStart before connectEnd', { requestStart: 189.9 }, 'out_of_order'],
    ['secureConnectionStart outside of the connect', { secureConnectionStart: 107 }, 'out_of_order'],
    ['final headers before the interim ones', { finalResponseHeadersStart: 280 }, 'out_of_order'],
    ['redirect after fetchStart', { redirectStart: 100, redirectEnd: 101 }, 'out_of_order'],
    ['longer than a day', { responseEnd: 90_000_000 }, 'too_long'],
  ] as const)('%s: invalid, nothing clamped', (_, changes, problem) => {
    const measured = measure(entryWith(changes));
    expect(measured.problem).toBe(problem);
    expect(Object.values(measured.times).every((time) => time === null)).toBe(true);
    expect(new Set(Object.values(measured.unknown))).toEqual(new Set(['invalid']));
  });

  it('takes early data as the specification stamps it: connectEnd without the ServerHello', () => {
    const early = entryWith({ connectEnd: 148.1, requestStart: 148.1 });
    expect(measure(early).times).toMatchObject({ tcp: 40_000, tls: 100, wait: 134_900 });
  });

  it('does not believe a stamp of the future', () => {
    expect(measure(NEW_HTTPS, 'new', { ...CHROMIUM, seenAt: 292 }).problem).toBe('in_the_future');
    expect(measure(NEW_HTTPS, 'new', { ...CHROMIUM, seenAt: 293 }).problem).toBeNull();
  });
});

describe('a connection that may have been begun for another request', () => {
  /** Moved up to 105, where the request began to wait, 37 ms into the handshake of 40. */
  const MOVED = { domainLookupStart: 105, domainLookupEnd: 105, connectStart: 105 };

  it('in Chromium has no tcp, its tls, and a set-up that is known as a whole', () => {
    const { times, unknown } = measure(entryWith({ ...MOVED, secureConnectionStart: 108 }));
    expect(times).toMatchObject({ blocked: 8_000, dns: 0, tcp: null, tls: 82_000, wait: 90_000, ttlb: 193_000 });
    expect(unknown).toEqual({ tcp: 'begun_earlier' });
  });

  it('has no tls either where the stamps were moved into it', () => {
    const { times, unknown } = measure(entryWith({ ...MOVED, secureConnectionStart: 105 }));
    expect(times).toMatchObject({ blocked: 8_000, tcp: null, tls: null });
    expect(unknown).toEqual({ tcp: 'begun_earlier', tls: 'begun_earlier' });
  });

  it('has no tcp on plain HTTP', () => {
    const { times, unknown } = measure({ ...NEW_HTTP, ...MOVED });
    expect(times).toMatchObject({ tcp: null, tls: null });
    expect(unknown).toEqual({ tcp: 'begun_earlier', tls: 'plain_http' });
  });

  it.each([
    ['lookup', { ...MOVED, domainLookupEnd: 105.1, connectStart: 105.1 }],
    ['gap after the lookup', { ...MOVED, connectStart: 105.1 }],
  ])('is none after a %s of one step: moved stamps are equal', (_, stamps) => {
    expect(measure(entryWith(stamps)).times).toMatchObject({ tcp: 42_900, tls: 42_000 });
  });

  it('is none where one request is alone, as a probe is', () => {
    expect(measure(entryWith(MOVED), 'new', { ...CHROMIUM, alone: true }).times.tcp).toBe(43_000);
  });

  it('in Firefox has the queue in its connect where that begins at fetchStart', () => {
    const queued = { domainLookupStart: 100, domainLookupEnd: 100, connectStart: 100 };
    const { times, unknown } = measure(entryWith(queued), 'new', { ...FIREFOX, observed: observedAt(100, 283) });
    expect(times).toMatchObject({ tcp: null, tls: 42_000 });
    expect(unknown).toEqual({ tcp: 'queued' });
    const begun = entryWith({ ...queued, connectStart: 101 });
    expect(measure(begun, 'new', { ...FIREFOX, observed: observedAt(100, 283) }).times.tcp).toBe(47_000);
  });

  it('in Firefox is blocked as long as it waited for the old one that it got', () => {
    const taken = entryWith({ secureConnectionStart: 108, connectEnd: 150 });
    const known = { ...FIREFOX, leastTcpMs: 40 };
    expect(measure(taken, 'reused', known).times).toMatchObject({ blocked: 93_000, dns: 0, tcp: 0, tls: 0 });
    const looked = entryWith({ connectStart: 106, secureConnectionStart: 106, connectEnd: 106 });
    expect(measure(looked, 'reused', FIREFOX).times).toMatchObject({ blocked: 93_000, dns: 0, tcp: 0, tls: 0 });
  });
});

describe('HTTP/3', () => {
  const h3 = entryWith({ nextHopProtocol: 'h3', secureConnectionStart: 108 });

  it('reports tcp and tls merged, never tcp 0', () => {
    const { times, unknown } = measure(h3);
    expect(times).toMatchObject({ tcp: null, tls: 82_000 });
    expect(unknown).toEqual({ tcp: 'merged_h3' });
  });

  it('takes a hidden protocol whose tls starts with the connect for possibly HTTP/3', () => {
    expect(measure({ ...h3, nextHopProtocol: '' }).unknown).toEqual({ tcp: 'merged_h3' });
  });

  it.each(['h3', 'h3-29', 'H3', 'hq', 'hq-interop'])('knows %s for HTTP/3, even where TLS begins later', (protocol) => {
    expect(measure(entryWith({ nextHopProtocol: protocol })).unknown).toEqual({ tcp: 'merged_h3' });
  });

  it.each(['h2', 'h30', 'http/1.1', 'hqx'])('does not take %s for HTTP/3', (protocol) => {
    expect(measure(entryWith({ nextHopProtocol: protocol })).times).toMatchObject({ tcp: 40_000, tls: 42_000 });
  });

  it('is not what Firefox stamps in a near network, where tcp reads 0', () => {
    const near = { ...h3, nextHopProtocol: 'h2' };
    expect(measure(near, 'new', FIREFOX).times).toMatchObject({ tcp: 0, tls: 82_000 });
  });

  it('does not guess how a connect without secureConnectionStart divides', () => {
    expect(measure(entryWith({ secureConnectionStart: 0 })).unknown).toEqual({
      tcp: 'no_tls_stamp',
      tls: 'no_tls_stamp',
    });
  });
});

describe('Early Hints', () => {
  it('takes the final headers for the answer and says so', () => {
    const { times, responseMark } = measure(entryWith({ responseStart: 233, finalResponseHeadersStart: 283 }));
    expect(times).toMatchObject({ wait: 90_000, receive: 10_000, ttfb: 183_000 });
    expect(responseMark).toBe('final_response_headers');
  });

  it('takes 0 and an equal stamp for an ordinary answer', () => {
    expect(measure(entryWith({ finalResponseHeadersStart: 0 })).responseMark).toBe('response_start');
    expect(measure(entryWith({ finalResponseHeadersStart: 283 })).responseMark).toBe('response_start');
  });
});

describe('redirects', () => {
  const navigation = { entryType: 'navigation', initiatorType: 'navigation', startTime: 0, redirectCount: 0 } as const;

  it('keeps same-origin redirects out of both totals', () => {
    const { times } = measure(entryWith({ ...navigation, redirectStart: 10, redirectEnd: 90, redirectCount: 2 }));
    expect(times).toMatchObject({ redirect: 80_000, ttlb: 193_000, ttfb: 183_000 });
  });

  it('says that a gap before a navigation may be a cross-origin redirect', () => {
    const { times, unknown } = measure(entryWith(navigation));
    expect(times.redirect).toBeNull();
    expect(unknown).toEqual({ redirect: 'hidden_redirect' });
  });

  it('allows a navigation one clock step before fetchStart, and no more', () => {
    const at = (fetchStart: number) => measure(entryWith({ ...navigation, startTime: fetchStart }));
    expect(at(100).times.redirect).toBe(0);
    expect(at(99.9).times.redirect).toBe(0);
    expect(at(99.8).unknown).toEqual({ redirect: 'hidden_redirect' });
  });

  it('knows better where webRequest counted', () => {
    const observed = { ...observedAt(100, 283), redirects: 0 };
    expect(measure(entryWith(navigation), 'new', { ...CHROMIUM, observed }).times.redirect).toBe(0);
    const one = { ...observed, redirects: 1 };
    expect(measure(NEW_HTTPS, 'new', { ...CHROMIUM, observed: one }).unknown).toEqual({ redirect: 'hidden_redirect' });
  });
});

describe('the lookup in Firefox', () => {
  const hidden = entryWith({ domainLookupStart: 140, domainLookupEnd: 140, connectStart: 141, nextHopProtocol: 'h2' });

  it('is null where it may lie in blocked, which then carries both', () => {
    const { times, unknown } = measure(hidden, 'new', FIREFOX);
    expect(times).toMatchObject({ dns: null, blocked: 44_000, ttlb: 193_000 });
    expect(unknown).toEqual({ dns: 'firefox_dns' });
  });

  it('is 0 where nothing could hide: a short gap, an address', () => {
    const near = { domainLookupStart: 101, domainLookupEnd: 101, connectStart: 102 };
    expect(measure({ ...hidden, ...near }, 'new', FIREFOX).times.dns).toBe(0);
    expect(measure({ ...hidden, name: 'https://[::1]/' }, 'new', FIREFOX).times.dns).toBe(0);
  });

  it('is believed where it took time, and in Chromium', () => {
    expect(measure(entryWith({ nextHopProtocol: 'h2' }), 'new', FIREFOX).times.dns).toBe(5_000);
    expect(measure(hidden, 'new', CHROMIUM).times.dns).toBe(0);
  });
});
