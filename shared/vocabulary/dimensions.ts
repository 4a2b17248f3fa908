/** The dimensions a summary can be grouped and filtered by, in the order they have in keys. */
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

/** Dimensions that only samples have, not rollups: a question that uses one is answered sample by sample. */
export const SAMPLE_DIMENSIONS = [
  'template',
  /** `chromium`, `firefox`. */
  'browser',
  /** With its major version: `chromium 128`. */
  'browserVersion',
  /** Version of the extension. */
  'extension',
] as const;
/** What every question about times can be filtered and grouped by: the dimensions of rollups, and the browser. */
export const ASKED_DIMENSIONS = [...DIMENSIONS, 'browser'] as const;
export type AskedDimension = (typeof ASKED_DIMENSIONS)[number];
type SampleDimension = (typeof SAMPLE_DIMENSIONS)[number];
export type AnyDimension = Dimension | SampleDimension;

/** The value, in every dimension, of a group with too few browsers to be shown individually. */
export const FEW_BROWSERS = '(few browsers)';

/**
 * Whether this is the group of everything that may not be shown individually: not a value to choose, link or describe.
 */
export function isFewBrowsers(key: object): boolean {
  return Object.values(key).includes(FEW_BROWSERS);
}

/** The key of one group; null if its samples have no such value (no scenario, hidden protocol). */
export type CellKey = Readonly<Partial<Record<AnyDimension, string | null>>>;

/** The dimensions of a group's key, in key order; none for "all requests". */
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
  /** The range has no stated end: it includes everything known when it is answered, which is slightly later than `to`. */
  readonly open?: boolean;
}

export interface SampleQuery {
  readonly range: TimeRange;
  readonly filters: Filters;
}

export interface AggregateQuery extends SampleQuery {
  readonly by: readonly AnyDimension[];
}
