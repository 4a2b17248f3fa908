import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEvidenceClass } from '../../../shared/sample/evidence.ts';
import { makeSample, type SampleOptions } from '../../../shared/sample/make-sample.ts';
import type { EntryContext } from '../../../shared/timing/entry-context.ts';
import type { TimingEntry } from '../../../shared/timing/timing-entry.ts';
import { contexts, hostileEntries, orderedEntries } from '../timing/arbitrary-entries.ts';
import { CHROMIUM, entryWith, FAILED, FIREFOX, NEW_HTTPS, OPAQUE, observedAt } from '../timing/entries.ts';

const OPTIONS: SampleOptions = { target: 'erp', source: 'page', serverTimingMetrics: ['cpu'], idleMs: 12 };

function sampleOf(entry: TimingEntry, context: EntryContext = CHROMIUM, options: SampleOptions = OPTIONS) {
  const { sample } = makeSample(entry, context, options);
  if (sample === null) throw new Error('no sample');
  return sample;
}

describe('makeSample', () => {
  it('makes a sample without anything that should not leave the browser', () => {
    const serverTiming = [
      { name: 'cpu', duration: 3, description: '' },
      { name: 'total', duration: 50, description: '' },
    ];
    const sample = sampleOf({ ...NEW_HTTPS, serverTiming });
    expect(sample).toMatchObject({
      at: 1_700_000_000_100,
      target: 'erp',
      host: 'app.example.com',
      scheme: 'https',
      template: '/orders/{n}',
      type: 'fetch',
      protocol: 'http/1.1',
      source: 'page',
      connection: 'new',
      connectionEvidence: 'connect_took_time',
      handshake: 'unknown',
      excluded: null,
      status: 200,
      error: null,
      transferSize: 1300,
      idleMs: 12,
      serverTime: 50_000,
      metrics: { cpu: 3 },
      tls: null,
    });
    expect(sample).not.toHaveProperty('responseMark');
    expect(JSON.stringify(sample)).not.toContain('secret');
  });

  it('hides user, password and port', () => {
    const sample = sampleOf(entryWith({ name: 'https://jane:pass@app.example.com:8443/x' }));
    expect(sample.host).toBe('app.example.com');
    expect(JSON.stringify(sample)).not.toMatch(/jane|pass|8443/);
  });

  it.each([
    ['not_http', entryWith({ name: 'data:text/css,x' })],
    ['unfinished', entryWith({ entryType: 'navigation', responseEnd: 0 })],
    ['no_time', entryWith({ fetchStart: -2_000_000_000_000 })],
  ] as const)('gives none, and says %s', (reason, entry) => {
    expect(makeSample(entry, CHROMIUM, OPTIONS)).toEqual({ sample: null, reason });
  });

  it('counts a prerendered document from when it was shown, and does not call it cached', () => {
    const entry = { entryType: 'navigation', startTime: 0, deliveryType: 'navigational-prefetch' } as const;
    // The entry may have been copied before that, so its document says when.
    const sample = sampleOf(entryWith(entry), { ...CHROMIUM, activationStart: 2992.6 });
    expect(sample).toMatchObject({
      at: CHROMIUM.timeOrigin + 2993,
      connection: 'unknown',
      connectionEvidence: 'navigational_prefetch',
      excluded: 'prerender',
      times: { ttlb: 193_000, tcp: null, wait: null },
      unknown: { tcp: 'cache', wait: 'cache' },
    });
    expect(sampleOf(entryWith({ startTime: 400 }), { ...CHROMIUM, activationStart: 300 }).at).toBe(1_700_000_000_100);
    expect(sampleOf(entryWith(entry), CHROMIUM)).toMatchObject({ connection: 'cache', excluded: null });
  });

  it('leaves an iframe to its own frame where that is watched', () => {
    const frame = entryWith({ initiatorType: 'iframe', contentType: 'text/html' });
    expect(makeSample(frame, CHROMIUM, { ...OPTIONS, frameIsObserved: true }).reason).toBe('seen_in_its_frame');
    expect(sampleOf(frame).type).toBe('iframe');
  });

  it('takes http that became https for https', () => {
    expect(sampleOf(entryWith({ name: 'http://app.example.com/' })).scheme).toBe('https');
  });

  it('reads a hidden status, hidden sizes and a hidden protocol as unknown', () => {
    expect(sampleOf(OPAQUE)).toMatchObject({
      connection: 'opaque',
      status: null,
      protocol: null,
      transferSize: null,
      encodedBodySize: null,
    });
    expect(sampleOf(entryWith({ transferSize: 0, deliveryType: 'cache' })).transferSize).toBe(0);
  });

  it.each([
    ['prerender', { entryType: 'navigation', activationStart: 400 }, {}],
    ['prerender', {}, { activationStart: 101 }],
    // A page is hidden until it is shown.
    ['prerender', {}, { activationStart: 101, hidden: true }],
    [null, {}, { activationStart: 100 }],
    ['hidden', {}, { hidden: true }],
    ['bfcache', {}, { restoredFromBackForwardCache: true }],
    ['redirect', { redirectStart: 100, redirectEnd: 100 }, {}],
    ['redirect', {}, { observed: { ...observedAt(100, 283), redirects: 1 } }],
    ['status', { responseStatus: 404 }, {}],
    // https://www.rfc-editor.org/rfc/rfc9110#section-15: a client treats an invalid code as a server's error.
    ['status', { responseStatus: 999 }, {}],
    ['invalid', { responseStart: 1 }, {}],
  ] as const)('excludes as %s', (excluded, entry, context) => {
    expect(sampleOf(entryWith(entry), { ...CHROMIUM, ...context }).excluded).toBe(excluded);
  });

  it('excludes warm-up', () => {
    expect(sampleOf(NEW_HTTPS, CHROMIUM, { ...OPTIONS, warmup: true }).excluded).toBe('warmup');
  });

  it('carries the code of a failure and no other text', () => {
    const failed = sampleOf(FAILED, { ...CHROMIUM, error: 'net::ERR_CONNECTION_REFUSED' });
    expect(failed).toMatchObject({ connection: 'failed', excluded: 'failed', error: 'net::ERR_CONNECTION_REFUSED' });
    expect(sampleOf(FAILED, { ...CHROMIUM, error: 'could not load https://a.test/?x' }).error).toBe('other');
  });

  it('says what ended wait where that is not responseStart', () => {
    expect(sampleOf(entryWith({ finalResponseHeadersStart: 290 })).responseMark).toBe('final_response_headers');
    const firefox = { ...FIREFOX, observed: observedAt(101, 288) };
    const sample = sampleOf(NEW_HTTPS, firefox);
    expect(sample).toMatchObject({ responseMark: 'web_request', tls: { version: 'TLSv1.3' } });
  });

  it('does not take a recent answer for proof that nothing was looked up in Firefox', () => {
    const late = entryWith({ domainLookupStart: 140, domainLookupEnd: 140, connectStart: 141, nextHopProtocol: 'h2' });
    // An answer a moment ago tells nothing: it may have come over a connection that was looked up an hour ago.
    for (const idleMs of [null, 0, 12]) {
      expect(sampleOf(late, FIREFOX, { ...OPTIONS, idleMs }).unknown.dns).toBe('firefox_dns');
    }
  });
});

it('never throws, whatever comes, and never lets an unusable time be usable', () => {
  fc.assert(
    fc.property(fc.oneof(hostileEntries(), orderedEntries()), contexts(), (entry, context) => {
      const { sample, reason } = makeSample(entry, context, OPTIONS);
      if (sample === null) {
        expect(reason).toEqual(expect.any(String));
        return;
      }
      expect(Number.isSafeInteger(sample.at)).toBe(true);
      if (toEvidenceClass(sample) === 'usable') expect(sample.times.ttlb).not.toBeNull();
    }),
    { seed: 3, numRuns: 3000 },
  );
});
