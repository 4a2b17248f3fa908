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
  'journey',
  /** Its number within the journey, from 1. */
  'journeyStep',
] as const;
export type AnyDimension = Dimension | (typeof SAMPLE_DIMENSIONS)[number];
/** What every question about times can be filtered and grouped by, in key order. */
export const ASKED_DIMENSIONS = [...DIMENSIONS, ...SAMPLE_DIMENSIONS] as const satisfies readonly AnyDimension[];
export type AskedDimension = (typeof ASKED_DIMENSIONS)[number];

/** The value, in every dimension, of a group with too few browsers to be shown individually. */
export const FEW_BROWSERS = '(few browsers)';

/** Whether this is the group of all that may not be shown individually: not a value to choose, link or describe. */
export function isFewBrowsers(key: object): boolean {
  return Object.values(key).includes(FEW_BROWSERS);
}

/** The key of one group; null if its samples have no such value (no scenario, hidden protocol). */
export type CellKey = Readonly<Partial<Record<AnyDimension, string | null>>>;

/** The dimensions of a group's key, in key order; none for "all requests". */
export function partsOfKey(key: CellKey): { readonly dimension: AnyDimension; readonly value: string | null }[] {
  return ASKED_DIMENSIONS.flatMap((dimension) => {
    const value = key[dimension];
    return value === undefined ? [] : [{ dimension, value }];
  });
}

/** The name of a filter that excludes values: `not.host`. */
export type ExclusionName<D extends AnyDimension = AnyDimension> = `not.${D}`;

/**
 * Several values of one dimension mean "any of these"; several filters mean "all of these". An exclusion means "none of
 * these", which samples without a value pass.
 */
export type Filters = Readonly<Partial<Record<AnyDimension | ExclusionName, readonly string[]>>>;

const NOT = 'not.';

export function toExclusionName<D extends AnyDimension>(dimension: D): ExclusionName<D> {
  return `${NOT}${dimension}`;
}

/** Whether a filter of this name excludes its values, and by which dimension it filters. */
export function splitFilterName(name: string): { readonly dimension: string; readonly excludes: boolean } {
  const excludes = name.startsWith(NOT);
  return { dimension: excludes ? name.slice(NOT.length) : name, excludes };
}

export interface DimensionTest {
  readonly dimension: AnyDimension;
  passes(value: string | null): boolean;
}

/** One test for each filter; a sample has to pass all of them. */
export function dimensionTests(filters: Filters): DimensionTest[] {
  return Object.entries(filters).flatMap(([name, values]) => {
    if (values === undefined) return [];
    const named = new Set<string | null>(values);
    const { dimension, excludes } = splitFilterName(name);
    return [{ dimension: dimension as AnyDimension, passes: (value) => named.has(value) !== excludes }];
  });
}

/** The dimensions that anything is filtered by, each once. */
export function filteredDimensions(filters: Filters): AnyDimension[] {
  return [...new Set(dimensionTests(filters).map(({ dimension }) => dimension))];
}

/** Whether a value of one dimension passes the filters by it. */
export function passesFilters(filters: Filters, dimension: AnyDimension, value: string | null): boolean {
  return dimensionTests(filters).every((test) => test.dimension !== dimension || test.passes(value));
}

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
