import { Type } from 'typebox';
import type { ShareAbove } from '../../../shared/statistics/shares-above.ts';
import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { CellKey } from '../../../shared/vocabulary/dimensions.ts';
import { PHASES, SUMMARY_TIMES } from '../../../shared/vocabulary/time-names.ts';
import type { Connection } from '../../../shared/vocabulary/vocabulary.ts';
import { SLOW_DIMENSIONS } from '../../reductions/slow-group-rows.ts';
import {
  type AnswerOf,
  Count,
  Counts,
  EvidenceSchema,
  each,
  type FoldedCells,
  KEY,
  type MethodSchema,
  Milliseconds,
  MonthOfBrowsers,
  object,
  orNull,
  PeaksSchema,
  pair,
  shape,
  TimeStatisticsSchema,
  words,
} from '../answer-schema.ts';

// Pages import the types alone: TypeBox is not for browsers.

const Share = Type.Number({ minimum: 0, maximum: 1 });

const SERVER_SHARE = {
  n: Count,
  /** Median of wait − round trip, ms; null if it cannot be measured. */
  median: orNull(Milliseconds),
  /** 95 %, ms; null below n = 6. */
  interval: orNull(pair),
  /** Why there is no median: no wait, no round trip to subtract, or an interval that contains 0. */
  notMeasurable: orNull(words(['no_samples', 'few_samples', 'interval_contains_zero'])),
};
const ServerShare = object(SERVER_SHARE);
export type ServerShare = AnswerOf<typeof ServerShare>;

const ServerShares = object({
  /** What the number includes. */
  meaning: Type.String(),
  /** `wait` − `tcp` within each sample. */
  onNewConnections: ServerShare,
  /** `wait` − the round trip of the same site to the same host; `basis` says how many have one. */
  onReusedConnections: object({ ...SERVER_SHARE, basis: each(['site', 'none'], Count) }),
});
export type ServerShares = AnswerOf<typeof ServerShares>;

const HandshakeRoundTrips = object({
  /** Median tls ÷ median tcp; null if unknown. */
  roundTrips: orNull(Type.Number()),
  /** Connections with a known `tcp`, or with a known `tls` if `roundTrips` is null. */
  n: Count,
  /**
   * `mixed`: plain HTTP or HTTP/3 is among them, and which `tcp` belongs to which `tls` is not stored.
   * `round_trip_too_short`: not measurable on this path, see `canDivideBy`.
   */
  reason: orNull(words(['no_tls', 'mixed', 'below_clock_step', 'round_trip_too_short'])),
  /** What `roundTrips` usually means; null if it is. */
  meaning: orNull(Type.String()),
});
export type HandshakeRoundTrips = AnswerOf<typeof HandshakeRoundTrips>;

export const OVERHEAD_REASONS = [
  'no_baseline',
  'not_measured',
  'baseline_not_measured',
  'few_samples',
  /** Less than half of the requests went to the same hosts, so the difference would be between hosts; likewise: */
  'different_hosts',
  'different_types',
  'different_sites',
  'different_templates',
] as const;

const Added = orNull(
  object({
    ms: Milliseconds,
    /** Scenario ÷ baseline; null if the baseline is 0. */
    ratio: orNull(Type.Number()),
  }),
);
const Overhead = object({
  scenario: Type.String(),
  baseline: orNull(Type.String()),
  /** What the scenario adds at the median and on average, ms; null if there is a `reason`. */
  median: Added,
  mean: Added,
  reason: orNull(words(OVERHEAD_REASONS)),
});
export type Overhead = AnswerOf<typeof Overhead>;

/** Shares 0 … 1 of the slow group and of the other requests. */
const SHARES = { inside: Type.Number(), outside: Type.Number() };
const COMPARED = {
  ...SHARES,
  /** 95 % interval of the difference. */
  interval: pair,
};
const SlowPhase = object({ phase: words(PHASES), ...COMPARED });
export type SlowPhase = AnswerOf<typeof SlowPhase>;
const SlowValue = object({
  dimension: words(SLOW_DIMENSIONS),
  /** null for requests that do not report it. */
  value: orNull(Type.String()),
  ...COMPARED,
});
export type SlowValue = AnswerOf<typeof SlowValue>;

