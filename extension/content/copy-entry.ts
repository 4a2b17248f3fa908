import type { TimingEntry } from '../../shared/timing/timing-entry.ts';

/** Longer URLs lose their query first, then their end: a page may make URLs of megabytes. */
const MAX_URL_LENGTH = 4_096;
const MAX_SERVER_TIMINGS = 64;
const MAX_NAME_LENGTH = 256;

const TIMES = [
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
  'responseEnd',
  'transferSize',
  'encodedBodySize',
  'decodedBodySize',
] as const;

/** Attributes that one of the browsers has not; absent is null, which is not the same as 0 or empty. */
const OPTIONAL = [
  'finalResponseHeadersStart',
  'responseStatus',
  'contentType',
  'deliveryType',
  'activationStart',
  'redirectCount',
] as const;

type BrowserEntry = PerformanceResourceTiming &
  Partial<Pick<PerformanceNavigationTiming, 'type' | 'redirectCount'>> & { readonly [name: string]: unknown };

/** A plain copy: the browser's own object cannot be sent, and reading it later may read something else. */
export function copyEntry(source: PerformanceEntry): TimingEntry {
  const from = source as BrowserEntry;
  const copy: Record<string, unknown> = {
    entryType: from.entryType,
    name: shortenUrl(from.name),
    initiatorType: from.initiatorType,
    nextHopProtocol: from.nextHopProtocol,
    navigationType: from.type ?? null,
    serverTiming: (from.serverTiming ?? []).slice(0, MAX_SERVER_TIMINGS).map(({ name, duration, description }) => ({
      name: name.slice(0, MAX_NAME_LENGTH),
      duration,
      description: description.slice(0, MAX_NAME_LENGTH),
    })),
  };
  for (const name of TIMES) copy[name] = from[name];
  for (const name of OPTIONAL) copy[name] = from[name] ?? null;
  return copy as unknown as TimingEntry;
}

export function shortenUrl(url: string): string {
  const bare = url.split('#', 1)[0] ?? '';
  if (bare.length <= MAX_URL_LENGTH) return bare;
  return (bare.split('?', 1)[0] ?? '').slice(0, MAX_URL_LENGTH);
}
