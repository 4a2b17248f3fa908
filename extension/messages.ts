import type { TimingEntry } from '../shared/timing/timing-entry.ts';

/** An entry beside what only its own document knows about it. */
export interface SeenEntry {
  readonly entry: TimingEntry;
  /** The document was hidden at some time between startTime and responseEnd. */
  readonly hidden: boolean;
  /** It started after the document came back from the back/forward cache. */
  readonly restored: boolean;
  /** `performance.now()` when it was copied. */
  readonly seenAt: number;
}

/** Content script → background. Answered with `true` once it is on disk; sent again under the same id until then. */
export interface EntryGroup {
  readonly kind: 'entries';
  /** Unique: a random id of the document and a number. */
  readonly id: string;
  /** URL of the document, without its fragment. */
  readonly page: string;
  /** Origin of the document; `null` as text where it is opaque. */
  readonly origin: string;
  /** `activationStart` of a prerendered document, else 0. */
  readonly activationStart: number;
  /** False in an iframe. */
  readonly top: boolean;
  /** `performance.timeOrigin` of the document, epoch milliseconds. */
  readonly timeOrigin: number;
  readonly entries: readonly SeenEntry[];
  /** Entries that this document did not pass on since the group before, for being too many. */
  readonly dropped: number;
}

/** Popup and options page → background. */
export interface StatusRequest {
  readonly kind: 'status';
}

/** Options page → background: read the enrolment again and ask the collector now. */
export interface RefreshRequest {
  readonly kind: 'refresh';
}

export type Message = EntryGroup | StatusRequest | RefreshRequest;

/** Groups that could not wait for an answer lie in storage.local under this prefix and their id. */
export const PENDING_PREFIX = 'pending/';
