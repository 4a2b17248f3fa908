import { GIVEN_UP } from '../../../shared/classify/abandoned.ts';
import { isRedirectStatus } from '../../../shared/classify/exclusion.ts';
import { toProtocol } from '../../../shared/classify/protocol.ts';
import { classifyResource } from '../../../shared/classify/resource-type.ts';
import { parseHttpUrl } from '../../../shared/redact/http-url.ts';
import type { EntryContext } from '../../../shared/timing/entry-context.ts';
import type { ServerTimingEntry, TimingEntry } from '../../../shared/timing/timing-entry.ts';
import { momentAt } from './har-moment.ts';
import { harStamps, type ReadHarStamps } from './har-stamps.ts';
import { headerAt, isObject, type Json, listAt, numberAt, objectAt, textAt } from './har-values.ts';
import { parseServerTiming } from './server-timing-header.ts';

/** Why an entry gives no sample; the command lists it with the entry's index. */
export const HAR_FAULTS = {
  not_json: 'it is not JSON',
  not_an_entry: 'it is not an object',
  too_large: 'it is larger than 4 MB without its bodies',
  too_deep: 'it is nested too deeply',
  bad_address: 'its request has no http or https address',
  bad_time: 'its startedDateTime is not a date and time as in ISO 8601',
  no_zone: 'its startedDateTime names no time zone; --zone says which it is in',
  bad_year: 'its startedDateTime lies outside the years 2000 to 2099',
  no_timings: 'it has no timings',
  no_target: 'no target of the settings matches its page or its address',
  bad_value: 'one of its values cannot be stored',
  older_than_kept: 'samples of that time are no longer kept here',
  cut_off: 'the file ends in the middle of it',
} as const;
export type HarFault = keyof typeof HAR_FAULTS;

export interface ReadHarEntry extends Omit<ReadHarStamps, 'stamps'> {
  readonly url: string;
  /** The page it belongs to; empty if it does not name one. */
  readonly pageref: string;
  readonly loads: Loads;
  /** The request that a navigation ends with: not a redirect. */
  readonly arrives: boolean;
  /** It was answered, and given up before the end of its body. */
  readonly abandoned: boolean;
  readonly entry: TimingEntry;
  readonly context: EntryContext;
  /** The sizes that the HAR lacks. */
  readonly unknownSizes: ReadonlySet<'transferSize' | 'encodedBodySize' | 'decodedBodySize'>;
}

/**
 * What a request loads; `document` is one of the page or of a frame, which of them is not stated. `html` may also be what a
 * script fetched: old browsers and command-line tools ask for pages like for anything else.
 */
export type Loads = 'navigation' | 'frame' | 'document' | 'html' | 'resource';

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
 * @param zone of times that name none; null refuses them
 */
export function readHarEntry(value: unknown, creator = '', zone: string | null = null): ReadHarEntry | HarFault {
  if (!isObject(value)) return 'not_an_entry';
  const request = objectAt(value, 'request');
  const response = objectAt(value, 'response');
  const content = objectAt(response, 'content');
  const url = textAt(request, 'url');
  const address = parseHttpUrl(url);
  if (address === null) return 'bad_address';
  const startedAt = momentAt(textAt(value, 'startedDateTime'), zone);
  if (typeof startedAt === 'string') return startedAt;
  if (!isObject(value.timings)) return 'no_timings';

  const protocol = statedProtocol(value, request, response);
  const { stamps, ...recorded } = harStamps(value.timings, {
    time: numberAt(value, 'time'),
    secure: address.scheme === 'https',
    protocol,
    sslTwiceInTime: /\bplaywright\b/i.test(creator),
  });
  const { status, error, abandoned } = readOutcome(value, request, response);
  // Safari's field for the source of a response.
  const fetchType = textAt(value, '_fetchType');
  const fromCache = isFromCache(value, creator) || /^(disk|memory) cache$/i.test(fetchType);
  const fromWorker = response._fetchedViaServiceWorker === true || /^service worker$/i.test(fetchType);
  const { sizes, unknownSizes } = readSizes(response, content, fromCache);
  const type = textAt(value, '_resourceType').toLowerCase();
  const mimeType = textAt(content, 'mimeType');
  const loads = readLoads(type, url, request, status, mimeType);
  return {
    ...recorded,
    url,
    pageref: textAt(value, 'pageref'),
    loads,
    arrives: !isRedirectStatus(status),
    abandoned,
    entry: {
      ...stamps,
      ...sizes,
      entryType: 'resource',
      name: url,
      initiatorType: loads === 'frame' ? 'iframe' : (INITIATORS.get(type) ?? ''),
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
      error,
    },
    unknownSizes,
  };
}

/** 999 is no status of HTTP, but servers do answer with it. */
const MAX_STATUS = 999;

/**
 * Without a status there was no answer: WebPageTest writes −1 or −2, Playwright −1, browsers 0. Chromium's developer tools
 * write ERR_ABORTED for every answer without a body too, as they cancel what they have no more use for.
 */
function readOutcome(entry: Json, request: Json, response: Json) {
  const stated = numberAt(response, 'status') ?? 0;
  const status = Number.isInteger(stated) && stated >= 100 && stated <= MAX_STATUS ? stated : null;
  const codes = [response, entry].flatMap((from) => [textAt(from, '_error'), textAt(from, '_failureText')]);
  const error = codes.find((code) => code !== '') ?? null;
  if (status === null) return { status, error: error ?? 'har_no_answer', abandoned: false };
  if (error === null || !GIVEN_UP.has(error)) return { status, error, abandoned: false };
  const hasBody = textAt(request, 'method').toUpperCase() !== 'HEAD' && ![204, 205, 304].includes(status);
  return { status, error: null, abandoned: hasBody };
}

/** Firefox describes the cache only where it answered; elsewhere `cache` may tell its state before and after. */
function isFromCache(entry: Json, creator: string): boolean {
  const { _fromCache: from, _servedFromCache: served } = entry;
  if ((typeof from === 'string' && from !== '') || from === true || served === true) return true;
  return /^(firefox|firebug)$/i.test(creator) && Object.hasOwn(objectAt(entry, 'cache'), 'afterRequest');
}

/**
 * Browsers say with a header of every request what it is for: https://w3c.github.io/webappsec-fetch-metadata/. Otherwise
 * the developer tools' type decides, or else whether HTML was asked for and came, though errors do for anything.
 */
function readLoads(type: string, url: string, request: Json, status: number | null, mimeType: string): Loads {
  const destination = headerAt(request, 'sec-fetch-dest').toLowerCase();
  if (destination === 'document') return 'navigation';
  if (/^(i?frame|embed|object)$/.test(destination)) return 'frame';
  if (destination !== '') return 'resource';
  if (type !== '') return type === 'document' ? 'document' : 'resource';
  if (isRedirectStatus(status) || !/^(text\/html|application\/xhtml\+xml)\b/i.test(mimeType)) return 'resource';
  const named = classifyResource({ entryType: 'resource', initiatorType: '', contentType: null, name: url });
  if (headerAt(request, 'x-requested-with') !== '' || named !== 'other') return 'resource';
  return /^$|text\/html/i.test(headerAt(request, 'accept')) ? 'document' : 'html';
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
    const protocol = typeof version === 'string' || typeof version === 'number' ? toProtocol(String(version)) : null;
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
