/** The dimensions a summary can be grouped and filtered by, and their order in keys. */
export const DIMENSIONS = [
  'host',
  'type',
  'connection',
  'protocol',
  'scheme',
  'scenario',
  'handshake',
  'source',
  'site',
  'target',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** One group's place; null where that sample has no such value (no scenario, hidden protocol). */
export type CellKey = Readonly<Partial<Record<Dimension, string | null>>>;

/** Several values of one dimension mean "any of these"; several dimensions mean "all of these". */
export type Filters = Readonly<Partial<Record<Dimension, readonly string[]>>>;

/** `from` inclusive, `to` exclusive, epoch milliseconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export interface SampleQuery {
  readonly range: TimeRange;
  readonly filters: Filters;
}

export interface AggregateQuery extends SampleQuery {
  readonly by: readonly Dimension[];
}
