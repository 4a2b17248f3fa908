import type { Connection } from '../sample/vocabulary.ts';
import type { Phase } from '../timing/time-names.ts';
import type { Evidence, SummaryTime } from './cell-aggregate.ts';
import type { CellKey } from './dimensions.ts';

/** `GET /api/v1/summary`, the demo, the dashboard and reports speak this one document. Times in milliseconds. */
export interface SummaryDocument {
  readonly method: SummaryMethod;
  readonly cells: readonly SummaryCell[];
}

export interface SummaryMethod {
  /** RFC 3339; `from` inclusive, `to` exclusive. */
  readonly from: string;
  readonly to: string;
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
  /** Only in the demo's output. */
  readonly demo?: { readonly targets: readonly DemoTarget[] };
}

export interface DemoTarget {
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly protocol: string;
  readonly connection: 'keep-alive' | 'close';
  readonly serverDelayMs: number;
  readonly roundTripMs: number;
}

export interface TimeStatistics {
  readonly n: number;
  readonly min: number;
  readonly p25: number;
  readonly median: number;
  /** 95 %, exact binomial ranks; null below n = 6. */
  readonly medianInterval: readonly [number, number] | null;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
  /** Sample standard deviation; null below n = 2. */
  readonly sd: number | null;
  /** Reasons to keep measuring before this is taken for a fact; empty when it can stand. */
  readonly keepMeasuring: readonly ('few_samples' | 'wide_quartiles' | 'wide_interval')[];
  /** The median is below what this browser's timer can tell. */
  readonly belowClockStep: boolean;
}

export interface SummaryCell extends CellKey {
  readonly samples: number;
  readonly browsers: number | null;
  readonly evidence: Evidence;
  readonly connections: Readonly<Partial<Record<Connection, number>>>;
  readonly status: Readonly<Record<string, number>>;
  readonly phases: Readonly<Record<SummaryTime, TimeStatistics | null>>;
  readonly unknown: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly setup: {
    /** Over new connections only: what a handshake costs when it happens. */
    readonly perConnection: TimeStatistics | null;
    /** Over all network requests, a reused one counting 0: what it costs users on the whole. */
    readonly perRequest: TimeStatistics | null;
  };
  /** Mean of each set-up phase over all network requests; null where there are none. */
  readonly perRequest: Readonly<Record<'dns' | 'tcp' | 'tls', number | null>>;
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
  /** C: the spread of ordinary requests; may be negative. */
  readonly spread: number;
  readonly setupUnknown: number;
}

export const VERDICTS = ['tls', 'network', 'server', 'download', 'client', 'unknown'] as const;
export type VerdictWord = (typeof VERDICTS)[number];

export interface Verdict {
  readonly verdict: VerdictWord;
  /** Each part of mean ttlb, 0…1; null where nothing was measurable. */
  readonly shares: Readonly<Record<Exclude<VerdictWord, 'unknown'>, number>> | null;
  /** Part of usable samples whose phases were all known, 0…1. */
  readonly coverage: number;
  readonly n: number;
}

export type { Phase };
