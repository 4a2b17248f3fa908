import type { CaptureState } from './capture-registration.ts';
import type { DeliveryState } from './delivery.ts';
import type { Enrolment } from './read-enrolment.ts';
import type { PollOutcome } from './settings-poll.ts';

/** What popup and options page show; answers `StatusRequest`. */
export interface Status {
  /** Why nothing is collected, or `collecting`. `degraded`: the user has not allowed all targets. */
  readonly state: 'not_enrolled' | 'no_settings' | 'key_refused' | 'no_targets' | 'degraded' | 'collecting';
  /** Never the key. */
  readonly collector: string | null;
  readonly enrolledBy: Enrolment['source'] | null;
  readonly targets: readonly { readonly id: string; readonly name: string; readonly match: readonly string[] }[];
  readonly capture: CaptureState;
  readonly waiting: number;
  readonly delivery: DeliveryState;
  readonly poll: PollOutcome | null;
  readonly lost: Readonly<Record<string, number>>;
}

export function stateOf(
  facts: Pick<Status, 'poll' | 'targets' | 'capture'> & { enrolled: boolean; settings: boolean; refused: boolean },
): Status['state'] {
  if (!facts.enrolled) return 'not_enrolled';
  if (facts.refused || facts.poll === 'refused') return 'key_refused';
  if (!facts.settings) return 'no_settings';
  if (facts.targets.length === 0) return 'no_targets';
  return facts.capture.missing.length > 0 ? 'degraded' : 'collecting';
}
