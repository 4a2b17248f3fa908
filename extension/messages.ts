import type { Recorded } from '../shared/journeys/assemble-recording.ts';
import type { Role } from './background/declared.ts';
import type { PauseLength } from './background/pause.ts';
import type { RobotResult } from './journey/robot-run.ts';
import type { PackedGroup } from './packed-group.ts';

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

/** Options page → background: a person's click; answered with a `Status`. */
export interface DeclareRequest {
  readonly kind: 'declare';
  readonly role: Role;
  readonly on: boolean;
}

/** Options page of a robot → background: replays a journey now; answered with a `Status` once it is over. */
export interface RunRequest {
  readonly kind: 'robot-run';
  readonly id: string;
}

/** Robot's page → background: answered with a `RobotOrder`, once; null if there is nothing to replay. */
export interface OrderRequest {
  readonly kind: 'robot-order';
}

/** Answered with whether to go on; it also keeps the background awake. */
export interface WantedRequest {
  readonly kind: 'robot-wanted';
}

/** The journey is replayed in this tab. */
export interface TabRequest {
  readonly kind: 'robot-tab';
  readonly tab: number;
}

/** The event of a step has happened at `at`, epoch ms. Steps count from 1. */
export interface StepRequest {
  readonly kind: 'robot-step';
  readonly step: number;
  readonly at: number;
}

export interface ResultRequest {
  readonly kind: 'robot-result';
  /** null if it could not be followed to its end. */
  readonly result: RobotResult | null;
}

/** Recorder → background: true while its tab is being recorded. */
export interface RecordedMessage {
  readonly kind: 'recorded';
  readonly item: Recorded;
}

export type Message =
  | PackedGroup
  | StatusRequest
  | RefreshRequest
  | PauseRequest
  | SentRequest
  | ConnectionRequest
  | EnrolRequest
  | ResetRequest
  | DeclareRequest
  | RunRequest
  | OrderRequest
  | WantedRequest
  | TabRequest
  | StepRequest
  | ResultRequest
  | RecordedMessage;

/** Groups that could not wait for an answer are kept in storage.local under this prefix and their id. */
export const PENDING_PREFIX = 'pending/';
