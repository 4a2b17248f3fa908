import fc from 'fast-check';
import type { EntryContext } from '../../../shared/timing/entry-context.ts';
import type { TimingEntry } from '../../../shared/timing/timing-entry.ts';
import { CHROMIUM, entryWith, observedAt } from './entries.ts';

const STAMPS = [
  'startTime',
  'redirectStart',
  'redirectEnd',
  'workerStart',
  'fetchStart',
  'domainLookupStart',
  'domainLookupEnd',
  'connectStart',
  'secureConnectionStart',
  'connectEnd',
  'requestStart',
  'responseStart',
  'finalResponseHeadersStart',
  'responseEnd',
] as const;

const protocols = fc.constantFrom('', 'http/1.1', 'h2', 'h3', 'h3-29');
const names = fc.constantFrom(
  'https://app.example.com/a/1',
  'http://app.example.com/',
  'https://127.0.0.1/x.css',
  'not a url',
  'data:,x',
);
const facets = fc.record({
  entryType: fc.constantFrom('navigation' as const, 'resource' as const),
  name: fc.oneof(names, fc.webUrl(), fc.string()),
  initiatorType: fc.constantFrom('', 'img', 'css', 'fetch', '__proto__'),
  nextHopProtocol: fc.oneof(protocols, fc.string({ maxLength: 5 })),
  responseStatus: fc.constantFrom(null, 0, 200, 304, 302, 404, -1, Number.NaN),
  deliveryType: fc.constantFrom(null, '', 'cache', 'navigational-prefetch'),
  transferSize: fc.constantFrom(0, 300, 5000, -1, Number.NaN),
  encodedBodySize: fc.constantFrom(0, 1000, -1),
  activationStart: fc.constantFrom(null, 0, 50),
  redirectCount: fc.constantFrom(null, 0, 2),
});

/** Stamps of every kind of nonsense beside plausible ones. */
export function hostileEntries(): fc.Arbitrary<TimingEntry> {
  const stamp = fc.oneof(
    { weight: 5, arbitrary: fc.double({ min: 0, max: 500, noNaN: true }) },
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.double() },
    { weight: 1, arbitrary: fc.constantFrom(-0, -0.05, Number.MAX_VALUE, Number.MIN_VALUE, 1e-7) },
  );
  return fc
    .tuple(fc.tuple(...STAMPS.map(() => stamp)), facets)
    .map(([stamps, facet]) =>
      entryWith({ ...facet, ...Object.fromEntries(STAMPS.map((name, index) => [name, stamps[index]])) }),
    );
}

/** Stamps in order, some equal, at any clock step, plain or secure, with or without redirects and Early Hints. */
export function orderedEntries(): fc.Arbitrary<TimingEntry> {
  const steps = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 300, noNaN: true })), {
    minLength: STAMPS.length,
    maxLength: STAMPS.length,
  });
  return fc
    .tuple(steps, facets, fc.record({ secure: fc.boolean(), redirect: fc.boolean(), hints: fc.boolean() }))
    .map(([gaps, facet, has]) => {
      let now = 0;
      const stamps: Record<string, number | null> = {};
      for (const [index, name] of STAMPS.entries()) {
        now += gaps[index] ?? 0;
        stamps[name] = now;
      }
      if (!has.secure) stamps.secureConnectionStart = 0;
      if (!has.redirect) Object.assign(stamps, { redirectStart: 0, redirectEnd: 0 });
      if (!has.hints) stamps.finalResponseHeadersStart = null;
      return entryWith({ ...facet, ...stamps, workerStart: 0, deliveryType: '', transferSize: 9_000 });
    });
}

export function contexts(): fc.Arbitrary<EntryContext> {
  const time = fc.oneof(fc.double({ min: 0, max: 5000, noNaN: true }), fc.double());
  return fc.record({
    engine: fc.constantFrom('chromium' as const, 'firefox' as const),
    timeOrigin: fc.oneof(
      { weight: 9, arbitrary: fc.constant(CHROMIUM.timeOrigin) },
      { weight: 1, arbitrary: fc.constantFrom(0, -1, Number.NaN, 1e300) },
    ),
    clockStepMs: fc.constantFrom(0.1, 1),
    hidden: fc.boolean(),
    restoredFromBackForwardCache: fc.boolean(),
    observed: fc.option(
      fc
        .tuple(time, time, fc.constantFrom(null, 'TLSv1.2', 'TLSv1.3'))
        .map(([sent, headers, version]) => observedAt(sent, headers, version)),
    ),
    error: fc.constantFrom(null, null, null, 'net::ERR_FAILED'),
  });
}
