import type { Engine } from '../../shared/timing/entry-context.ts';
import { platform, type WebRequest } from '../platform.ts';
import type { RequestLog, RequestPlace } from './request-log.ts';

/**
 * The browser delivers only requests to hosts that the user granted, whatever the filter says. Nothing here blocks:
 * the requests that are measured must not wait for the extension.
 */
const EVERYTHING: WebRequest.RequestFilter = { urls: ['http://*/*', 'https://*/*'] };

/**
 * Chromium looks into its cache for a font before it asks the network. That this look found nothing is no failure of
 * the request that follows under the same URL.
 */
const CACHE_PROBE = 'net::ERR_CACHE_MISS';

/**
 * Failures in both browsers. Everything else only in Firefox, whose entries need it (see
 * shared/timing/firefox-correction.ts): each listener wakes the background, in Chromium for nothing.
 */
export function observeRequests(engine: Engine, log: RequestLog): void {
  const { webRequest } = platform;
  webRequest.onErrorOccurred.addListener((details) => {
    if (details.tabId >= 0 && details.error !== CACHE_PROBE)
      log.failed(details.requestId, placeOf(details), details.timeStamp, details.error);
  }, EVERYTHING);
  if (engine !== 'firefox') return;

  webRequest.onSendHeaders.addListener((details) => {
    if (details.tabId >= 0) log.sent(details.requestId, placeOf(details), details.timeStamp);
  }, EVERYTHING);
  webRequest.onHeadersReceived.addListener(
    ({ requestId, timeStamp }) => log.answered(requestId, timeStamp),
    EVERYTHING,
  );
  webRequest.onBeforeRedirect.addListener(({ requestId }) => log.redirected(requestId), EVERYTHING);
  webRequest.onCompleted.addListener(({ requestId }) => log.completed(requestId), EVERYTHING);
}

function placeOf({ tabId, frameId, url }: { tabId: number; frameId: number; url: string }): RequestPlace {
  return { tab: tabId, frame: frameId, url };
}
