import { nameValues, type PackedEntry } from '../../../extension/packed-group.ts';
import type { EntryContext, ObservedRequest } from '../../../shared/timing/entry-context.ts';
import type { TimingEntry } from '../../../shared/timing/timing-entry.ts';

/** A new https connection over HTTP/1.1: lookup 5, tcp 40, tls 42, wait 90, receive 10, blocked 1 + 2 + 3; ttlb 193 ms. */
export const NEW_HTTPS: TimingEntry = {
  entryType: 'resource',
  name: 'https://app.example.com/orders/4711?secret=1',
  initiatorType: 'fetch',
  startTime: 100,
  redirectStart: 0,
  redirectEnd: 0,
  workerStart: 0,
  fetchStart: 100,
  domainLookupStart: 101,
  domainLookupEnd: 106,
  connectStart: 108,
  secureConnectionStart: 148,
  connectEnd: 190,
  requestStart: 193,
  responseStart: 283,
  finalResponseHeadersStart: null,
  responseEnd: 293,
  nextHopProtocol: 'http/1.1',
  transferSize: 1300,
  encodedBodySize: 1000,
  decodedBodySize: 3000,
  responseStatus: 200,
  contentType: 'application/json',
  deliveryType: '',
  serverTiming: [],
  navigationType: null,
  activationStart: null,
  redirectCount: null,
};

export function entryWith(changes: Partial<TimingEntry>): TimingEntry {
  return { ...NEW_HTTPS, ...changes };
}

/** In the order in which content scripts copy the values of an entry. */
export const ENTRY_NAMES = Object.keys(nameValues([])) as (keyof TimingEntry)[];

/** As content scripts send it. */
export function packEntry(entry: TimingEntry): PackedEntry {
  return [...ENTRY_NAMES.map((name) => entry[name]), false, false, entry.responseEnd + 100];
}

export const NEW_HTTP: TimingEntry = entryWith({
  name: 'http://app.example.com/orders/4711',
  secureConnectionStart: 0,
});

/** All connect stamps equal fetchStart, as both browsers write it. */
export const REUSED_HTTPS: TimingEntry = entryWith({
  domainLookupStart: 100,
  domainLookupEnd: 100,
  connectStart: 100,
  secureConnectionStart: 100,
  connectEnd: 100,
  requestStart: 102,
});

const NO_STAMPS = {
  domainLookupStart: 0,
  domainLookupEnd: 0,
  connectStart: 0,
  secureConnectionStart: 0,
  connectEnd: 0,
  requestStart: 0,
  responseStart: 0,
  nextHopProtocol: '',
  transferSize: 0,
  encodedBodySize: 0,
  decodedBodySize: 0,
  responseStatus: 0,
  contentType: '',
};

/** Cross-origin without Timing-Allow-Origin in Chromium. */
export const OPAQUE: TimingEntry = entryWith({
  ...NO_STAMPS,
  name: 'https://cdn.example.net/a.png',
  initiatorType: 'img',
});

/** A failed fetch in Chromium: startTime and responseEnd only. */
export const FAILED: TimingEntry = entryWith({ ...NO_STAMPS, fetchStart: 0 });

export const CHROMIUM: EntryContext = {
  engine: 'chromium',
  timeOrigin: 1_700_000_000_000,
  clockStepMs: 0.1,
  hidden: false,
  restoredFromBackForwardCache: false,
  observed: null,
};

export const FIREFOX: EntryContext = { ...CHROMIUM, engine: 'firefox', clockStepMs: 1 };

export function observedAt(sent: number, headersReceived: number, version: string | null = 'TLSv1.3'): ObservedRequest {
  return {
    sentAt: FIREFOX.timeOrigin + sent,
    headersReceivedAt: FIREFOX.timeOrigin + headersReceived,
    tls: { version, cipher: null, keyExchange: null, issuer: null },
  };
}
