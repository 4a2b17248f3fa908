import type { AnyDimension, Filters, TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { CONNECTIONS, HANDSHAKES, RESOURCE_TYPES, SCENARIOS, SCHEMES } from '../../../shared/vocabulary/vocabulary.ts';
import { parseTime } from './parse-time.ts';
import { QueryError } from './query-error.ts';

const DEFAULT_RANGE_MS = 24 * 3600 * 1000;
/** As many values of one filter as anybody would type, and more. */
const MAX_FILTER_VALUES = 100;
const MAX_VALUE_LENGTH = 300;
/** Of a list of numbers: each is computed for every group of an answer. */
const MAX_NUMBERS = 20;

/** Dimensions whose values are a closed list: a misspelt one is an error, not an empty answer. */
const WORDS: Readonly<Partial<Record<AnyDimension, readonly string[]>>> = {
  type: RESOURCE_TYPES,
  connection: CONNECTIONS,
  scheme: SCHEMES,
  scenario: SCENARIOS,
  handshake: HANDSHAKES,
};

/** Parameters by name, each once or several times, as a query string has them. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What every question is read with: the one place that knows how a parameter may look. All throw a QueryError. */
export interface ParameterReader {
  /** null where it is not given. */
  once(name: string): string | null;
  time(name: string): number | null;
  /** `from` and `to`; default: the last 24 hours before `now`. */
  range(now: number): TimeRange;
  filters(dimensions: readonly AnyDimension[], prefix?: string): Filters;
  /** Dimensions separated by commas. */
  by<D extends AnyDimension>(dimensions: readonly D[], byDefault: readonly D[]): readonly D[];
  word<W extends string>(name: string, words: readonly W[], byDefault: W): W;
  /** Words separated by commas. */
  words<W extends string>(name: string, words: readonly W[]): readonly W[];
  flag(name: string): boolean;
  /** Whole numbers separated by commas, at most 20. */
  wholes(name: string, limits: WholeLimits, byDefault: readonly number[]): readonly number[];
  whole(name: string, limits: WholeLimits, byDefault: number): number;
}

interface WholeLimits {
  readonly min: number;
  readonly max: number;
}

/** @param known every name that may be given; any other throws `unknown_parameter` */
export function readParameters(parameters: Parameters, known: readonly string[]): ParameterReader {
  for (const name of Object.keys(parameters)) {
    if (!known.includes(name)) {
      throw new QueryError(
        'unknown_parameter',
        `there is no parameter ${shown(name)}`,
        `Known here are ${known.join(', ')}.`,
      );
    }
  }
  const all = (name: string): readonly string[] => {
    const value = parameters[name];
    return value === undefined ? [] : typeof value === 'string' ? [value] : value;
  };
  const list = (name: string) => all(name).flatMap((value) => value.split(','));

  function once(name: string): string | null {
    const values = all(name);
    if (values.length > 1) throw invalid(`${name} is given twice`, 'Give it once.');
    return values[0] ?? null;
  }

  function time(name: string): number | null {
    const text = once(name);
    return text === null ? null : parseTime(name, text);
  }

  function oneOf<W extends string>(name: string, text: string, words: readonly W[]): W {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw invalid(`${name} names ${shown(text)}, which is not known`, `${name} takes ${words.join(', ')}.`);
  }

  function whole(name: string, text: string, { min, max }: WholeLimits): number {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= min && value <= max) return value;
    throw invalid(`${name} is ${shown(text)}`, `${name} takes whole numbers from ${min} to ${max}.`);
  }

  return {
    once,
    time,
    range(now) {
      const to = time('to') ?? now;
      return checkRange({ from: time('from') ?? to - DEFAULT_RANGE_MS, to });
    },
    filters(dimensions, prefix = '') {
      const filters: Partial<Record<AnyDimension, readonly string[]>> = {};
      for (const dimension of dimensions) {
        const values = all(prefix + dimension);
        if (values.length === 0) continue;
        checkValues(dimension, values);
        filters[dimension] = [...new Set(values)].sort();
      }
      return filters;
    },
    by(dimensions, byDefault) {
      if (all('by').length === 0) return byDefault;
      const by = list('by').map((name) => {
        const found = dimensions.find((dimension) => dimension === name);
        if (found !== undefined) return found;
        throw invalid(
          `by names ${shown(name)}, which is no dimension`,
          `Group by one or more of ${dimensions.join(', ')}, separated by commas.`,
        );
      });
      return [...new Set(by)];
    },
    word(name, words, byDefault) {
      const text = once(name);
      return text === null ? byDefault : oneOf(name, text, words);
    },
    words: (name, words) => [...new Set(list(name).map((text) => oneOf(name, text, words)))],
    flag: (name) => oneOf(name, once(name) ?? 'false', ['true', 'false']) === 'true',
    wholes(name, limits, byDefault) {
      const texts = list(name);
      if (texts.length > MAX_NUMBERS) throw invalid(`${name} has ${texts.length} numbers`, `At most ${MAX_NUMBERS}.`);
      return texts.length === 0 ? byDefault : texts.map((text) => whole(name, text, limits));
    },
    whole(name, limits, byDefault) {
      const text = once(name);
      return text === null ? byDefault : whole(name, text, limits);
    },
  };
}

export function checkRange(range: TimeRange, names = 'from is not before to'): TimeRange {
  if (range.from < range.to) return range;
  throw new QueryError('invalid_range', names, 'from is inclusive, to exclusive.');
}

export function invalid(message: string, hint: string): QueryError {
  return new QueryError('invalid_parameter', message, hint);
}

function checkValues(dimension: AnyDimension, values: readonly string[]): void {
  if (values.length > MAX_FILTER_VALUES || values.some((value) => value === '' || value.length > MAX_VALUE_LENGTH)) {
    throw invalid(
      `the filter ${dimension} has an empty or too long value, or too many of them`,
      `At most ${MAX_FILTER_VALUES} values of 1 to ${MAX_VALUE_LENGTH} characters each.`,
    );
  }
  const words = WORDS[dimension];
  const stranger = words === undefined ? undefined : values.find((value) => !words.includes(value));
  if (words === undefined || stranger === undefined) return;
  throw invalid(`${shown(stranger)} is no ${dimension}`, `The filter ${dimension} takes ${words.join(', ')}.`);
}

/** What somebody typed, short enough to be repeated in a message. */
function shown(text: string): string {
  return `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
}
