import type { BrowserEngine } from '../vocabulary/vocabulary.ts';
/** What the browser knows about an entry besides the entry itself. */
export interface EntryContext {
  readonly engine: BrowserEngine;
  /** The document's time origin by the wall clock when the entries were sent (wallOrigin), epoch milliseconds. */
  readonly timeOrigin: number;
  /** The resolution of this browser's timer, milliseconds: 0.1 in Chromium, 1 in Firefox. */
  readonly clockStepMs: number;
  /** The document was hidden at some time between the entry's startTime and responseEnd. */
  readonly hidden: boolean;
  /** The entry was seen after its document returned from the back/forward cache. */
  readonly restoredFromBackForwardCache: boolean;
  /** What webRequest observed of the same request; null without a certain match. */
  readonly observed: ObservedRequest | null;
  /** `location.origin` of the document: same-origin entries are never opaque. Absent if unknown. */
  readonly documentOrigin?: string | null;
  /** False in an iframe: its navigation entry is an `iframe` sample. Absent counts as true. */
  readonly topFrame?: boolean;
  /** `performance.now()` when the entry was copied: later stamps are not credible. */
  readonly seenAt?: number | null;
  /** `activationStart` of the document: no one waited for what a prerendered page fetched before it. */
  readonly activationStart?: number | null;
  /**
   * No other request can have opened the connection, or used one opened for this request: a probe fetches one at a time.
   * Absent counts as false.
   */
  readonly alone?: boolean;
  /** The shortest recent TCP handshake with the entry's origin in this browser, ms; absent or null if unknown. */
  readonly leastTcpMs?: number | null;
  /** The browser answered a challenge (401, 407) for this request; absent is false: it may not have been observed. */
  readonly challenged?: boolean;
  /** Error code from webRequest.onErrorOccurred for this request. */
  readonly error?: string | null;
}

/** One request as the background's webRequest listeners observed it. Epoch milliseconds, same machine clock. */
export interface ObservedRequest {
  /** `onSendHeaders` timeStamp. */
  readonly sentAt: number;
  /** `onHeadersReceived` timeStamp. */
  readonly headersReceivedAt: number;
  readonly tls: TlsFacts | null;
  /** Number of preceding `onBeforeRedirect` events; absent if not counted. */
  readonly redirects?: number;
}

/** Firefox only (`webRequest.getSecurityInfo`); each null if unknown. */
export interface TlsFacts {
  /** As Firefox names it: `TLSv1.2`, `TLSv1.3` … */
  readonly version: string | null;
  readonly cipher: string | null;
  readonly keyExchange: string | null;
  /** Issuer of the leaf certificate: TLS inspection shows here. */
  readonly issuer: string | null;
}
