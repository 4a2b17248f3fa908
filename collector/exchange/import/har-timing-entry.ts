import { protocolOf } from '../../../shared/classify/protocol.ts';
import { parseHttpUrl } from '../../../shared/redact/http-url.ts';
import type { EntryContext } from '../../../shared/timing/entry-context.ts';
import type { ServerTimingEntry, TimingEntry } from '../../../shared/timing/timing-entry.ts';
import { harStamps } from './har-stamps.ts';
import { isObject, type Json, listAt, numberAt, objectAt, textAt } from './har-values.ts';
import { parseServerTiming } from './server-timing-header.ts';

/** Why an entry gives no sample; the command lists it with the entry's index. */
export const HAR_FAULTS = {
  not_json: 'it is not JSON',
  not_an_entry: 'it is not an object',
  too_large: 'it is larger than 4 MB without its bodies',
  too_deep: 'it is nested too deeply',
  bad_address: 'its request has no http or https address',
  bad_time: 'its startedDateTime is not a time',
  no_timings: 'it has no timings',
  no_target: 'no target of the settings matches its page or its address',
  bad_value: 'one of its values cannot be stored',
  older_than_kept: 'samples of that time are no longer kept here',
  cut_off: 'the file ends in the middle of it',
} as const;
export type HarFault = keyof typeof HAR_FAULTS;

export interface ReadHarEntry {
  readonly url: string;
  /** The page it belongs to; empty if it does not name one. */
  readonly pageref: string;
  /** HTML, and not a redirect: the document of a page or of a frame. */
  readonly document: boolean;
  readonly entry: TimingEntry;
  readonly context: EntryContext;
  /** Its `time` exceeds the sum of its durations. */
  readonly unattributed: boolean;
  /** The sizes that the HAR lacks. */
  readonly unknownSizes: ReadonlySet<'transferSize' | 'encodedBodySize' | 'decodedBodySize'>;
}

/** `_resourceType` of Chromium's developer tools → `initiatorType` of the browser's timing entry. */
const INITIATORS: ReadonlyMap<string, string> = new Map([
  ['document', 'iframe'],
  ['stylesheet', 'css'],
  ['script', 'script'],
  ['image', 'img'],
  ['font', 'css'],
  ['fetch', 'fetch'],
  ['xhr', 'xmlhttprequest'],
  ['media', 'video'],
  ['ping', 'beacon'],
  ['eventsource', 'eventsource'],
]);

/**
 * One entry of a HAR as a browser's timing entry, or why it cannot be read. Never throws.
 *
 * @param creator name of the tool that wrote it
 */
