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

/** What would be saved over the whole range. Times are ms; negative where users would wait longer. */
export interface Saving {
  readonly remedy: Remedy;
  /** Of the keep-alive timeout. */
  readonly seconds: number | null;
  /** Users of this site, at the distance of the other one. */
  readonly site: string | null;
  readonly nearSite: string | null;
  /** null if the saving is known. */
  readonly reason: WhatIfReason | null;
  readonly affectedRequests: number;
  readonly savedMs: number | null;
  /** 95 %, from how browsers differ and from what had to be assumed. */
  readonly savedInterval: readonly [number, number] | null;
  /** Share of everything that users waited for. */
  readonly savedShare: number | null;
  /** For each affected request. */
  readonly perRequestMs: number | null;
  readonly facts: Readonly<Record<string, number>>;
}

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
