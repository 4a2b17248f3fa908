import type { KeepMeasuringReason } from '../../../shared/statistics/keep-measuring.ts';
import { partsOfKey } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryCell, Verdict, VerdictWord } from './summary-document.ts';

/** A gap smaller than this share of the median isn't worth a sentence. */
const MIN_GAP = 0.05;

/** Fewer abandoned requests hardly change what the others say. */
const MIN_ABANDONED = 0.05;
/** Times of no more requests are said together with their number. */
const FEW_REQUESTS = 33;
/** From here on, times are those of one machine as much as of the users. */
const MAX_OF_ONE_BROWSER = 0.2;

/** A full TLS handshake takes two round trips, one or two more with a large certificate chain … */
const MAX_HANDSHAKE_ROUND_TRIPS = 5;
/** … and computing takes both sides less than this, ms. */
const MAX_HANDSHAKE_COMPUTING_MS = 10;

/** A cell's finding as data; `findingText` puts it into words. Times in milliseconds. */
export interface Finding {
  /** null if the summary was not grouped by it. */
  readonly host: string | null;
  readonly type: string | null;
  /** The other dimensions that the summary was grouped by, in the cell's order. */
  readonly others: ReturnType<typeof partsOfKey>;
  readonly n: number;
  readonly median: number;
  readonly mean: number;
  /** null if median and average agree. */
  readonly gap: FindingGap | null;
  /** null on plain HTTP, and if no handshake was seen. */
  readonly tls: { readonly meanPerRequest: number; readonly medianPerRequest: number } | null;
  /** HTTP/3 connections were opened: their combined handshake for transport and TLS cannot be divided. */
  readonly mergedHandshakes: boolean;
  /** Of the average request. */
  readonly verdict: VerdictWord;
  readonly typicalVerdict: VerdictWord;
  readonly verdictReason: Verdict['reason'];
  /**
   * TLS takes longer than its round trips can: TCP ends at something close to the users (a proxy, a VPN, a CDN), so a
   * TCP round trip says nothing about the path behind it.
   */
  readonly nearbyEndpoint: boolean;
  /** Where the middle half of the requests lies if times vary widely, ms; else null. */
  readonly variesWidely: readonly [number, number] | null;
  readonly keepMeasuring: readonly KeepMeasuringReason[];
  /** Of the requests that users waited for, those that the page gave up, 0 … 1; null if they are few. */
  readonly abandoned: number | null;
  /** What pages had waited for those at least, the median, ms; null if the summary was not asked for it. */
  readonly abandonedAfter: number | null;
  /** The number of requests, if that is all there is; else null. */
  readonly few: number | null;
  /** The share of one browser, if that is much; else null, as if the summary was not asked for `httpsCost`. */
  readonly busiest: number | null;
}

interface FindingGap {
  readonly ratio: number | null;
  readonly total: number;
  /** What causes the gap, largest part first; parts too small to print are left out. */
  readonly parts: readonly FindingPart[];
}

export type FindingPart =
  | {
      readonly part: 'tail';
      readonly ms: number;
      /** Share of the requests that are slow, 0 … 1, and from which time on they are, ms. */
      readonly share: number;
      readonly from: number;
      readonly phase: 'blocked' | 'wait' | 'receive' | null;
    }
  | {
      readonly part: 'setup';
      readonly ms: number;
      /** Share of network requests that paid for a connection, 0 … 1, and the cost of one. */
      readonly share: number;
      readonly median: number;
      readonly tls: number | null;
    }
  | { readonly part: 'spread'; readonly ms: number };

/** null if nothing was usable. */
export function toFinding(cell: SummaryCell): Finding | null {
  const { ttlb, tls } = cell.phases;
  if (!ttlb) return null;
  const meanPerRequest = cell.perRequest.tls;
  const medianPerRequest = cell.perRequestMedian.tls;
  return {
    host: cell.host ?? null,
    type: cell.type ?? null,
    others: partsOfKey(cell).filter(({ dimension }) => dimension !== 'host' && dimension !== 'type'),
    n: ttlb.n,
    median: ttlb.median,
    mean: ttlb.mean,
    gap: gapOf(cell),
    tls:
      meanPerRequest === null || medianPerRequest === null || tls === null
        ? null
        : { meanPerRequest, medianPerRequest },
    mergedHandshakes: hasMergedHandshakes(cell),
    verdict: cell.verdict.verdict,
    typicalVerdict: cell.verdict.typical.verdict,
    verdictReason: cell.verdict.reason,
    nearbyEndpoint: hasNearbyEndpoint(cell),
    variesWidely: ttlb.variesWidely ? [ttlb.p25, ttlb.p75] : null,
    keepMeasuring: ttlb.keepMeasuring,
    abandoned: abandonedOf(cell),
    abandonedAfter: cell.abandoned?.median ?? null,
    few: ttlb.n > FEW_REQUESTS ? null : ttlb.n,
    busiest: muchOfOne(cell.httpsCost?.busiest),
  };
}

/** null unless one browser makes much of the requests. */
export function muchOfOne(busiest: number | null | undefined): number | null {
  return busiest == null || busiest <= MAX_OF_ONE_BROWSER ? null : busiest;
}

function abandonedOf({ evidence: { usable, excluded } }: SummaryCell): number | null {
  const abandoned = excluded.abandoned ?? 0;
  const share = abandoned / (usable + abandoned);
  return share > MIN_ABANDONED ? share : null;
}

function hasMergedHandshakes({ unknown }: SummaryCell): boolean {
  return (unknown.tcp?.merged_h3 ?? 0) > 0;
}

function hasNearbyEndpoint({ phases: { tcp, tls } }: SummaryCell): boolean {
  if (!tcp || !tls) return false;
  return tls.median > MAX_HANDSHAKE_ROUND_TRIPS * tcp.median + MAX_HANDSHAKE_COMPUTING_MS;
}

function gapOf(cell: SummaryCell): FindingGap | null {
  const { gap, phases, setup } = cell;
  if (!gap || Math.abs(gap.gap) < MIN_GAP * gap.median || gap.gap === 0) return null;
  const { perConnection, perRequest } = setup;
  const parts: FindingPart[] = [
    { part: 'tail', ms: gap.tail, share: gap.tailSamples / gap.n, from: gap.tailFrom, phase: gap.tailPhase },
    { part: 'spread', ms: gap.spread },
  ];
  if (perConnection && perRequest) {
    parts.push({
      part: 'setup',
      ms: gap.setup,
      share: perConnection.n / perRequest.n,
      median: perConnection.median,
      tls: hasMergedHandshakes(cell) ? null : (phases.tls?.median ?? null),
    });
  }
  return {
    ratio: gap.median === 0 ? null : gap.mean / gap.median,
    total: gap.gap,
    parts: parts
      .filter(({ ms }) => Math.abs(ms) >= MIN_GAP * Math.abs(gap.gap))
      .sort((a, b) => Math.abs(b.ms) - Math.abs(a.ms)),
  };
}
