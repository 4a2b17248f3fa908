import type { TimingEntry } from '../shared/timing/timing-entry.ts';
import type { PauseLength } from './background/pause.ts';
import type { PackedGroup } from './packed-group.ts';

/** An entry, together with what only its own document knows about it. */
export interface SeenEntry {
  readonly entry: TimingEntry;
  /** The document was hidden at some time between startTime and responseEnd. */
  readonly hidden: boolean;
  /** It started after the document came back from the back/forward cache. */
  readonly restored: boolean;
  /** `performance.now()` when it was copied. */
  readonly seenAt: number;
}

/**
 * Content script → background, as a PackedGroup. Answered with `true` once it is on disk; until then it is resent under the
 * same id.
 */
export interface EntryGroup {
  readonly kind: 'entries';
  /** Unique: a random id of the document, and a number. */
  readonly id: string;
  /** URL of the document, without its fragment. */
  readonly page: string;
  /** Origin of the document; the string `null` if it is opaque. */
  readonly origin: string;
  /** `activationStart` of a prerendered document, else 0. */
  readonly activationStart: number;
  /** False in an iframe. */
  readonly top: boolean;
  /** The document's time origin on the wall clock when the entries were sent (wallOrigin), epoch milliseconds. */
  readonly timeOrigin: number;
  readonly entries: readonly SeenEntry[];
  /** Entries that this document dropped since the last group because there were too many. */
  readonly dropped: number;
}

/** Popup and options page → background: answered with a `Status`. */
export interface StatusRequest {
  readonly kind: 'status';
}

/** The same, after reading the enrolment and fetching the settings again. */
export interface RefreshRequest {
  readonly kind: 'refresh';
}

/** Popup → background: answered with a `Status`. null ends a pause. */
export interface PauseRequest {
  readonly kind: 'pause';
  readonly length: PauseLength | null;
}

/** Popup → background: answered with `SentRow`s, newest first. */
export interface SentRequest {
  readonly kind: 'sent';
}

/** Options page → background: answered with a `ConnectionResult`. An empty key means the one in use. */
export interface ConnectionRequest {
  readonly kind: 'test-connection';
  readonly collector: string;
  readonly key: string;
}

/** Options page → background: stores the enrolment, fetches the settings and answers with a `Status`. */
export interface EnrolRequest {
  readonly kind: 'enrol';
  readonly collector: string;
  /** Empty: the key in use. */
  readonly key: string;
  readonly site: string;
}

/** Options page → background: assigns this browser a new random id and forgets what was sent under the old one. */
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

/** Groups that could not wait for an answer are kept in storage.local under this prefix and their id. */
export const PENDING_PREFIX = 'pending/';
