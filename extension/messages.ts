import type { TimingEntry } from '../shared/timing/timing-entry.ts';
import type { PauseLength } from './background/pause.ts';
import type { PackedGroup } from './packed-group.ts';

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

/** Content script → background, as a PackedGroup. Answered with `true` once it is on disk; sent again under the same id until then. */
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
  /** Zero of the document's times on the wall clock as it was when they were sent (wallOrigin), epoch milliseconds. */
  readonly timeOrigin: number;
  readonly entries: readonly SeenEntry[];
  /** Entries that this document did not pass on since the group before, for being too many. */
  readonly dropped: number;
}

/** Popup and options page → background: answered with a `Status`. */
export interface StatusRequest {
  readonly kind: 'status';
}

/** The same, after the enrolment was read again and the collector asked. */
export interface RefreshRequest {
  readonly kind: 'refresh';
}

/** Popup → background: answered with a `Status`. null ends a pause. */
export interface PauseRequest {
  readonly kind: 'pause';
  readonly length: PauseLength | null;
}

/** Popup → background: answered with `SentRow`s, the newest first. */
export interface SentRequest {
  readonly kind: 'sent';
}

/** Options page → background: answered with a `ConnectionResult`. An empty key means the one in use. */
export interface ConnectionRequest {
  readonly kind: 'test-connection';
  readonly collector: string;
  readonly key: string;
}

/** Options page → background: keeps what was typed in, asks the collector, and answers with a `Status`. */
export interface EnrolRequest {
  readonly kind: 'enrol';
  readonly collector: string;
  /** Empty: the one in use. */
  readonly key: string;
  readonly site: string;
}

/** Options page → background: a new random number for this browser, and nothing left that the old one sent. */
export interface ResetRequest {
  readonly kind: 'reset';
}

export type Message =
  | PackedGroup
  | StatusRequest
  | RefreshRequest
  | PauseRequest
  | SentRequest
  | ConnectionRequest
  | EnrolRequest
  | ResetRequest;

/** Groups that could not wait for an answer lie in storage.local under this prefix and their id. */
export const PENDING_PREFIX = 'pending/';
