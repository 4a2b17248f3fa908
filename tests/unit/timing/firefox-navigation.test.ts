import { describe, expect, test } from 'vitest';
import type { EntryContext } from '../../../shared/timing/entry-context.ts';
import { alignFirefoxNavigation } from '../../../shared/timing/firefox-navigation.ts';
import { measurePhases } from '../../../shared/timing/phases.ts';
import type { TimingEntry } from '../../../shared/timing/timing-entry.ts';

const CONTEXT: EntryContext = {
  engine: 'firefox',
  timeOrigin: 1_700_000_000_000,
  clockStepMs: 1,
  hidden: false,
  restoredFromBackForwardCache: false,
  observed: null,
  seenAt: 80,
};

/** As Firefox 153 reported it: a reused connection, asked 4 ms before the page's clock began. */
const REUSED: TimingEntry = {
  entryType: 'navigation',
  name: 'https://app.test/',
  initiatorType: 'navigation',
  startTime: 0,
  redirectStart: 0,
  redirectEnd: 0,
  workerStart: 0,
  fetchStart: -4,
  domainLookupStart: -4,
  domainLookupEnd: -4,
  connectStart: -4,
  secureConnectionStart: -4,
  connectEnd: -4,
  requestStart: 0,
  responseStart: 4,
  finalResponseHeadersStart: 4,
  responseEnd: 5,
  nextHopProtocol: 'http/1.1',
  transferSize: 3000,
  encodedBodySize: 2700,
  decodedBodySize: 2700,
  responseStatus: 200,
  contentType: 'text/html',
  deliveryType: null,
  serverTiming: [],
  navigationType: 'navigate',
  activationStart: null,
  redirectCount: 0,
};

describe('alignFirefoxNavigation', () => {
  test('makes phases of a navigation that began before the page clock', () => {
    const { entry, context } = alignFirefoxNavigation(REUSED, CONTEXT);
    expect(context).toMatchObject({ timeOrigin: CONTEXT.timeOrigin - 5, seenAt: 85 });
    const { times, problem } = measurePhases(entry, context, 'reused');
    expect(problem).toBeNull();
    expect(times).toMatchObject({ blocked: 4_000, tcp: 0, tls: 0, wait: 4_000, receive: 1_000, ttlb: 9_000 });
  });

  test('makes nothing that happened 0, which would mean that it did not', () => {
    const { entry } = alignFirefoxNavigation(
      { ...REUSED, requestStart: -4, responseStart: -4, responseEnd: -4 },
      CONTEXT,
    );
    expect(entry).toMatchObject({ fetchStart: 1, requestStart: 1, responseStart: 1, responseEnd: 1 });
  });

  test('keeps what is absent absent', () => {
    const { entry } = alignFirefoxNavigation(
      { ...REUSED, name: 'http://app.test/', secureConnectionStart: 0, finalResponseHeadersStart: null },
      CONTEXT,
    );
    expect(entry).toMatchObject({
      secureConnectionStart: 0,
      redirectStart: 0,
      redirectEnd: 0,
      workerStart: 0,
      finalResponseHeadersStart: null,
    });
  });

  test.each([
    ['a resource', { ...REUSED, entryType: 'resource' } as const, CONTEXT],
    ['another browser', REUSED, { ...CONTEXT, engine: 'chromium' } as const],
    ['a second and more', { ...REUSED, fetchStart: -1_001 }, CONTEXT],
    ['a clock that was in time', { ...REUSED, fetchStart: 0 }, CONTEXT],
  ])('leaves alone %s', (_, entry, context) => {
    expect(alignFirefoxNavigation(entry, context)).toEqual({ entry, context });
  });
});
