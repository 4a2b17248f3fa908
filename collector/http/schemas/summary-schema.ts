import { type TSchema, Type } from 'typebox';
import { SUMMARY_TIMES } from '../../../shared/summary/cell-aggregate.ts';
import { DIMENSIONS } from '../../../shared/summary/dimensions.ts';
import { type SummaryDocument, VERDICTS } from '../../../shared/summary/summary-document.ts';

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });
const Counts = Type.Record(Type.String(), Count);
const Milliseconds = Type.Number();
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const words = (all: readonly string[]) => Type.Union(all.map((word) => Type.Literal(word)));

const TimeStatisticsSchema = Type.Object(
  {
    n: Count,
    min: Milliseconds,
    p25: Milliseconds,
    median: Milliseconds,
    medianInterval: orNull(Type.Array(Milliseconds, { minItems: 2, maxItems: 2 })),
    p75: Milliseconds,
    p90: Milliseconds,
    p95: Milliseconds,
    p99: Milliseconds,
    max: Milliseconds,
    mean: Milliseconds,
    sd: orNull(Milliseconds),
    keepMeasuring: Type.Array(words(['few_samples', 'wide_quartiles', 'wide_interval'])),
    belowClockStep: Type.Boolean(),
  },
  closed,
);

const GapSchema = Type.Object(
  {
    n: Count,
    median: Milliseconds,
    mean: Milliseconds,
    gap: Milliseconds,
    setup: Milliseconds,
    tail: Milliseconds,
    tailSamples: Count,
    spread: Milliseconds,
    setupUnknown: Count,
  },
  closed,
);

const Share = orNull(Type.Number());
const VerdictSchema = Type.Object(
  {
    verdict: words(VERDICTS),
    reason: orNull(words(['no_samples', 'no_round_trip', 'no_leader'])),
    shares: orNull(Type.Object({ tls: Share, network: Share, server: Share, download: Share, client: Share }, closed)),
    coverage: Type.Number({ minimum: 0, maximum: 1 }),
    n: Count,
  },
  closed,
);

const CellSchema = Type.Object(
  {
    ...Object.fromEntries(DIMENSIONS.map((name) => [name, Type.Optional(orNull(Type.String()))])),
    samples: Count,
    browsers: orNull(Count),
    evidence: Type.Object({ usable: Count, opaque: Count, cache: Count, excluded: Counts }, closed),
    connections: Counts,
    status: Counts,
    phases: Type.Object(Object.fromEntries(SUMMARY_TIMES.map((name) => [name, orNull(TimeStatisticsSchema)])), closed),
    unknown: Type.Record(Type.String(), Counts),
    setup: Type.Object(
      { perConnection: orNull(TimeStatisticsSchema), perRequest: orNull(TimeStatisticsSchema) },
      closed,
    ),
    perRequest: Type.Object(
      { dns: orNull(Milliseconds), tcp: orNull(Milliseconds), tls: orNull(Milliseconds) },
      closed,
    ),
    gap: orNull(GapSchema),
    verdict: VerdictSchema,
  },
  closed,
);

/** The summary document as the interface promises it; tests check real answers against it. */
export const SummarySchema = Type.Unsafe<SummaryDocument>(
  Type.Object(
    {
      method: Type.Object(
        {
          from: Type.String(),
          to: Type.String(),
          by: Type.Array(Type.String()),
          filters: Type.Record(Type.String(), Type.Array(Type.String())),
          rules: Type.Array(Type.String()),
          versions: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
          exact: Type.Boolean(),
          bound: Type.Number({ minimum: 0 }),
          dataHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
        },
        closed,
      ),
      cells: Type.Array(CellSchema),
    },
    closed,
  ),
);
