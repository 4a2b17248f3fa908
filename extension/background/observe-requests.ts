import type { FailedRequest } from '../../shared/sample/failed-request.ts';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import { hasNetworkInterfaces } from '../network-access.ts';
import { platform, type WebRequest } from '../platform.ts';
import type { RequestLog, RequestPlace } from './request-log.ts';

/**
 * The browser delivers only requests to hosts that the user granted, whatever the filter says. Nothing here blocks:
 * the requests that are measured must not wait for the extension (see tls-watch.ts for the one exception).
 */
const EVERYTHING: WebRequest.RequestFilter = { urls: ['http://*/*', 'https://*/*'] };

/**
 * Chromium looks into its cache for a font before it asks the network. That this look found nothing is no failure of
 * the request that follows under the same URL.
 */
const CACHE_PROBE = 'net::ERR_CACHE_MISS';

/** By the user, or for turning out to be a download: without its start nobody can tell whether it had its answer. */
const GIVEN_UP = new Set(['net::ERR_ABORTED', 'NS_BINDING_ABORTED']);

const CHALLENGES = new Set([401, 407]);

/** A document that never came. */
export interface FailedNavigation extends FailedRequest {
  readonly request: string;
}

/** Documents: what fails before it has an answer leaves no entry, since there is no page to keep one. */
const NAVIGATIONS: WebRequest.RequestFilter = { ...EVERYTHING, types: ['main_frame', 'sub_frame'] };

/**
 * Failures in both browsers. Of requests that go well Chromium's background only hears of navigations, and Firefox' of
 * all, whose entries need it (see shared/timing/firefox-correction.ts): each event wakes the background. Without the
 * permission (network-permissions.ts) a failure is what the page's entry shows, without a code.
 */
export function observeRequests(
  engine: BrowserEngine,
  log: RequestLog,
  told: { failedNavigation(failure: FailedNavigation): void; sent(url: string): void },
): void {
  if (!hasNetworkInterfaces()) return;
  const { webRequest } = platform;
  const watched = engine === 'firefox' ? EVERYTHING : NAVIGATIONS;
  webRequest.onErrorOccurred.addListener((details) => {
    if (details.tabId < 0 || details.error === CACHE_PROBE) return;
    const { requestId, url, type, timeStamp, error } = details;
    const { startedAt, answered } = log.failed(requestId, placeOf(details), timeStamp, error);
    const document = type === 'main_frame' || type === 'sub_frame';
    if (document && !answered && isShown(details) && (startedAt !== null || !GIVEN_UP.has(error)))
      told.failedNavigation({ request: requestId, url, type, startedAt, endedAt: timeStamp, error });
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
    told.sent(details.url);
  }, watched);
  webRequest.onHeadersReceived.addListener((details) => {
    log.answered(details.requestId, details.timeStamp);
    // One that the browser can answer without its user it tells nobody of but by this.
    if (details.tabId >= 0 && CHALLENGES.has(details.statusCode)) log.challenged(placeOf(details), details.timeStamp);
  }, watched);
  webRequest.onBeforeRedirect.addListener((details) => {
    if (!isInternal(details)) log.redirected(details.requestId);
  }, watched);
  webRequest.onCompleted.addListener(({ requestId }) => log.completed(requestId), watched);
}

/** Firefox sends a request that a service worker leaves to the browser on to its own address; no server said so. */
function isInternal({ url, redirectUrl, statusCode }: WebRequest.OnBeforeRedirectDetailsType): boolean {
  return url === redirectUrl && (statusCode < 300 || statusCode > 399);
}

/** Chromium fetches pages nobody has asked for yet; its types are not the polyfill's. */
function isShown(details: object): boolean {
  return (details as { documentLifecycle?: string }).documentLifecycle !== 'prerender';
}

function placeOf({ tabId, frameId, url }: { tabId: number; frameId: number; url: string }): RequestPlace {
  return { tab: tabId, frame: frameId, url };
}
