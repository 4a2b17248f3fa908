import { whyNotCompared } from '../../../shared/statistics/comparability.ts';
import { intervalsApart } from '../../../shared/statistics/median-interval.ts';
import type { TlsRow } from '../../questions/tls.ts';
import { formatDifference } from '../text/format.ts';
import { HOST } from '../text/host.ts';

/** The cost of a certificate issuer other than the usual one. */
export interface OtherIssuer {
  readonly issuer: string;
  readonly samples: number;
  readonly browsers: number;
  /** Median handshake minus that with the usual issuer, ms; null if either was not measured. */
  readonly tls: number | null;
  /** The same for the median to the last byte; null unless significant. */
  readonly ttlb: number | null;
  /** The intervals of the two handshake medians do not overlap: significant. */
  readonly certain: boolean;
}

const PART = /(?:^|,)\s*(CN|O)=("[^"]*"|[^,]*)/g;

/** `Example CA 3 (Example Trust)` for `CN=Example CA 3,O=Example Trust`; a name without these parts as it is. */
export function issuerName(distinguished: string): string {
  const parts = new Map(
    [...distinguished.matchAll(PART)].map(([, key, value = '']) => [key, value.replaceAll('"', '')]),
  );
  const [name = '', organization = ''] = [parts.get('CN'), parts.get('O')];
  if (name === '') return organization === '' ? distinguished : organization;
  return organization === '' || name.startsWith(organization) ? name : `${name} (${organization})`;
}

/** All issuers but the most frequent one: another issuer suggests TLS inspection on the path. */
export function otherIssuers(rows: readonly TlsRow[]): readonly OtherIssuer[] {
  const [usual, ...others] = rows.filter(({ fact }) => fact === 'issuer');
  if (usual === undefined) return [];
  return others.map(({ value, samples, browsers, tls, ttlb }) => {
    const isCertain = (one: TlsRow['tls'], other: TlsRow['tls']) =>
      one?.medianInterval != null &&
      other?.medianInterval != null &&
      whyNotCompared({ n: one.n, browsers }, { n: other.n, browsers: usual.browsers }) === null &&
      intervalsApart(one.medianInterval, other.medianInterval);
    return {
      issuer: value,
      samples,
      browsers,
      tls: tls === null || usual.tls === null ? null : tls.median - usual.tls.median,
      ttlb:
        ttlb !== null && usual.ttlb !== null && isCertain(ttlb, usual.ttlb) ? ttlb.median - usual.ttlb.median : null,
      certain: isCertain(tls, usual.tls),
    };
  });
}

/** The warning as text. */
export function describeIssuer({ issuer, samples, browsers, tls, ttlb, certain }: OtherIssuer): string {
  const who = HOST.otherIssuer(browsers, samples, issuerName(issuer));
  if (tls === null) return `${who} ${HOST.issuerCostUnknown}`;
  const cost = HOST.issuerCost(formatDifference(tls), ttlb === null ? null : formatDifference(ttlb));
  return [who, cost, ...(certain ? [] : [HOST.notSignificant])].join(' ');
}
