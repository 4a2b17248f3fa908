import { GIVEN_UP } from '../../shared/classify/abandoned.ts';
import type { FailedRequest } from '../../shared/sample/failed-request.ts';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import { hasNetworkInterfaces } from '../network-access.ts';
import { platform, type WebRequest } from '../platform.ts';
import type { RequestLog, RequestPlace } from './request-log.ts';

/**
 * The browser only delivers requests to hosts the user granted, whatever the filter says. Nothing here blocks: measured
 * requests must not wait for the extension (tls-watch.ts has the one exception).
 */
const EVERYTHING: WebRequest.RequestFilter = { urls: ['http://*/*', 'https://*/*'] };

/**
 * Chromium checks its cache for a font before asking the network. A miss there is not a failure of the request that
 * follows for the same URL.
 */
const CACHE_PROBE = 'net::ERR_CACHE_MISS';

const CHALLENGES = new Set([401, 407]);

/** A document that failed to load. */
export interface FailedNavigation extends FailedRequest {
  readonly request: string;
}

/** Documents: one that fails before its response leaves no entry, since there is no page to hold one. */
const NAVIGATIONS: WebRequest.RequestFilter = { ...EVERYTHING, types: ['main_frame', 'sub_frame'] };

/**
 * Observes failures in both browsers. Of successful requests, Chromium's background only observes navigations, since each
 * event wakes it; Firefox's observes all, since their entries need it (shared/timing/firefox-correction.ts). Without the
 * permission (network-permissions.ts), a failure is what the page's entry shows, without a code.
 */
export function observeRequests(
  engine: BrowserEngine,
  log: RequestLog,
  report: { failedNavigation(failure: FailedNavigation): void; sent(url: string): void },
): void {
  if (!hasNetworkInterfaces()) return;
  const { webRequest } = platform;
  const watched = engine === 'firefox' ? EVERYTHING : NAVIGATIONS;
  webRequest.onErrorOccurred.addListener((details) => {
    if (details.tabId < 0 || details.error === CACHE_PROBE) return;
    const { requestId, url, type, timeStamp, error } = details;
    const { startedAt, answered } = log.failed(requestId, placeOf(details), timeStamp, error);
    const document = type === 'main_frame' || type === 'sub_frame';
    // A given-up document may be a download: without its start it is unknown whether there was a response.
    if (document && !answered && isShown(details) && (startedAt !== null || !GIVEN_UP.has(error)))
      report.failedNavigation({ request: requestId, url, type, startedAt, endedAt: timeStamp, error });
  }, EVERYTHING);
  // Rare, so it may wake the background for any request.
  webRequest.onAuthRequired.addListener((details) => {
    if (details.tabId >= 0) log.challenged(placeOf(details), details.timeStamp);
  }, EVERYTHING);
  webRequest.onBeforeRequest.addListener((details) => {
    if (details.tabId >= 0) log.started(details.requestId, details.timeStamp);
  }, NAVIGATIONS);
  webRequest.onSendHeaders.addListener((details) => {
    if (details.tabId < 0) return;
    log.sent(details.requestId, placeOf(details), details.timeStamp);
    report.sent(details.url);
  }, watched);
  webRequest.onHeadersReceived.addListener((details) => {
    log.answered(details.requestId, details.timeStamp);
    // This event is the only sign of a challenge that the browser answers without the user.
    if (details.tabId >= 0 && CHALLENGES.has(details.statusCode)) log.challenged(placeOf(details), details.timeStamp);
  }, watched);
  webRequest.onBeforeRedirect.addListener((details) => {
    if (!isInternal(details)) log.redirected(details.requestId);
  }, watched);
  webRequest.onCompleted.addListener(({ requestId }) => log.completed(requestId), watched);
}

/** Firefox redirects a request that a service worker leaves to the browser to its own address, without any server. */
function isInternal({ url, redirectUrl, statusCode }: WebRequest.OnBeforeRedirectDetailsType): boolean {
  return url === redirectUrl && (statusCode < 300 || statusCode > 399);
}

/** Chromium prerenders pages; the polyfill's types do not include this property. */
function isShown(details: object): boolean {
  return (details as { documentLifecycle?: string }).documentLifecycle !== 'prerender';
}

function placeOf({ tabId, frameId, url }: { tabId: number; frameId: number; url: string }): RequestPlace {
  return { tab: tabId, frame: frameId, url };
}
