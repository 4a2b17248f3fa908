import type { TimingEntry } from '../../shared/timing/timing-entry.ts';

/** Longer URLs lose their query first, then their end: a page may make URLs of megabytes. */
const MAX_URL_LENGTH = 4_096;
const MAX_SERVER_TIMINGS = 64;
const MAX_NAME_LENGTH = 256;

/** What one of the browsers, or one of the two kinds of entry, has not. */
type Source = PerformanceResourceTiming &
  Partial<
    Pick<PerformanceNavigationTiming, 'type' | 'redirectCount'> &
      Pick<TimingEntry, 'finalResponseHeadersStart' | 'contentType' | 'deliveryType' | 'activationStart'>
  >;

/**
 * A plain copy: the browser's own object cannot be sent, and reading it later may read something else. Absent is null,
 * which is not the same as 0 or empty. Value by value in the order of ENTRY_NAMES, since a loop over names takes a multiple
 * of the time: nothing here runs often enough to be compiled.
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

/** Not there on plain HTTP in Firefox. */
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
