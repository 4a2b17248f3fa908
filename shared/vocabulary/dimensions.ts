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

/** What only samples know and no rollup: any question that names one of these is answered sample by sample. */
export const SAMPLE_DIMENSIONS = [
  'template',
  /** `chromium`, `firefox`. */
  'browser',
  /** With its major version: `chromium 128`. */
  'browserVersion',
  /** Version of the extension. */
  'extension',
] as const;
/** What every question about times can be filtered and grouped by: what rollups know, and the browser. */
export const ASKED_DIMENSIONS = [...DIMENSIONS, 'browser'] as const;
export type AskedDimension = (typeof ASKED_DIMENSIONS)[number];
type SampleDimension = (typeof SAMPLE_DIMENSIONS)[number];
export type AnyDimension = Dimension | SampleDimension;

/** What a group of too few browsers is called in every dimension, where it may not be shown by itself. */
export const FEW_BROWSERS = '(few browsers)';

/** Whether it is the group of what may not be shown by itself: no value to choose, to follow or to say anything about. */
export function isFewBrowsers(key: object): boolean {
  return Object.values(key).includes(FEW_BROWSERS);
}

/** One group's place; null where that sample has no such value (no scenario, hidden protocol). */
export type CellKey = Readonly<Partial<Record<AnyDimension, string | null>>>;

/** What a group was cut by, in the order of every key: without these it is "all requests". */
export function partsOfKey(key: CellKey): { readonly dimension: AnyDimension; readonly value: string | null }[] {
  return [...DIMENSIONS, ...SAMPLE_DIMENSIONS].flatMap((dimension) => {
    const value = key[dimension];
    return value === undefined ? [] : [{ dimension, value }];
  });
}

/** Several values of one dimension mean "any of these"; several dimensions mean "all of these". */
export type Filters = Readonly<Partial<Record<AnyDimension, readonly string[]>>>;

/** `from` inclusive, `to` exclusive, epoch milliseconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
  /** Nobody named its end: it has everything that is known when it is answered, which is somewhat later than `to`. */
  readonly open?: boolean;
}

export interface SampleQuery {
  readonly range: TimeRange;
  readonly filters: Filters;
}

export interface AggregateQuery extends SampleQuery {
  readonly by: readonly AnyDimension[];
}
