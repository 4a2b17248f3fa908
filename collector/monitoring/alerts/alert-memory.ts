import { randomUUID } from 'node:crypto';
import type { JourneyResult } from '../../analysis/probes/journey-results.ts';
import type { KeyValueState } from '../../storage/store.ts';
import { type AlertState, QUIET } from './alert-state.ts';

const NAME = 'alerts';

/** What is posted to a webhook, and written in mails. */
export interface AlertMessage {
  readonly status: 'firing' | 'recovered' | 'test';
  readonly rule: string;
  /** The sentence alone. Absent in messages of older versions that are still queued. */
  readonly subject?: string;
  /** For people: what chat programs show. */
  readonly text: string;
  /** Milliseconds, or a ratio for availability. */
  readonly value: number | null;
  readonly threshold: number | null;
  readonly samples: number;
  /** The rule's, or the one that users waited for longest; null if it is not known, absent as above. */
  readonly host?: string | null;
  /** Those that failed, over the days before, while a rule about journeys fires. */
  readonly journeys?: readonly JourneyResult[];
  /** RFC 3339. */
  readonly at: string;
  /** The dashboard's view of it. Absent in messages of older versions that are still queued. */
  readonly link?: string | null;
  /** Why there is no link. */
  readonly linkMissing?: 'no_dashboard_url';
}

/** A message on its way to one webhook, or to the recipients of its rule. */
export interface Delivery {
  readonly id: string;
  /** Id of the webhook, or MAIL. */
  readonly webhook: string;
  /** `webhook` if absent. */
  readonly channel?: 'mail';
  readonly message: AlertMessage;
  readonly attempts: number;
  /** Epoch ms. */
  readonly since: number;
  readonly nextAt: number;
  /** Why the last attempt failed; null before the first. */
  readonly error: string | null;
}

/** Everything that has to survive a restart. */
export interface AlertMemory {
  readonly states: Readonly<Record<string, AlertState>>;
  readonly queue: readonly Delivery[];
}

/** State of a rule; quiet before its first evaluation. Own properties only: an id may be `constructor`. */
export function findState(states: AlertMemory['states'], rule: string): AlertState {
  return (Object.hasOwn(states, rule) ? states[rule] : undefined) ?? QUIET;
}

export async function readMemory(kept: KeyValueState): Promise<AlertMemory> {
  return ((await kept.read(NAME)) as AlertMemory | null) ?? { states: {}, queue: [] };
}

export function writeMemory(kept: KeyValueState, memory: AlertMemory): Promise<void> {
  return kept.write(NAME, memory);
}

/** Stands for the webhook of a message that goes by mail. */
export const MAIL = 'mail';

export function toMailDelivery(message: AlertMessage, now: number): Delivery {
  return { ...toDelivery(MAIL, message, now), channel: 'mail' };
}

export function toDelivery(webhook: string, message: AlertMessage, now: number): Delivery {
  return { id: randomUUID(), webhook, message, attempts: 0, since: now, nextAt: now, error: null };
}
