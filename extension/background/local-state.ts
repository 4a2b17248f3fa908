import type { NameRegistry } from '../../shared/redact/name-registry.ts';
import type { IdleState } from '../../shared/sample/idle-tracker.ts';
import type { ExtensionSettings } from '../../shared/settings/settings-schema.ts';
import type { RobotRun } from '../journey/robot-run.ts';
import type { ProbeState } from '../probe/probe-schedule.ts';
import type { Clicked } from './declared.ts';
import type { DeliveryState } from './delivery.ts';
import type { PauseState } from './pause.ts';
import type { SentLogState } from './sent-log.ts';
import type { PollState } from './settings-poll.ts';
import type { StateStore } from './state-store.ts';
import type { ReportedStatus } from './status-report.ts';

/** State that outlives the background, apart from the queue. Everything in memory only caches it. */
export interface LocalState extends PauseState {
  /** Entered on the options page. */
  readonly enrolment: { readonly collector: string; readonly key: string; readonly site: string };
  /** Ticked on the options page. */
  readonly declared: Clicked;
  readonly settings: { readonly etag: string | null; readonly document: ExtensionSettings };
  readonly poll: PollState;
  /** Collector and revision of the settings that the content script is registered for. */
  readonly registered: string;
  readonly client: { readonly id: string; readonly month: string };
  readonly delivery: DeliveryState;
  /** Hosts and templates used so far; their number is bounded. */
  readonly names: NameRegistry;
  /** When each origin last responded over the network. */
  readonly answered: IdleState;
  /** Entries that never became samples, by reason. */
  readonly lost: Readonly<Record<string, number>>;
  /** Values that samples left out because they could not be right, by code. */
  readonly ignored: Readonly<Record<string, number>>;
  /** What was sent recently, shown to the user. */
  readonly sent: SentLogState;
  /** The last status of this browser that the collector acknowledged. */
  readonly told: ReportedStatus;
  /** Requests of probes in the last hour, and the outcome of each probe's last run. */
  readonly probes: ProbeState;
  /** A robot's last run of a journey, over or not. */
  readonly run: RobotRun;
}

export type LocalStore = StateStore<LocalState>;
