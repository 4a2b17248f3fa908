import { parseHttpUrl } from '../redact/http-url.ts';
import { toTemplate } from '../redact/path-template.ts';
import { toMicroseconds } from '../timing/stamps.ts';
import { TIME_NAMES } from '../vocabulary/time-names.ts';
import type { ResourceType } from '../vocabulary/vocabulary.ts';
import { MAX_TIME } from '../vocabulary/wire-limits.ts';
import type { SampleOptions } from './make-sample.ts';
import { toErrorCode } from './make-sample.ts';
import type { Sample } from './sample.ts';

/** What webRequest.onErrorOccurred and onBeforeRequest report about a request that never got a response. */
export interface FailedRequest {
  readonly url: string;
  /** webRequest's resource type, such as `main_frame`. */
  readonly type: string;
  /** `onBeforeRequest` timeStamp, epoch ms; null if the background was not awake to see it. */
  readonly startedAt: number | null;
  /** `onErrorOccurred` timeStamp, epoch ms. */
  readonly endedAt: number;
  /** `net::ERR_CONNECTION_REFUSED`, `NS_ERROR_CONNECTION_REFUSED`, … */
  readonly error: string;
}

/** https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/API/webRequest/ResourceType */
const WEB_REQUEST_TYPES: Readonly<Record<string, ResourceType>> = {
  beacon: 'beacon',
  font: 'font',
  image: 'image',
  imageset: 'image',
  main_frame: 'document',
  media: 'media',
  ping: 'beacon',
  script: 'script',
  stylesheet: 'style',
  sub_frame: 'iframe',
  xmlhttprequest: 'fetch',
};

/**
 * A sample of a failed request without a matching entry; null if it is not http(s) or its times make no sense. If there is
 * an entry, pass the code to `makeSample` as `context.error` instead, or the request counts twice. `ttlb` is the time until
 * the failure, null if the start is unknown; it never enters timing statistics.
 */
export function makeFailedSample(request: FailedRequest, options: SampleOptions): Sample | null {
  const url = parseHttpUrl(request.url);
  const at = Math.round(request.startedAt ?? request.endedAt);
  const ttlb = request.startedAt === null ? null : toMicroseconds(request.endedAt - request.startedAt);
  if (url === null || !Number.isSafeInteger(at) || at < 0) return null;
  if (ttlb !== null && !(ttlb >= 0 && ttlb <= MAX_TIME)) return null;
  const unknown = Object.fromEntries(
    TIME_NAMES.filter((name) => name !== 'ttlb' || ttlb === null).map((name) => [name, 'failed']),
  );
  return {
    at,
    target: options.target,
    host: url.hostname,
    scheme: url.scheme,
    template: toTemplate(url.pathname, options.templateRules),
    type: (Object.hasOwn(WEB_REQUEST_TYPES, request.type) ? WEB_REQUEST_TYPES[request.type] : undefined) ?? 'other',
    protocol: null,
    source: options.source,
    connection: 'failed',
    connectionEvidence: 'web_request_error',
    handshake: 'unknown',
    handshakeEvidence: null,
    excluded: 'failed',
    status: null,
    error: toErrorCode(request.error),
    times: {
      blocked: null,
      dns: null,
      tcp: null,
      tls: null,
      wait: null,
      receive: null,
      redirect: null,
      ttfb: null,
      ttlb,
    },
    unknown,
    transferSize: null,
    encodedBodySize: null,
    decodedBodySize: null,
    idleMs: options.idleMs ?? null,
    serverTime: null,
    metrics: {},
    tls: null,
  };
}
