import type { CaptureState } from './capture-registration.ts';
import type { DeliveryState } from './delivery.ts';
import type { Pause } from './pause.ts';
import type { ProbeOutcome } from './probe-outcomes.ts';
import type { Enrolment } from './read-enrolment.ts';
import type { PollOutcome } from './settings-poll.ts';

/** Failures in a row after which somebody should look: about ten minutes without the collector. */
const MANY_FAILURES = 8;

/** What popup and options page show; answers `StatusRequest`. */
export interface Status {
  /** Why nothing is collected, or `collecting`. `degraded`: the user has not allowed all targets. */
  readonly state: 'not_enrolled' | 'paused' | 'no_settings' | 'key_refused' | 'no_targets' | 'degraded' | 'collecting';
  /** Never the key. */
  readonly collector: string | null;
  readonly enrolledBy: Enrolment['source'] | null;
  readonly site: string;
  readonly targets: readonly TargetStatus[];
  readonly paused: Pause | null;
  /** False where the organisation forbids a pause without an end. */
  readonly mayPauseForGood: boolean;
  readonly capture: CaptureState;
  /** The random number this month's samples bear; null before the first. Whoever wants them erased has to name it. */
  readonly client: string | null;
  readonly waiting: number;
  readonly delivery: DeliveryState;
  readonly poll: PollOutcome | null;
  readonly lost: Readonly<Record<string, number>>;
  /** Samples folded because an app showed too many names. */
  readonly folded: number;
  readonly times: readonly ComparedTime[];
  readonly probes: readonly ProbeOutcome[];
}

export interface TargetStatus {
  readonly id: string;
  readonly name: string;
  readonly match: readonly string[];
  readonly unlockTimings: readonly string[];
  /** Patterns, and names of permissions, that the user has not allowed. */
  readonly missing: readonly string[];
  /** Allowed, and without effect before the browser starts anew. */
  readonly afterRestart: boolean;
}

/** How long this user waits beside everybody; ms over the last day, null where too little is known. */
export interface ComparedTime {
  readonly target: string;
  readonly type: string;
  readonly own: { readonly median: number; readonly n: number } | null;
  readonly all: { readonly median: number; readonly browsers: number } | null;
}

export function stateOf(
  facts: Pick<Status, 'poll' | 'capture'> & {
    readonly targets: readonly unknown[];
    readonly paused: boolean;
    readonly enrolled: boolean;
    readonly settings: boolean;
    readonly refused: boolean;
  },
): Status['state'] {
  if (!facts.enrolled) return 'not_enrolled';
  if (facts.paused) return 'paused';
  if (facts.refused || facts.poll === 'refused') return 'key_refused';
  if (!facts.settings) return 'no_settings';
  if (facts.targets.length === 0) return 'no_targets';
  return facts.capture.missing.length > 0 ? 'degraded' : 'collecting';
}

/** Whether something waits for the user or an administrator. A pause is a wish, and no settings yet will pass. */
export function needsAttention({ state, delivery, poll }: Pick<Status, 'state' | 'delivery' | 'poll'>): boolean {
  switch (state) {
    case 'not_enrolled':
    case 'key_refused':
    case 'degraded':
      return true;
    case 'no_settings':
      return poll !== null && poll !== 'ok';
    case 'paused':
      return false;
    default:
      return delivery.failures >= MANY_FAILURES;
  }
}
