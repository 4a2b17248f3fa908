import { Type } from 'typebox';
import { type AnswerOf, Count, Milliseconds, object, orNull, pair, words } from '../answer-schema.ts';

export const REMEDIES = [
  'keep_alive',
  'session_tickets',
  'tls_13',
  'http2',
  'slow_group',
  'nearer_site',
  'timing_allowed',
] as const;
export type Remedy = (typeof REMEDIES)[number];

/** Why it is not known what a remedy would save. */
export const WHAT_IF_REASONS = [
  /** Fewer than 30 requests that it would depend on, or all in one page view. */
  'too_few_requests',
  /** Fewer browsers than a viewer may be told of. */
  'too_few_browsers',
  /** No browser reports how long connections had been idle. */
  'no_idle_times',
  /** The server does not say which handshakes were resumed. */
  'handshake_not_told',
  /** Only Firefox reports the version, and no Firefox opened enough connections. */
  'tls_version_unknown',
  /** The protocol of all requests is hidden. */
  'protocol_unknown',
  /** Fewer than two sites with enough connections. */
  'few_sites',
] as const;
export type WhatIfReason = (typeof WHAT_IF_REASONS)[number];

const Text = orNull(Type.String());

/** What would be saved over the whole range. Times are ms; negative where users would wait longer. */
export const SAVING = {
  remedy: words(REMEDIES),
  /** Of the keep-alive timeout. */
  seconds: orNull(Count),
  /** Users of this site, at the distance of the other one. */
  site: Text,
  nearSite: Text,
  /** null if the saving is known. */
  reason: orNull(words(WHAT_IF_REASONS)),
  affectedRequests: Count,
  savedMs: orNull(Milliseconds),
  /** 95 %, from how browsers differ and from what had to be assumed. */
  savedInterval: orNull(pair),
  /** Share of everything that users waited for. */
  savedShare: orNull(Type.Number()),
  /** For each affected request. */
  perRequestMs: orNull(Milliseconds),
  facts: Type.Record(Type.String(), Type.Number()),
};
const Saving = object(SAVING);
export type Saving = AnswerOf<typeof Saving>;

/** Fewer requests predict nothing. */
export const MIN_REQUESTS = 30;

export type SavingOf = Pick<Saving, 'remedy'> & Partial<Pick<Saving, 'seconds' | 'site' | 'nearSite' | 'facts'>>;

export function unknownSaving(of: SavingOf, reason: WhatIfReason): Saving {
  return {
    ...{ seconds: null, site: null, nearSite: null },
    ...of,
    facts: {},
    reason,
    affectedRequests: 0,
    savedMs: null,
    savedInterval: null,
    savedShare: null,
    perRequestMs: null,
  };
}