/** What the slow group is, from samples of a range. */
const ReadSlowGroup = object({
  /** Requests in it, and all others. */
  slow: Count,
  others: Count,
  /** The phase that most of its time is spent in, compared by time; null if none stands out. */
  phase: orNull(SlowPhase),
  /** What its requests have in common, the strongest first; at most two, neither of which explains the other. */
  values: Type.Array(SlowValue),
  /** Why neither is known. */
  reason: orNull(words(['none', 'few_slow', 'few_browsers', 'nothing_stands_out'])),
  /**
   * Per dimension, shares whose value is not reported; null for those who may not see few browsers. They are compared like any
   * other value.
   */
  notReported: orNull(Type.Record(Type.String(), object(SHARES))),
  /** Share of the range's samples that were read. */
  readShare: Share,
});
export type ReadSlowGroup = AnswerOf<typeof ReadSlowGroup>;
export type SlowGroup = Omit<ReadSlowGroup, 'readShare'>;

/** Requests that their page gave up: each would have taken at least as long as the page waited. */
const AbandonedAfter = object({
  n: Count,
  median: Milliseconds,
  /** Share of the range's samples that were read. */
  readShare: Share,
});
export type AbandonedAfter = AnswerOf<typeof AbandonedAfter>;

const HttpsCost = object({
  /** Whose cost is known: reused connections, which cost nothing, and new ones. */
  requests: Count,
  /** Of these, those that opened a connection and shook hands. */
  opened: Count,
  /** Per request, and its 95 % interval over browsers. */
  mean: orNull(Milliseconds),
  interval: orNull(pair),
  /** Mean ÷ mean `ttlb`. */
  share: orNull(Type.Number()),
  median: orNull(Milliseconds),
  /** Mean of those who opened one; null if none did. */
  perConnection: orNull(Milliseconds),
  /** Share of the requests that one browser made, the busiest; null for those who may not see single browsers, and without samples. */
  busiest: orNull(Share),
  /**
   * Why there is no cost; from `few_browsers` on, why there is no interval. `merged_h3`: the handshake of HTTP/3 cannot be
   * divided into transport and TLS. `samples_expired`: browsers are known from samples only.
   */
  reason: orNull(
    words([
      'no_samples',
      'plain_http',
      'merged_h3',
      'not_measured',
      'few_browsers',
      'few_connections',
      'samples_expired',
    ]),
  ),
});
export type HttpsCost = AnswerOf<typeof HttpsCost>;

const Cut = Type.Array(object({ name: Type.String(), n: Count, part: Milliseconds }));

/** Optional members of a summary's cell: `include=`. */
const EXTRA_MEMBERS = {
  serverShares: ServerShares,
  /** Only meaningful for a cell of one host. */
  handshakeRoundTrips: HandshakeRoundTrips,
  /** null without a new connection. */
  requestsPerConnection: orNull(Type.Number()),
  /** Share of requests whose `ttlb` is above each threshold; null without values. */
  sharesAbove: orNull(
    Type.Array(
      shape<ShareAbove>({
        threshold: Milliseconds,
        count: Count,
        range: Type.Array(Count, { minItems: 2, maxItems: 2 }),
        share: Type.Number(),
      }),
    ),
  ),
  /** Modes of `ttlb`; null below 200 values. */
  peaks: PeaksSchema,
  /** What each scenario adds to its baseline, in `ttlb`, regardless of filters by connection. */
  overheads: Type.Array(Overhead),
  /** The gap by host, browser and hour; `browsers` is null for viewers who may not see individual browsers. */
  gapCuts: object({ hosts: Cut, browsers: orNull(Cut), hours: Cut }),
  /** What the requests beyond the gap's `tailFrom` have in common, set-up included; null without a gap. */
  slowGroup: orNull(ReadSlowGroup),
  /** What TLS costs the requests of the cell. */
  httpsCost: HttpsCost,
  /** How long pages waited for the requests that they gave up; null if there are none, or of too few browsers to be shown. */
  abandoned: orNull(AbandonedAfter),
};
const Extras = object(EXTRA_MEMBERS);
export type Extra = keyof typeof EXTRA_MEMBERS;
export const EXTRAS = Object.keys(EXTRA_MEMBERS) as readonly Extra[];
/** Only requested members are present. Times in milliseconds. */
export type SummaryExtras = Partial<AnswerOf<typeof Extras>>;