export function readHarEntry(value: unknown, creator = ''): ReadHarEntry | HarFault {
  if (!isObject(value)) return 'not_an_entry';
  const request = objectAt(value, 'request');
  const response = objectAt(value, 'response');
  const content = objectAt(response, 'content');
  const url = textAt(request, 'url');
  const address = parseHttpUrl(url);
  if (address === null) return 'bad_address';
  const startedAt = Date.parse(textAt(value, 'startedDateTime'));
  if (!Number.isFinite(startedAt) || startedAt < 0) return 'bad_time';
  if (!isObject(value.timings)) return 'no_timings';

  const protocol = statedProtocol(value, request, response);
  const { stamps, unattributed } = harStamps(value.timings, {
    time: numberAt(value, 'time'),
    secure: address.scheme === 'https',
    protocol,
    sslTwiceInTime: /\bplaywright\b/i.test(creator),
  });
  const status = numberAt(response, 'status');
  // Safari's field for the source of a response.
  const fetchType = textAt(value, '_fetchType');
  const fromCache =
    textAt(value, '_fromCache') !== '' || value._servedFromCache === true || /^(disk|memory) cache$/i.test(fetchType);
  const fromWorker = response._fetchedViaServiceWorker === true || /^service worker$/i.test(fetchType);
  const { sizes, unknownSizes } = readSizes(response, content, fromCache);
  const type = textAt(value, '_resourceType').toLowerCase();
  const mimeType = textAt(content, 'mimeType');
  const error = textAt(response, '_error');
  return {
    url,
    pageref: textAt(value, 'pageref'),
    document: isDocument(type, mimeType, status),
    entry: {
      ...stamps,
      ...sizes,
      entryType: 'resource',
      name: url,
      initiatorType: INITIATORS.get(type) ?? '',
      redirectStart: 0,
      redirectEnd: 0,
      workerStart: fromWorker ? stamps.fetchStart : 0,
      finalResponseHeadersStart: null,
      nextHopProtocol: protocol ?? '',
      responseStatus: status,
      contentType: mimeType === 'x-unknown' ? null : mimeType,
      deliveryType: fromCache ? 'cache' : null,
      serverTiming: serverTimings(listAt(response, 'headers')),
      navigationType: null,
      activationStart: null,
      redirectCount: null,
    },
    context: {
      // The rules for Firefox correct its timing entries, from which no HAR is written.
      engine: 'chromium',
      // Chromium's developer tools write the times of its entries, shifted like those. Nothing is known about others.
      alone: !/^WebInspector$/i.test(creator),
      timeOrigin: startedAt - stamps.fetchStart,
      clockStepMs: 0.1,
      hidden: false,
      restoredFromBackForwardCache: false,
      observed: null,
      error: error !== '' || status === 0 ? error || 'har_no_answer' : null,
    },
    unattributed,
    unknownSizes,
  };
}

function isDocument(type: string, mimeType: string, status: number | null): boolean {
  if (status !== null && status >= 300 && status < 400) return false;
  return type === 'document' || (type === '' && /^(text\/html|application\/xhtml\+xml)\b/i.test(mimeType));
}

function readSizes(response: Json, content: Json, fromCache: boolean) {
  const whole = (value: number | null) => (value === null || value < 0 ? null : Math.round(value));
  const encoded = whole(numberAt(response, 'bodySize'));
  const decoded = whole(numberAt(content, 'size'));
  const headers = whole(numberAt(response, 'headersSize'));
  const sum = headers === null || encoded === null ? null : headers + encoded;
  const transfer = fromCache ? 0 : (whole(numberAt(response, '_transferSize')) ?? sum);
  const unknownSizes = new Set<'transferSize' | 'encodedBodySize' | 'decodedBodySize'>();
  if (transfer === null) unknownSizes.add('transferSize');
  if (encoded === null) unknownSizes.add('encodedBodySize');
  if (decoded === null) unknownSizes.add('decodedBodySize');
  // A body without a byte on the network would count as cached, which only the HAR itself may state.
  const sizes = { transferSize: transfer ?? 1, encodedBodySize: encoded ?? 0, decodedBodySize: decoded ?? 0 };
  return { sizes, unknownSizes };
}

/**
 * Older WebPageTest takes three letters from the position of `1.1` in the first header line, whatever that is: `:status:`,
 * `:scheme:`, `:method:` and `:authority` are pseudo-headers of HTTP/2.
 */
const CUT_FROM_HTTP2: ReadonlySet<unknown> = new Set(['us:', 'me:', 'od:', 'ori']);

/** The response's protocol takes precedence over the request's; WebPageTest has a separate field for it. */
function statedProtocol(entry: Json, request: Json, response: Json): string | null {
  const stated = [response.httpVersion, request.httpVersion, entry._protocol];
  for (const version of stated) {
    const protocol = typeof version === 'string' || typeof version === 'number' ? protocolOf(String(version)) : null;
    if (protocol !== null) return protocol;
  }
  return stated.some((version) => CUT_FROM_HTTP2.has(version)) ? 'h2' : null;
}

function serverTimings(headers: readonly unknown[]): ServerTimingEntry[] {
  return headers.flatMap((header) => {
    if (!isObject(header) || textAt(header, 'name').toLowerCase() !== 'server-timing') return [];
    return parseServerTiming(textAt(header, 'value'));
  });
}
