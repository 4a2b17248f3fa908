import {
  type Static,
  type TNull,
  type TOptional,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
  Type,
} from 'typebox';
import type { Peak } from '../../shared/statistics/peaks.ts';
import type { TimeStatistics } from '../../shared/statistics/time-statistics.ts';
import { type AnyDimension, ASKED_DIMENSIONS } from '../../shared/vocabulary/dimensions.ts';
import { object, orNull, words } from '../../shared/vocabulary/json-schema.ts';
import type { Evidence } from '../reductions/cell-aggregate.ts';
import { type TableColumn, type TableDocument, VIEWS, type ViewDocument } from './tables/table-document.ts';

export { object, orNull, words };

/** The type that a schema describes, deeply read-only. */
export type AnswerOf<T extends TSchema> = T extends TUnsafe<infer D> ? D : Immutable<Static<T>>;
type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;

/** A closed object of a type that is defined elsewhere, so that no member can be forgotten. */
export const shape = <T>(properties: Readonly<Record<keyof T, TSchema>>) =>
  Type.Unsafe<T>(Type.Object(properties as Record<string, TSchema>, { additionalProperties: false }));
/** The same schema for each name. */
export const each = <const N extends string, T extends TSchema>(names: readonly N[], schema: T) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, schema])) as Record<N, T>, {
    additionalProperties: false,
  });
export const pair = Type.Unsafe<[number, number]>(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }));

export const Count = Type.Integer({ minimum: 0 });
export const Counts = Type.Record(Type.String(), Count);
export const Milliseconds = Type.Number();
/** RFC 3339. */
export const Moment = Type.String();

export const TIME_STATISTICS = {
  n: Count,
  min: Milliseconds,
  p25: Milliseconds,
  median: Milliseconds,
  medianInterval: orNull(pair),
  p75: Milliseconds,
  p90: Milliseconds,
  p95: Milliseconds,
  p99: Milliseconds,
  max: Milliseconds,
  mean: Milliseconds,
  sd: orNull(Milliseconds),
  keepMeasuring: Type.Array(words(['few_samples', 'few_browsers', 'wide_interval'])),
  variesWidely: Type.Boolean(),
  belowClockStep: Type.Boolean(),
} satisfies Record<keyof TimeStatistics, TSchema>;
export const TimeStatisticsSchema = shape<TimeStatistics>(TIME_STATISTICS);

export const EvidenceSchema = shape<Evidence>({ usable: Count, opaque: Count, cache: Count, excluded: Counts });

/** null below 200 values. */
export const PeaksSchema = orNull(
  Type.Array(shape<Peak>({ at: Milliseconds, share: Type.Number(), prominence: Type.Number() })),
);

/** The dimensions of a group; only those requested are present. */
export const KEY = Object.fromEntries(
  ASKED_DIMENSIONS.map((name) => [name, Type.Optional(orNull(Type.String()))]),
) as Record<AnyDimension, TOptional<TUnion<[TString, TNull]>>>;

export const FiltersSchema = Type.Record(Type.String(), Type.Array(Type.String()));
/** Ids of browsers change on the first: `browsers` is the count of this month, the one with most; absent for a single one. */
export const MonthOfBrowsers = Type.Optional(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$' }));
/** SHA-256 of the samples behind an answer. */
export const DataHash = Type.String({ pattern: '^[0-9a-f]{64}$' });

/**
 * Says that some groups have too few browsers for a viewer to see them individually. Not how many groups or samples:
 * with a filter that only one person passes, that would reveal what this person did.
 */
const FoldedCells = object({
  /** Groups of fewer browsers than this. */
  below: Count,
  /** Whether they are shown as one group; if even together they have too few browsers, they are not shown at all. */
  shownTogether: Type.Boolean(),
});
export type FoldedCells = AnswerOf<typeof FoldedCells>;

/** How an answer was computed; the same in all of them. */
export const MethodSchema = object({
  /** RFC 3339; `from` inclusive, `to` exclusive. */
  from: Moment,
  to: Moment,
  /** The requested range, present only if it exceeded five years; `from` and `to` are what it was cut to. */
  asked: Type.Optional(object({ from: Moment, to: Moment })),
  by: Type.Array(Type.String()),
  filters: FiltersSchema,
  /** The exclusion rules in force, in words. */
  rules: Type.Array(Type.String()),
  versions: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  exact: Type.Boolean(),
  /** Largest relative error of a quantile; 0 when exact. */
  bound: Type.Number({ minimum: 0 }),
  dataHash: DataHash,
  /** Groups that must not be shown individually because too few browsers are behind them; absent if there are none. */
  folded: Type.Optional(FoldedCells),
});

export const TableSchema = shape<TableDocument>({
  title: Type.String(),
  columns: Type.Array(shape<TableColumn>({ name: Type.String(), label: Type.String(), unit: Type.String() })),
  rows: Type.Array(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]))),
  notes: Type.Array(Type.String()),
});

export const ViewSchema = shape<ViewDocument>({
  view: words(VIEWS),
  title: Type.String(),
  tables: Type.Array(TableSchema),
  notes: Type.Array(Type.String()),
});
