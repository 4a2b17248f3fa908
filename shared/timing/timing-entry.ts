/**
 * A browser's PerformanceNavigationTiming or PerformanceResourceTiming as plain data, as copied by the content script.
 * Nothing is interpreted here: zeros, gaps and false values are kept for `phases` to validate.
 *
 * All times are milliseconds since the document's `timeOrigin`, as the browser reports them.
 * https://www.w3.org/TR/resource-timing/#sec-performanceresourcetiming
 * https://www.w3.org/TR/navigation-timing-2/#sec-PerformanceNavigationTiming
 */
export interface TimingEntry {
  readonly entryType: 'navigation' | 'resource';
  /** Absolute URL without its fragment. Never leaves the browser; only its template does. */
  readonly name: string;
  readonly initiatorType: string;
  readonly startTime: number;
  readonly redirectStart: number;
  readonly redirectEnd: number;
  readonly workerStart: number;
  readonly fetchStart: number;
  readonly domainLookupStart: number;
  readonly domainLookupEnd: number;
  readonly connectStart: number;
  /** 0 on plain HTTP, so never subtract it unguarded. */
  readonly secureConnectionStart: number;
  readonly connectEnd: number;
  readonly requestStart: number;
  /** The first byte of *any* response: with Early Hints, of the interim one. */
  readonly responseStart: number;
  /** The final response's headers; null if the browser has no such attribute. */
  readonly finalResponseHeadersStart: number | null;
  readonly responseEnd: number;
  /** ALPN id (`http/1.1`, `h2`, `h3`), or empty if hidden or unknown. */
  readonly nextHopProtocol: string;
  readonly transferSize: number;
  readonly encodedBodySize: number;
  readonly decodedBodySize: number;
  /** null if the browser has no such attribute; 0 if it hides the status. */
  readonly responseStatus: number | null;
  readonly contentType: string | null;
  /** Chromium only: `cache`, `navigational-prefetch` or empty. */
  readonly deliveryType: string | null;
  readonly serverTiming: readonly ServerTimingEntry[];
  /** Navigation entries only: `navigate`, `reload`, `back_forward` or `prerender`. */
  readonly navigationType: string | null;
  /** Navigation entries only: when a prerendered page was shown; 0 if it was not prerendered. */
  readonly activationStart: number | null;
  readonly redirectCount: number | null;
}

/** https://www.w3.org/TR/server-timing/#the-performanceservertiming-interface; `duration` is in the server's own unit. */
export interface ServerTimingEntry {
  readonly name: string;
  readonly duration: number;
  readonly description: string;
}
