import type { TimingEntry } from '../../shared/timing/timing-entry.ts';

/** Longer URLs lose their query first, then their end: a page may use URLs of megabytes. */
const MAX_URL_LENGTH = 4_096;
const MAX_SERVER_TIMINGS = 64;
const MAX_NAME_LENGTH = 256;

/** Properties that one of the browsers, or one of the two kinds of entry, lacks. */
type Source = PerformanceResourceTiming &
  Partial<
    Pick<PerformanceNavigationTiming, 'type' | 'redirectCount'> &
      Pick<TimingEntry, 'finalResponseHeadersStart' | 'contentType' | 'deliveryType' | 'activationStart'>
  >;

/**
 * A plain copy, since the browser's own object cannot be sent and may read differently later. Absent is null, which differs
 * from 0 and empty. Read property by property in the order of ENTRY_NAMES, since a loop over names takes several times as
 * long: nothing here runs often enough to be compiled.
 */
export function entryValues(source: PerformanceEntry): unknown[] {
  const from = source as Source;
  return [
    from.entryType,
    shortenUrl(from.name),
    from.initiatorType,
    from.nextHopProtocol,
    from.type ?? null,
    from.startTime,
    from.redirectStart,
    from.redirectEnd,
    from.workerStart,
    from.fetchStart,
    from.domainLookupStart,
    from.domainLookupEnd,
    from.connectStart,
    from.secureConnectionStart,
    from.connectEnd,
    from.requestStart,
    from.responseStart,
    from.responseEnd,
    from.transferSize,
    from.encodedBodySize,
    from.decodedBodySize,
    from.finalResponseHeadersStart ?? null,
    from.responseStatus ?? null,
    from.contentType ?? null,
    from.deliveryType ?? null,
    from.activationStart ?? null,
    from.redirectCount ?? null,
    copyServerTiming(from.serverTiming),
  ];
}

/** Absent on plain HTTP in Firefox. */
function copyServerTiming(from: readonly PerformanceServerTiming[] | undefined): TimingEntry['serverTiming'] {
  if (!from || from.length === 0) return [];
  return from.slice(0, MAX_SERVER_TIMINGS).map(({ name, duration, description }) => ({
    name: name.slice(0, MAX_NAME_LENGTH),
    duration,
    description: description.slice(0, MAX_NAME_LENGTH),
  }));
}

export function shortenUrl(url: string): string {
  const hash = url.indexOf('#');
  const bare = hash < 0 ? url : url.slice(0, hash);
  if (bare.length <= MAX_URL_LENGTH) return bare;
  return (bare.split('?', 1)[0] ?? '').slice(0, MAX_URL_LENGTH);
}
