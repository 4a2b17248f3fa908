import { CONNECTIONS, HANDSHAKES, RESOURCE_TYPES, SCENARIOS, SCHEMES } from '../../shared/sample/vocabulary.ts';
import { type AggregateQuery, DIMENSIONS, type Dimension, type Filters } from '../../shared/summary/dimensions.ts';
import { parseTime } from './parse-time.ts';
import { QueryError } from './query-error.ts';

const DEFAULT_RANGE_MS = 24 * 3600 * 1000;
const DEFAULT_BY: readonly Dimension[] = ['host', 'type'];
/** As many values of one filter as anybody would type, and more. */
const MAX_FILTER_VALUES = 100;
const MAX_VALUE_LENGTH = 300;

/** Dimensions whose values are a closed list: a misspelt one is an error, not an empty answer. */
const WORDS: Readonly<Partial<Record<Dimension, readonly string[]>>> = {
  type: RESOURCE_TYPES,
  connection: CONNECTIONS,
  scheme: SCHEMES,
  scenario: SCENARIOS,
  handshake: HANDSHAKES,
};

/** Parameters by name, each once or several times, as a query string has them. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * `from`, `to`, `by` and a filter per dimension. Default: the last 24 hours before `now` by host and type. Throws a
 * QueryError, for unknown names too.
 */
export function parseSummaryQuery(parameters: Parameters, now: number): AggregateQuery {
  for (const name of Object.keys(parameters)) {
    if (name !== 'from' && name !== 'to' && name !== 'by' && !isDimension(name)) {
      throw new QueryError(
        'unknown_parameter',
        `there is no parameter ${shown(name)}`,
        `Known are from, to, by, and the filters ${DIMENSIONS.join(', ')}.`,
      );
    }
  }
  const to = parseOnce(parameters, 'to') ?? now;
  const from = parseOnce(parameters, 'from') ?? to - DEFAULT_RANGE_MS;
  if (from >= to) {
    throw new QueryError('invalid_range', 'from is not before to', 'from is inclusive, to exclusive.');
  }
  return { range: { from, to }, by: parseBy(parameters), filters: parseFilters(parameters) };
}

function parseOnce(parameters: Parameters, name: 'from' | 'to'): number | null {
  const values = valuesOf(parameters, name);
  if (values.length > 1) throw new QueryError('invalid_parameter', `${name} is given twice`, 'Give it once.');
  return values[0] === undefined ? null : parseTime(name, values[0]);
}

function parseBy(parameters: Parameters): readonly Dimension[] {
  const values = valuesOf(parameters, 'by');
  if (values.length === 0) return DEFAULT_BY;
  const names = values.flatMap((value) => value.split(','));
  const by = names.map((name) => {
    if (isDimension(name)) return name;
    throw new QueryError(
      'invalid_parameter',
      `by names ${shown(name)}, which is no dimension`,
      `Group by one or more of ${DIMENSIONS.join(', ')}, separated by commas.`,
    );
  });
  return [...new Set(by)];
}

function parseFilters(parameters: Parameters): Filters {
  const filters: Partial<Record<Dimension, readonly string[]>> = {};
  for (const dimension of DIMENSIONS) {
    const values = valuesOf(parameters, dimension);
    if (values.length === 0) continue;
    checkValues(dimension, values);
    filters[dimension] = [...new Set(values)].sort();
  }
  return filters;
}

function checkValues(dimension: Dimension, values: readonly string[]): void {
  if (values.length > MAX_FILTER_VALUES || values.some((value) => value === '' || value.length > MAX_VALUE_LENGTH)) {
    throw new QueryError(
      'invalid_parameter',
      `the filter ${dimension} has an empty or too long value, or too many of them`,
      `At most ${MAX_FILTER_VALUES} values of 1 to ${MAX_VALUE_LENGTH} characters each.`,
    );
  }
  const words = WORDS[dimension];
  const stranger = words === undefined ? undefined : values.find((value) => !words.includes(value));
  if (words === undefined || stranger === undefined) return;
  throw new QueryError(
    'invalid_parameter',
    `${shown(stranger)} is no ${dimension}`,
    `The filter ${dimension} takes ${words.join(', ')}.`,
  );
}

function valuesOf(parameters: Parameters, name: string): readonly string[] {
  const value = parameters[name];
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

function isDimension(name: string): name is Dimension {
  return (DIMENSIONS as readonly string[]).includes(name);
}

/** What somebody typed, short enough to be repeated in a message. */
function shown(text: string): string {
  return `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
}
