import type { BrowserEngine } from '../vocabulary/vocabulary.ts';
/** What the browser knows about an entry besides the entry itself. */
export interface EntryContext {
  readonly engine: BrowserEngine;
  /** Zero of the document's times on the wall clock as it was when they were sent (wallOrigin), epoch milliseconds. */
  readonly timeOrigin: number;
  /** The smallest step of this browser's timer, milliseconds: 0.1 in Chromium, 1 in Firefox. */
  readonly clockStepMs: number;
  /** The document was hidden at some time between the entry's startTime and responseEnd. */
  readonly hidden: boolean;
  /** The entry was seen after its document came back from the back/forward cache. */
  readonly restoredFromBackForwardCache: boolean;
  /** What webRequest saw of the same request; null where nothing could be matched for certain. */
  readonly observed: ObservedRequest | null;
  /** `location.origin` of the document: same-origin entries are never opaque. Absent where it is not known. */
  readonly documentOrigin?: string | null;
  /** False in an iframe: its navigation entry is an `iframe` sample. Absent counts as true. */
  readonly topFrame?: boolean;
  /** `performance.now()` when the entry was copied: a stamp after it is not to be believed. */
  readonly seenAt?: number | null;
  /** `activationStart` of the document: what a prerendered page fetched before it was not waited for by anybody. */
  readonly activationStart?: number | null;
  /**
   * No other request can have begun the connection, or have taken one that was begun for this one: a probe fetches one at
   * a time. Absent counts as false.
   */
  readonly alone?: boolean;
  /** The shortest TCP handshake with the entry's origin that this browser told of lately, ms; absent or null where none is known. */
  readonly leastTcpMs?: number | null;
  /** The browser answered a challenge (401, 407) for this request; absent counts as false, since nobody may have looked. */
  readonly challenged?: boolean;
  /** Error code that webRequest.onErrorOccurred gave for this very request. */
  readonly error?: string | null;
}

/** One request as the background's webRequest listeners saw it. Epoch milliseconds, same machine clock. */
export interface ObservedRequest {
  /** `onSendHeaders` timeStamp. */
  readonly sentAt: number;
  /** `onHeadersReceived` timeStamp. */
  readonly headersReceivedAt: number;
  readonly tls: TlsFacts | null;
  /** How many `onBeforeRedirect` came before; absent where they were not counted. */
  readonly redirects?: number;
}

/** Firefox only (`webRequest.getSecurityInfo`); each null where it was not told. */
export interface TlsFacts {
  /** `TLSv1.2`, `TLSv1.3` … as Firefox names it. */
  readonly version: string | null;
  readonly cipher: string | null;
  readonly keyExchange: string | null;
  /** Issuer of the leaf certificate: TLS inspection shows here. */
  readonly issuer: string | null;
}