/** mean − median of ttlb = setup + tail + spread. Milliseconds. */
const Gap = object({
  n: Count,
  median: Milliseconds,
  mean: Milliseconds,
  gap: Milliseconds,
  /** A: connection set-up. */
  setup: Milliseconds,
  /** B: the slow group, the requests that take at least `tailFrom` without set-up. It may be empty. */
  tail: Milliseconds,
  tailSamples: Count,
  tailFrom: Milliseconds,
  /** Whether the slow group is a population of its own beyond a valley of the density, or only beyond the far fence. */
  tailBy: words(['valley', 'far_fence']),
  /** The phase whose own slowest requests, as many, explain most of the slow group; null if none explains half of it. */
  tailPhase: orNull(words(['blocked', 'wait', 'receive'])),
  /** C: the spread of ordinary requests; may be negative. */
  spread: Milliseconds,
  setupUnknown: Count,
});
export type Gap = AnswerOf<typeof Gap>;

const JUDGEMENT = {
  verdict: words(['tls', 'network', 'server', 'download', 'client', 'unknown']),
  /** Why the verdict is `unknown`; null otherwise. */
  reason: orNull(words(['no_samples', 'no_round_trip', 'no_leader'])),
  /**
   * Shares of ttlb, which add up to the share that is accounted for. `network` and `server` are null if no round
   * trip was measured that could divide the wait; `tls` and `network` if HTTP/3 handshakes, which count as network, are
   * mixed with others. The whole object is null if nothing was measurable.
   */
  shares: orNull(each(['tls', 'network', 'server', 'download', 'client'], orNull(Type.Number()))),
};
const Judgement = object(JUDGEMENT);
export type Judgement = AnswerOf<typeof Judgement>;
export type VerdictWord = Judgement['verdict'];

/** Of the average request, as before there were two verdicts; `typical` is that of a typical one. */
const Verdict = object({
  ...JUDGEMENT,
  /** Share of usable samples whose known phases add up to ttlb, 0…1. */
  coverage: Share,
  n: Count,
  /** From the middle half of each part instead of its sum: without the few requests that lift the average. */
  typical: Judgement,
});
export type Verdict = AnswerOf<typeof Verdict>;

const SETUP_PHASES = ['dns', 'tcp', 'tls'] as const;

const MEASURED = {
  /** Of the group of few browsers: the value in it that has enough, and is folded so that the others can't be found by subtraction. */
  foldedWith: Type.Optional(Type.String()),
  samples: Count,
  browsers: orNull(Count),
  browsersMonth: MonthOfBrowsers,
  evidence: EvidenceSchema,
  connections: Type.Unsafe<Partial<Record<Connection, number>>>(Counts),
  status: Counts,
  phases: each(SUMMARY_TIMES, orNull(TimeStatisticsSchema)),
  /** Time → reason (`UnknownReason`, or `OF_ENGINE`) → usable samples. */
  unknown: Type.Record(Type.String(), Counts),
  /**
   * `perConnection` over new connections only: what a handshake costs when it happens. `perRequest` over all network requests, a
   * reused connection counting as 0: what it costs users overall.
   */
  setup: each(['perConnection', 'perRequest'], orNull(TimeStatisticsSchema)),
  /** Mean of each set-up phase over all network requests; null if there are none. */
  perRequest: each(SETUP_PHASES, orNull(Milliseconds)),
  /** Median of the same; 0 wherever most requests reuse a connection. */
  perRequestMedian: each(SETUP_PHASES, orNull(Milliseconds)),
  gap: orNull(Gap),
  verdict: Verdict,
};
const Measured = object(MEASURED);
export interface SummaryCell extends CellKey, SummaryExtras, AnswerOf<typeof Measured> {}

/** Members of a cell of the summary, and of pages. */
export const CELL = {
  ...KEY,
  ...MEASURED,
  ...Object.fromEntries(Object.entries(EXTRA_MEMBERS).map(([name, schema]) => [name, Type.Optional(schema)])),
};

export interface SummaryMethod extends AnswerOf<typeof MethodSchema> {
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

/** Shared by `GET /api/v1/summary`, the demo, the dashboard and reports. Times in milliseconds. */
export interface SummaryDocument {
  readonly method: SummaryMethod;
  readonly cells: readonly SummaryCell[];
  /** Groups beyond the requested ones, and their samples; absent if all were requested. */
  readonly leftOut?: { readonly cells: number; readonly samples: number };
}

export type { FoldedCells, TimeStatistics };
