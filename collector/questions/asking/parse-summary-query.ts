import { type AggregateQuery, ASKED_DIMENSIONS, type AskedDimension } from '../../../shared/vocabulary/dimensions.ts';
import { DEFAULT_THRESHOLDS, EXTRAS, type Extra } from '../../analysis/summary/summary-extras.ts';
import { type Parameters, readParameters } from './parameters.ts';

const DEFAULT_BY: readonly AskedDimension[] = ['host', 'type'];
const MAX_THRESHOLD_MS = 600_000;

export interface SummaryQuery extends AggregateQuery {
  readonly by: readonly AskedDimension[];
  /** Read every value instead of sketches. */
  readonly exact: boolean;
  readonly include: readonly Extra[];
  /** Of `sharesAbove`, ms. */
  readonly thresholds: readonly number[];
}

/**
 * `from`, `to`, `by`, `exact`, `include`, `above` and a filter per dimension. Default: the last 24 hours before `now` by
 * host and type. Throws a QueryError, for unknown names too.
 */
export function parseSummaryQuery(parameters: Parameters, now: number): SummaryQuery {
  const read = readParameters(parameters, ['from', 'to', 'by', 'exact', 'include', 'above', ...ASKED_DIMENSIONS]);
  return {
    range: { ...read.range(now), ...(read.once('to') === null ? { open: true } : {}) },
    by: read.by(ASKED_DIMENSIONS, DEFAULT_BY),
    filters: read.filters(ASKED_DIMENSIONS),
    exact: read.flag('exact'),
    include: read.words('include', EXTRAS),
    thresholds: read.wholes('above', { min: 0, max: MAX_THRESHOLD_MS }, DEFAULT_THRESHOLDS),
  };
}
