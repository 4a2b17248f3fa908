import {
  type AnyDimension,
  DIMENSIONS,
  SAMPLE_DIMENSIONS,
  type SampleQuery,
} from '../../../shared/vocabulary/dimensions.ts';
import { type Parameters, readParameters } from '../../questions/asking/parameters.ts';
import { EXPORT_FORMAT_NAMES, type ExportFormatName } from './export-formats.ts';

/** The filters of an export: the summary's dimensions, and the path template. */
export const EXPORT_DIMENSIONS: readonly AnyDimension[] = [...DIMENSIONS, ...SAMPLE_DIMENSIONS];

export interface ExportQuery extends SampleQuery {
  readonly format: ExportFormatName;
}

/** `format`, `from`, `to` and a filter per dimension. Throws a QueryError that lists what there is. */
export function parseExportQuery(parameters: Parameters, now: number): ExportQuery {
  const read = readParameters(parameters, ['format', 'from', 'to', ...EXPORT_DIMENSIONS]);
  return {
    format: read.word('format', EXPORT_FORMAT_NAMES, 'csv'),
    range: read.range(now),
    filters: read.filters(EXPORT_DIMENSIONS),
  };
}
