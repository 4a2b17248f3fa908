import type { SeenRequest } from '../../shared/journeys/page-activity-log.ts';
import { makeFailedSample } from '../../shared/sample/failed-request.ts';
import { makeSample } from '../../shared/sample/make-sample.ts';
import type { Sample } from '../../shared/sample/sample.ts';

/** A request that was watched from outside a page, as a sample; null if it did not end. */
export function requestSample(
  request: SeenRequest,
  options: { readonly target: string; readonly source: string },
): Sample | null {
  const { url, status, error, cached, startedAt, finishedAt, stamps, bytes, opened, isDocument, initiatorType } =
    request;
  if (finishedAt === null) return null;
  if (error !== null || stamps === null) {
    const failed = { url, type: isDocument ? 'main_frame' : 'other', startedAt, endedAt: finishedAt };
    return makeFailedSample({ ...failed, error: error ?? 'other' }, options);
  }
  const since = (moment: number) => (moment === 0 ? 0 : Math.max(0, moment - startedAt));
  const { protocol, contentType, ...moments } = stamps;
  const { domainLookupStart, connectStart, connectEnd, secureConnectionStart, ...known } = moments;
  const isOpened = connectEnd > 0;
  const isSecure = url.startsWith('https:');
  const entry = {
    entryType: isDocument ? ('navigation' as const) : ('resource' as const),
    name: url,
    initiatorType: isDocument ? 'navigation' : initiatorType,
    startTime: 0,
    redirectStart: 0,
    redirectEnd: 0,
    workerStart: 0,
    fetchStart: 0,
    // As Resource Timing has them where a connection was reused.
    domainLookupStart: since(domainLookupStart),
    domainLookupEnd: since(known.domainLookupEnd),
    connectStart: isOpened ? since(connectStart) : 0,
    secureConnectionStart: isSecure && isOpened ? since(secureConnectionStart) : 0,
    connectEnd: isOpened ? since(connectEnd) : 0,
    requestStart: since(known.requestStart),
    responseStart: since(known.responseStart),
    finalResponseHeadersStart: null,
    responseEnd: finishedAt - startedAt,
    nextHopProtocol: protocol,
    transferSize: cached ? 0 : bytes,
    encodedBodySize: bytes,
    decodedBodySize: bytes,
    responseStatus: status,
    contentType,
    deliveryType: cached ? 'cache' : '',
    serverTiming: [],
    navigationType: isDocument ? 'navigate' : null,
    activationStart: isDocument ? 0 : null,
    redirectCount: null,
  };
  const context = {
    // The times are those of developer tools, which need none of the corrections of either browser's entries.
    engine: 'chromium' as const,
    timeOrigin: startedAt,
    clockStepMs: 0.1,
    hidden: false,
    restoredFromBackForwardCache: false,
    observed: null,
    error,
  };
  const { sample } = makeSample(entry, context, options);
  // Chromium opens connections ahead: such a one is neither new, since nothing waited for it, nor was it used before.
  const ahead = { connection: 'unknown', connectionEvidence: 'hidden_stamps' } as const;
  // Only the bytes on the wire are known.
  const sizes = { encodedBodySize: null, decodedBodySize: null };
  return sample && { ...sample, ...sizes, ...(opened && !isOpened ? ahead : {}) };
}
