import { type TSchema, Type } from 'typebox';
import { DIMENSIONS, SAMPLE_DIMENSIONS } from '../../../shared/vocabulary/dimensions.ts';
import type { FoldedCells, SummaryMethod, TimeStatistics } from '../../analysis/summary/summary-document.ts';
import type { Evidence } from '../../reductions/cell-aggregate.ts';

/** Each name of T has to be here, so a new field of the document can't be forgotten. */
export const shape = <T>(properties: Readonly<Record<keyof T, TSchema>>) =>
  Type.Object(properties as Record<string, TSchema>, { additionalProperties: false });
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const words = (all: readonly string[]) => Type.Union(all.map((word) => Type.Literal(word)));
export const each = (names: readonly string[], schema: TSchema) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, schema])), { additionalProperties: false });

export const Count = Type.Integer({ minimum: 0 });
export const Counts = Type.Record(Type.String(), Count);
export const Milliseconds = Type.Number();

export const TimeStatisticsSchema = shape<TimeStatistics>({
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

export const EvidenceSchema = shape<Evidence>({ usable: Count, opaque: Count, cache: Count, excluded: Counts });

/** Only the dimensions that were asked for are there. */
export const KEY = Object.fromEntries(
  [...DIMENSIONS, ...SAMPLE_DIMENSIONS].map((name) => [name, Type.Optional(orNull(Type.String()))]),
);

/** A shape that may also carry the dimensions of its group. */
export const keyed = (schema: { readonly properties: Record<string, TSchema> }) =>
  Type.Object({ ...KEY, ...schema.properties }, { additionalProperties: false });

/** How an answer came about; the same in all of them. */
export const MethodSchema = Type.Object(
  {
    from: Type.String(),
    to: Type.String(),
    asked: Type.Optional(shape<{ from: string; to: string }>({ from: Type.String(), to: Type.String() })),
    by: Type.Array(Type.String()),
    filters: Type.Record(Type.String(), Type.Array(Type.String())),
    rules: Type.Array(Type.String()),
    versions: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    exact: Type.Boolean(),
    bound: Type.Number({ minimum: 0 }),
    dataHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    folded: Type.Optional(shape<FoldedCells>({ below: Count, shownTogether: Type.Boolean() })),
  } satisfies Record<keyof Omit<SummaryMethod, 'demo'>, TSchema>,
  { additionalProperties: false },
);
