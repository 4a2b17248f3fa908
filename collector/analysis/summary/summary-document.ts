import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { CellKey } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryTime } from '../../../shared/vocabulary/time-names.ts';
import type { Connection } from '../../../shared/vocabulary/vocabulary.ts';
import type { Evidence } from '../../reductions/cell-aggregate.ts';
import type { SummaryExtras } from './summary-extras.ts';

/** All reasons that only one engine has: viewers of a folded fleet see no more detail. */
export const OF_ENGINE = '(of the browser)';

/** `GET /api/v1/summary`, the demo, the dashboard and reports speak this one document. Times in milliseconds. */
export interface SummaryDocument {
  readonly method: SummaryMethod;
  readonly cells: readonly SummaryCell[];
}

export interface SummaryMethod {
  /** RFC 3339; `from` inclusive, `to` exclusive. */
  readonly from: string;
  readonly to: string;
  /** Only where more than five years were asked for: they were cut to what is kept, which `from` and `to` tell. */
  readonly asked?: { readonly from: string; readonly to: string };
  readonly by: readonly string[];
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** The rules of exclusion in force, in words. */
  readonly rules: readonly string[];
  readonly versions: Readonly<Record<string, string | number>>;
  readonly exact: boolean;
  /** Largest relative error of a quantile; 0 when exact. */
  readonly bound: number;
  /** SHA-256 of the samples behind it: the same data give the same hash. */
  readonly dataHash: string;
  /** What must not be shown by itself, since too few browsers are behind it; null where that is nothing. */
  readonly folded?: FoldedCells | null;
  /** Only in the demo's output. */
  readonly demo?: { readonly targets: readonly DemoTarget[] };
}

/**
 * That there are groups of too few browsers, which a viewer may not see one by one. Not how many groups or samples: of a
 * filter that only one person passes that would be what this person did.
 */
export interface FoldedCells {
  /** Fewer browsers than this. */
  readonly below: number;
  /** Whether they are shown as one group; too few browsers together are not shown at all. */
  readonly shownTogether: boolean;
}

export interface DemoTarget {
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly protocol: string;
  readonly connection: 'keep-alive' | 'close';
  readonly serverDelayMs: number;
  readonly roundTripMs: number;
}

export interface SummaryCell extends CellKey, SummaryExtras {
  readonly samples: number;
  readonly browsers: number | null;
  readonly evidence: Evidence;
  readonly connections: Readonly<Partial<Record<Connection, number>>>;
  readonly status: Readonly<Record<string, number>>;
  readonly phases: Readonly<Record<SummaryTime, TimeStatistics | null>>;
  /** Time → reason (`UnknownReason`, or `OF_ENGINE`) → usable samples. */
  readonly unknown: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly setup: {
    /** Over new connections only: what a handshake costs when it happens. */
    readonly perConnection: TimeStatistics | null;
    /** Over all network requests, a reused one counting 0: what it costs users on the whole. */
    readonly perRequest: TimeStatistics | null;
  };
  /** Mean of each set-up phase over all network requests; null where there are none. */
  readonly perRequest: Readonly<Record<'dns' | 'tcp' | 'tls', number | null>>;
  /** Median of the same; 0 wherever most requests reuse a connection. */
  readonly perRequestMedian: Readonly<Record<'dns' | 'tcp' | 'tls', number | null>>;
  readonly gap: Gap | null;
  readonly verdict: Verdict;
}

/** mean − median of ttlb = setup + tail + spread. Milliseconds. */
export interface Gap {
  readonly n: number;
  readonly median: number;
  readonly mean: number;
  readonly gap: number;
  /** A: connection set-up. */
  readonly setup: number;
  /** B: the slowest 1 %, set-up aside. */
  readonly tail: number;
  readonly tailSamples: number;
  /** The phase whose own slowest 1 % explains most of the tail; null where none explains half of it. */
  readonly tailPhase: 'blocked' | 'wait' | 'receive' | null;
  /** C: the spread of ordinary requests; may be negative. */
  readonly spread: number;
  readonly setupUnknown: number;
}

export const VERDICTS = ['tls', 'network', 'server', 'download', 'client', 'unknown'] as const;
export type VerdictWord = (typeof VERDICTS)[number];

export interface Verdict {
  readonly verdict: VerdictWord;
  /** Why the word is `unknown`; null where it is not. */
  readonly reason: 'no_samples' | 'no_round_trip' | 'no_leader' | null;
  /**
   * Each part of mean ttlb; they add up to the part of it that is accounted for. `network` and `server` are null where
   * no round trip was measured that could divide the wait, `tls` and `network` where handshakes of HTTP/3, which are
   * network, stand beside others. The whole is null where nothing was measurable.
   */
  readonly shares: Readonly<Record<Exclude<VerdictWord, 'unknown'>, number | null>> | null;
  /** Part of usable samples whose known phases add up to ttlb, 0…1. */
  readonly coverage: number;
  readonly n: number;
}

export type { TimeStatistics };
