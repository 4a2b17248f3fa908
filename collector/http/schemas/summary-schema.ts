import { type TSchema, Type } from 'typebox';
import { type Evidence, SUMMARY_TIMES } from '../../../shared/summary/cell-aggregate.ts';
import { type CellKey, DIMENSIONS } from '../../../shared/summary/dimensions.ts';
import {
  type Gap,
  type SummaryCell,
  type SummaryDocument,
  type SummaryMethod,
  type TimeStatistics,
  VERDICTS,
  type Verdict,
} from '../../../shared/summary/summary-document.ts';

/** Each name of T has to be here, so a new field of the document can't be forgotten. */
const shape = <T>(properties: Readonly<Record<keyof T, TSchema>>) =>
  Type.Object(properties as Record<string, TSchema>, { additionalProperties: false });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const words = (all: readonly string[]) => Type.Union(all.map((word) => Type.Literal(word)));
const each = (names: readonly string[], schema: TSchema) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, schema])), { additionalProperties: false });

const Count = Type.Integer({ minimum: 0 });
const Counts = Type.Record(Type.String(), Count);
const Milliseconds = Type.Number();

const TimeStatisticsSchema = shape<TimeStatistics>({
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
});

const GapSchema = shape<Gap>({
  n: Count,
  median: Milliseconds,
  mean: Milliseconds,
  gap: Milliseconds,
  setup: Milliseconds,
  tail: Milliseconds,
  tailSamples: Count,
  tailPhase: orNull(words(['blocked', 'wait', 'receive'])),
  spread: Milliseconds,
  setupUnknown: Count,
});

const VerdictSchema = shape<Verdict>({
  verdict: words(VERDICTS),
  reason: orNull(words(['no_samples', 'no_round_trip', 'no_leader'])),
  shares: orNull(each(['tls', 'network', 'server', 'download', 'client'], orNull(Type.Number()))),
  coverage: Type.Number({ minimum: 0, maximum: 1 }),
  n: Count,
});

const SETUP_PHASES = ['dns', 'tcp', 'tls'];
const CELL = shape<Omit<SummaryCell, keyof CellKey>>({
  samples: Count,
  browsers: orNull(Count),
  evidence: shape<Evidence>({ usable: Count, opaque: Count, cache: Count, excluded: Counts }),
  connections: Counts,
  status: Counts,
  phases: each(SUMMARY_TIMES, orNull(TimeStatisticsSchema)),
  unknown: Type.Record(Type.String(), Counts),
  setup: each(['perConnection', 'perRequest'], orNull(TimeStatisticsSchema)),
  perRequest: each(SETUP_PHASES, orNull(Milliseconds)),
  perRequestMedian: each(SETUP_PHASES, orNull(Milliseconds)),
  gap: orNull(GapSchema),
  verdict: VerdictSchema,
});
/** Only the dimensions that were asked for are there. */
const KEY = Object.fromEntries(DIMENSIONS.map((name) => [name, Type.Optional(orNull(Type.String()))]));
const CellSchema = Type.Object({ ...KEY, ...CELL.properties }, { additionalProperties: false });

const MethodSchema = shape<Omit<SummaryMethod, 'demo'>>({
  from: Type.String(),
  to: Type.String(),
  by: Type.Array(Type.String()),
  filters: Type.Record(Type.String(), Type.Array(Type.String())),
  rules: Type.Array(Type.String()),
  versions: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  exact: Type.Boolean(),
  bound: Type.Number({ minimum: 0 }),
  dataHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

/** The summary document as the interface promises it; tests check real answers against it. */
export const SummarySchema = Type.Unsafe<SummaryDocument>(
  shape<SummaryDocument>({ method: MethodSchema, cells: Type.Array(CellSchema) }),
);
