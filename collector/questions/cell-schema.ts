import { type TSchema, Type } from 'typebox';
import type { ShareAbove } from '../../shared/statistics/shares-above.ts';
import type { CellKey } from '../../shared/vocabulary/dimensions.ts';
import { PHASES, SUMMARY_TIMES } from '../../shared/vocabulary/time-names.ts';
import type { HandshakeRoundTrips } from '../analysis/summary/handshake-round-trips.ts';
import { OVERHEAD_REASONS, type Overhead } from '../analysis/summary/overhead.ts';
import type { ServerShare } from '../analysis/summary/server-share.ts';
import {
  type Gap,
  type Judgement,
  type SummaryCell,
  VERDICTS,
  type Verdict,
} from '../analysis/summary/summary-document.ts';
import type { AbandonedAfter, Extra } from '../analysis/summary/summary-extras.ts';
import {
  type ReadSlowGroup,
  SLOW_GROUP_REASONS,
  type SlowPhase,
  type SlowValue,
} from '../analysis/summary/sweep-slow-group.ts';
import { SLOW_DIMENSIONS } from '../reductions/slow-group-rows.ts';
import {
  Count,
  Counts,
  EvidenceSchema,
  each,
  KEY,
  Milliseconds,
  MonthOfBrowsers,
  object,
  orNull,
  PeaksSchema,
  pair,
  shape,
  TimeStatisticsSchema,
  words,
} from './answer-schema.ts';

const SERVER_SHARE = {
  n: Count,
  median: orNull(Milliseconds),
  interval: orNull(pair),
  notMeasurable: orNull(words(['no_samples', 'few_samples', 'interval_contains_zero'])),
} satisfies Record<keyof ServerShare, TSchema>;

const Added = orNull(object({ ms: Milliseconds, ratio: orNull(Type.Number()) }));
const Cut = Type.Array(object({ name: Type.String(), n: Count, part: Milliseconds }));

const Share = Type.Number({ minimum: 0, maximum: 1 });
/** Shares of the slow group and of the others, and the 95 % interval of their difference. */
const COMPARED = { inside: Type.Number(), outside: Type.Number(), interval: pair };

/** What `include=` adds to a cell; each only if requested. */
const EXTRAS: Readonly<Record<Extra, TSchema>> = {
  serverShares: object({
    meaning: Type.String(),
    onNewConnections: object(SERVER_SHARE),
    onReusedConnections: object({ ...SERVER_SHARE, basis: each(['browser', 'site', 'none'], Count) }),
  }),
  handshakeRoundTrips: shape<HandshakeRoundTrips>({
    roundTrips: orNull(Type.Number()),
    n: Count,
    reason: orNull(words(['no_tls', 'mixed', 'below_clock_step', 'round_trip_too_short'])),
    meaning: orNull(Type.String()),
  }),
  requestsPerConnection: orNull(Type.Number()),
  sharesAbove: orNull(
    Type.Array(shape<ShareAbove>({ threshold: Milliseconds, count: Count, range: countPair(), share: Type.Number() })),
  ),
  peaks: PeaksSchema,
  overheads: Type.Array(
    shape<Overhead>({
      scenario: Type.String(),
      baseline: orNull(Type.String()),
      median: Added,
      mean: Added,
      reason: orNull(words(OVERHEAD_REASONS)),
    }),
  ),
  gapCuts: object({ hosts: Cut, browsers: orNull(Cut), hours: Cut }),
  slowGroup: orNull(
    shape<ReadSlowGroup>({
      slow: Count,
      others: Count,
      phase: orNull(shape<SlowPhase>({ phase: words(PHASES), ...COMPARED })),
      values: Type.Array(
        shape<SlowValue>({ dimension: words(SLOW_DIMENSIONS), value: orNull(Type.String()), ...COMPARED }),
      ),
      reason: orNull(words(SLOW_GROUP_REASONS)),
      notReported: orNull(Type.Record(Type.String(), object({ inside: Type.Number(), outside: Type.Number() }))),
      readShare: Share,
    }),
  ),
  abandoned: orNull(shape<AbandonedAfter>({ n: Count, median: Milliseconds, readShare: Share })),
};

function countPair(): TSchema {
  return Type.Array(Count, { minItems: 2, maxItems: 2 });
}

const GapSchema = shape<Gap>({
  n: Count,
  median: Milliseconds,
  mean: Milliseconds,
  gap: Milliseconds,
  setup: Milliseconds,
  tail: Milliseconds,
  tailSamples: Count,
  tailFrom: Milliseconds,
  tailBy: words(['valley', 'far_fence']),
  tailPhase: orNull(words(['blocked', 'wait', 'receive'])),
  spread: Milliseconds,
  setupUnknown: Count,
});

const JUDGEMENT = {
  verdict: words(VERDICTS),
  reason: orNull(words(['no_samples', 'no_round_trip', 'no_leader'])),
  shares: orNull(each(['tls', 'network', 'server', 'download', 'client'], orNull(Type.Number()))),
} satisfies Record<keyof Judgement, TSchema>;

const VerdictSchema = shape<Verdict>({
  ...JUDGEMENT,
  coverage: Type.Number({ minimum: 0, maximum: 1 }),
  n: Count,
  typical: shape<Judgement>(JUDGEMENT),
});

const SETUP_PHASES = ['dns', 'tcp', 'tls'] as const;

/** Members of a cell of the summary, and of pages. */
export const CELL = {
  ...KEY,
  ...({
    samples: Count,
    browsers: orNull(Count),
    browsersMonth: MonthOfBrowsers,
    evidence: EvidenceSchema,
    connections: Counts,
    status: Counts,
    phases: each(SUMMARY_TIMES, orNull(TimeStatisticsSchema)),
    unknown: Type.Record(Type.String(), Counts),
    setup: each(['perConnection', 'perRequest'], orNull(TimeStatisticsSchema)),
    perRequest: each(SETUP_PHASES, orNull(Milliseconds)),
    perRequestMedian: each(SETUP_PHASES, orNull(Milliseconds)),
    gap: orNull(GapSchema),
    verdict: VerdictSchema,
  } satisfies Record<keyof Omit<SummaryCell, keyof CellKey | Extra>, TSchema>),
  ...Object.fromEntries(Object.entries(EXTRAS).map(([name, schema]) => [name, Type.Optional(schema)])),
};
