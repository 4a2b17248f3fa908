import { formatDifference, plural } from '../../analysis/text/format.ts';
import type { TlsRow } from '../../questions/tls.ts';

/** What another issuer than most see costs the browsers behind it. */
export interface OtherIssuer {
  readonly issuer: string;
  readonly samples: number;
  readonly browsers: number;
  /** Median handshake of theirs minus that of the others, ms; null where one of them was not measured. */
  readonly tls: number | null;
  /** Of median to the last byte; null where that is not more than chance. */
  readonly ttlb: number | null;
  /** The intervals of the two handshake medians do not meet: more than chance. */
  readonly certain: boolean;
}

/** Issuers beside the most frequent one: a certificate of somebody else's points at TLS inspection on the way. */
export function otherIssuers(rows: readonly TlsRow[]): readonly OtherIssuer[] {
  const [usual, ...others] = rows.filter(({ fact }) => fact === 'issuer');
  if (usual === undefined) return [];
  return others.map(({ value, samples, browsers, tls, ttlb }) => ({
    issuer: value,
    samples,
    browsers,
    tls: tls === null || usual.tls === null ? null : tls.median - usual.tls.median,
    ttlb:
      ttlb !== null && usual.ttlb !== null && apart(ttlb.medianInterval, usual.ttlb.medianInterval)
        ? ttlb.median - usual.ttlb.median
        : null,
    certain: apart(tls?.medianInterval ?? null, usual.tls?.medianInterval ?? null),
  }));
}

/** The warning in words. */
export function describeIssuer({ issuer, samples, browsers, tls, ttlb, certain }: OtherIssuer): string {
  const who = `${plural(browsers, 'browser')} (${plural(samples, 'request')}) see a certificate of ${issuer} instead of the usual one: TLS inspection on the way, or another server.`;
  if (tls === null) return `${who} No new connection of theirs was measured, so its cost is unknown.`;
  const cost = `Their handshake takes ${formatDifference(tls)} ms at the median`;
  const page = ttlb === null ? '' : `, their requests ${formatDifference(ttlb)} ms`;
  return `${who} ${cost}${page}${certain ? '.' : '; not more than chance yet: keep measuring.'}`;
}

function apart(one: readonly [number, number] | null, other: readonly [number, number] | null): boolean {
  return one !== null && other !== null && (one[0] > other[1] || one[1] < other[0]);
}
