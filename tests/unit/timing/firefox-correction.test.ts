import { describe, expect, it } from 'vitest';
import type { EntryContext, ObservedRequest } from '../../../shared/timing/entry-context.ts';
import { measurePhases } from '../../../shared/timing/phases.ts';
import { entryWith, FIREFOX, NEW_HTTP, observedAt, REUSED_HTTPS } from './entries.ts';

/** The server takes 300 ms; Firefox stamps responseStart after one round trip of 40. */
const EARLY = entryWith({ responseStart: 233, responseEnd: 535 });

function measure(observed: ObservedRequest | null, entry = EARLY) {
  const context: EntryContext = { ...FIREFOX, observed };
  return measurePhases(entry, context, 'new');
}

describe('the early responseStart of Firefox', () => {
  it('is null, and what hangs on it too, while ttlb stays', () => {
    const { times, unknown } = measure(null);
    expect(times).toMatchObject({ wait: null, receive: null, ttfb: null, ttlb: 435_000, tcp: 40_000, tls: 42_000 });
    expect(unknown).toEqual({ wait: 'firefox_tls13', receive: 'firefox_tls13', ttfb: 'firefox_tls13' });
  });

  it('is corrected from webRequest; receive shrinks by what wait gains', () => {
    const { times, responseMark } = measure(observedAt(101, 533));
    expect(times).toMatchObject({ wait: 340_000, receive: 2_000, ttfb: 433_000, ttlb: 435_000 });
    expect(responseMark).toBe('web_request');
  });

  it('says that there were Early Hints, corrected or not: such a wait is no measure of the server', () => {
    const hinted = { ...EARLY, finalResponseHeadersStart: 530 };
    const { times, responseMark } = measure(observedAt(101, 533), hinted);
    expect([times.wait, responseMark]).toEqual([340_000, 'final_response_headers']);
    expect(measure(null, hinted).unknown.wait).toBe('firefox_tls13');
    expect(measure(observedAt(101, 533), { ...EARLY, finalResponseHeadersStart: 233 }).responseMark).toBe(
      'web_request',
    );
  });

  it('is corrected where the TLS version is not told', () => {
    expect(measure(observedAt(101, 533, null)).responseMark).toBe('web_request');
  });

  it('takes an event a little late for the end of the answer', () => {
    for (const late of [536, 585]) {
      expect(measure(observedAt(101, late)).times).toMatchObject({ wait: 342_000, receive: 0 });
    }
  });

  it.each([
    ['headers long after the end', observedAt(101, 586)],
    ['headers before the early stamp', observedAt(101, 222)],
    ['sent before the request existed', observedAt(80, 533)],
    ['sent after requestStart', observedAt(300, 533)],
    ['a clock set forward by an hour', observedAt(3_600_101, 3_600_533)],
    ['no time at all', observedAt(101, Number.NaN)],
  ])('is not corrected by a mismatch: %s', (_, observed) => {
    expect(measure(observed).unknown.wait).toBe('firefox_tls13');
  });

  it.each([
    ['TLS 1.2', EARLY, observedAt(101, 533, 'TLSv1.2')],
    ['h2', { ...EARLY, nextHopProtocol: 'h2' }, null],
    ['plain http', { ...NEW_HTTP, responseStart: 233 }, null],
    ['a resumed session', { ...EARLY, serverTiming: [{ name: 'tls', duration: 0, description: 'resumed' }] }, null],
  ])('is believed on %s', (_, entry, observed) => {
    expect(measure(observed, entry).times.wait).toBe(40_000);
  });

  it('is not believed where the protocol is hidden', () => {
    expect(measure(null, { ...EARLY, nextHopProtocol: '' }).unknown.wait).toBe('firefox_tls13');
  });

  it('is believed on a reused connection', () => {
    expect(measurePhases(REUSED_HTTPS, FIREFOX, 'reused').times.wait).toBe(181_000);
  });

  it('is not believed on a connection that was taken over: nothing may have used it before', () => {
    const connecting = { ...EARLY, secureConnectionStart: 108, connectEnd: 150 };
    const lookupOnly = { ...EARLY, connectStart: 108, secureConnectionStart: 108, connectEnd: 108 };
    for (const entry of [connecting, lookupOnly]) {
      const measured = (observed: ObservedRequest | null) =>
        measurePhases(entry, { ...FIREFOX, leastTcpMs: 40, observed }, 'reused');
      expect(measured(null).unknown.wait).toBe('firefox_tls13');
      expect(measured(observedAt(101, 533)).times.wait).toBe(340_000);
      expect(measured(observedAt(101, 533, 'TLSv1.2')).times.wait).toBe(40_000);
    }
  });
});
