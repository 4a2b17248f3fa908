import type { Sample } from '../../shared/sample/sample.ts';
import type { UnknownReason } from '../../shared/vocabulary/vocabulary.ts';

const SET_UP_PHASES = ['dns', 'tcp', 'tls'] as const;

/**
 * Reasons that leave the sum known: the phase does not exist (plain HTTP), lies in the other one (HTTP/3 merges TCP and
 * TLS), or lies in `blocked` (Firefox's lookup; set-up is then without it, and `unknown.dns` counts how often).
 */
const ELSEWHERE: readonly UnknownReason[] = ['plain_http', 'merged_h3', 'firefox_dns'];
/** Reasons of `tcp` that leave only the parts unknown. */
const UNDIVIDED: readonly UnknownReason[] = ['begun_earlier', 'preconnected', 'no_tls_stamp'];

/**
 * What a request paid for its connection, dns + tcp + tls in µs: 0 on a reused connection; null on a new one if a phase
 * is unknown, and if it is not known whether the connection was new. If only the parts are unknown, it is ttlb minus
 * the other phases.
 */
export function findSetUp(sample: Sample): number | null {
  if (sample.connection === 'reused') return 0;
  if (sample.connection !== 'new') return null;
  if (isUndivided(sample)) return restOf(sample);
  let sum = 0;
  let known = false;
  for (const phase of SET_UP_PHASES) {
    const time = sample.times[phase];
    if (time !== null) {
      sum += time;
      known = true;
    } else if (!isElsewhere(sample.unknown[phase])) return null;
  }
  return known ? sum : null;
}

/** Its set-up was measured as a whole and can't be divided; in samples of older extensions `tls` was the whole. */
export function isUndivided({ unknown }: Pick<Sample, 'unknown'>): boolean {
  return unknown.tcp !== undefined && UNDIVIDED.includes(unknown.tcp);
}

function restOf({ times: { blocked, wait, receive, ttlb } }: Sample): number | null {
  if (ttlb === null || blocked === null || wait === null || receive === null) return null;
  const rest = ttlb - blocked - wait - receive;
  return rest < 0 ? null : rest;
}

/** Whether the phase is known not to exist, or to be part of another one. */
export function isElsewhere(reason: UnknownReason | undefined): boolean {
  return reason !== undefined && ELSEWHERE.includes(reason);
}

/** What a browser's requests paid for TLS. */
export interface TlsPaid {
  /** Usable, with a connection that is known to be new or reused. */
  requests: number;
  /** Of these, over HTTPS on new connections. */
  opened: number;
  /** Of these, whose handshake was measured. */
  measured: number;
  /** Its sum, µs. */
  time: number;
}
