import type { SlowThreshold } from '../../../shared/statistics/slow-threshold.ts';
import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { CellKey } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryTime } from '../../../shared/vocabulary/time-names.ts';
import type { Connection } from '../../../shared/vocabulary/vocabulary.ts';
import type { Evidence } from '../../reductions/cell-aggregate.ts';
import type { SummaryExtras } from './summary-extras.ts';

/** Stands for all reasons that only one browser engine has: viewers of a folded fleet see no more detail. */
export const OF_ENGINE = '(of the browser)';

/** Shared by `GET /api/v1/summary`, the demo, the dashboard and reports. Times in milliseconds. */
export interface SummaryDocument {
  readonly method: SummaryMethod;
  readonly cells: readonly SummaryCell[];
  /** Groups beyond the requested ones, and their samples; absent if all were requested. */
  readonly leftOut?: { readonly cells: number; readonly samples: number };
}

export interface SummaryMethod {
  /** RFC 3339; `from` inclusive, `to` exclusive. */
  readonly from: string;
  readonly to: string;
  /** The requested range, present only if it exceeded five years; `from` and `to` are what it was cut to. */
  readonly asked?: { readonly from: string; readonly to: string };
  readonly by: readonly string[];
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** The exclusion rules in force, in words. */
  readonly rules: readonly string[];
  readonly versions: Readonly<Record<string, string | number>>;
  readonly exact: boolean;
  /** Largest relative error of a quantile; 0 when exact. */
  readonly bound: number;
  /** SHA-256 of the samples behind it: the same data give the same hash. */
  readonly dataHash: string;
  /** Groups that must not be shown individually because too few browsers are behind them; null if there are none. */
  readonly folded?: FoldedCells | null;
  /** Only in the demo's output. */
  readonly demo?: { readonly targets: readonly DemoTarget[] };
}

/**
 * Says that some groups have too few browsers for a viewer to see them individually. Not how many groups or samples:
 * with a filter that only one person passes, that would reveal what this person did.
 */
export interface FoldedCells {
  /** Groups of fewer browsers than this. */
  readonly below: number;
  /** Whether they are shown as one group; if even together they have too few browsers, they are not shown at all. */
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
  /** `2026-10`: the month with most browsers, of which `browsers` is the count; absent if all are of one month. */
  readonly browsersMonth?: string;
  readonly evidence: Evidence;
  readonly connections: Readonly<Partial<Record<Connection, number>>>;
  readonly status: Readonly<Record<string, number>>;
  readonly phases: Readonly<Record<SummaryTime, TimeStatistics | null>>;
  /** Time → reason (`UnknownReason`, or `OF_ENGINE`) → usable samples. */
  readonly unknown: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly setup: {
    /** Over new connections only: what a handshake costs when it happens. */
    readonly perConnection: TimeStatistics | null;
    /** Over all network requests, a reused connection counting as 0: what it costs users overall. */
    readonly perRequest: TimeStatistics | null;
  };
  /** Mean of each set-up phase over all network requests; null if there are none. */
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
  /** B: the slow group, the requests that take at least `tailFrom` without set-up. It may be empty. */
  readonly tail: number;
  readonly tailSamples: number;
  readonly tailFrom: number;
  /** Whether the slow group is a population of its own beyond a valley of the density, or only beyond the far fence. */
  readonly tailBy: SlowThreshold['by'];
  /** The phase whose own slowest requests, as many, explain most of the slow group; null if none explains half of it. */
  readonly tailPhase: 'blocked' | 'wait' | 'receive' | null;
  /** C: the spread of ordinary requests; may be negative. */
  readonly spread: number;
  readonly setupUnknown: number;
}

export const VERDICTS = ['tls', 'network', 'server', 'download', 'client', 'unknown'] as const;
export type VerdictWord = (typeof VERDICTS)[number];

/** Of the average request, as before there were two verdicts; `typical` is that of a typical one. */
export interface Verdict extends Judgement {
  /** Share of usable samples whose known phases add up to ttlb, 0…1. */
  readonly coverage: number;
  readonly n: number;
  /** From the middle half of each part instead of its sum: without the few requests that lift the average. */
  readonly typical: Judgement;
}

export interface Judgement {
  readonly verdict: VerdictWord;
  /** Why the verdict is `unknown`; null otherwise. */
  readonly reason: 'no_samples' | 'no_round_trip' | 'no_leader' | null;
  /**
   * Shares of ttlb, which add up to the share that is accounted for. `network` and `server` are null if no round
   * trip was measured that could divide the wait; `tls` and `network` if HTTP/3 handshakes, which count as network, are
   * mixed with others. The whole object is null if nothing was measurable.
   */
  readonly shares: Readonly<Record<Exclude<VerdictWord, 'unknown'>, number | null>> | null;
}

export type { TimeStatistics };
