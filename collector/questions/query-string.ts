import { canonicalHost, hostHint } from '../../shared/redact/host-name.ts';
import { zoneNamed } from '../../shared/settings/time-zones.ts';
import {
  type AnyDimension,
  type ExclusionName,
  type Filters,
  type TimeRange,
  toExclusionName,
} from '../../shared/vocabulary/dimensions.ts';
import {
  BROWSERS,
  CONNECTIONS,
  HANDSHAKES,
  SCENARIOS,
  SCHEMES,
  STORED_TYPES,
} from '../../shared/vocabulary/vocabulary.ts';
import { OVERFLOW_NAME } from '../../shared/vocabulary/wire-limits.ts';

const DEFAULT_RANGE_MS = 24 * 3600 * 1000;
/** More values of one filter than anyone would type. */
const MAX_FILTER_VALUES = 100;
const MAX_VALUE_LENGTH = 300;
/** Numbers in a list: each is computed for every group of an answer. */
const MAX_NUMBERS = 20;
const STEP_UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Dimensions whose values are a closed list: a misspelt value is an error, not an empty answer. */
const WORDS: Readonly<Partial<Record<AnyDimension, readonly string[]>>> = {
  type: STORED_TYPES,
  connection: CONNECTIONS,
  scheme: SCHEMES,
  scenario: SCENARIOS,
  handshake: HANDSHAKES,
  browser: BROWSERS,
};

export type QueryCode = 'unknown_parameter' | 'invalid_parameter' | 'invalid_time' | 'invalid_range';

/** A query that is invalid as given; the same for HTTP and the command line. */
export class QueryError extends Error {
  readonly code: QueryCode;
  readonly hint: string;
  constructor(code: QueryCode, message: string, hint: string) {
    super(message);
    this.name = 'QueryError';
    this.code = code;
    this.hint = hint;
  }
}

export function invalid(message: string, hint: string): QueryError {
  return new QueryError('invalid_parameter', message, hint);
}

/** Parameters by name, each given once or several times, as in a query string. */
export type QueryString = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WholeLimits {
  readonly min: number;
  readonly max: number;
}

/** Reads parameters by name; all methods throw a QueryError. */
export type QueryReader = ReturnType<typeof readQueryString>;

/** @param known every permitted name; any other throws `unknown_parameter` */
export function readQueryString(given: QueryString, known: readonly string[]) {
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) {
      throw new QueryError(
        'unknown_parameter',
        `there is no parameter ${shown(name)}`,
        `Known parameters: ${known.join(', ')}.`,
      );
    }
  }
  const all = (name: string): readonly string[] => {
    const value = given[name];
    return value === undefined ? [] : typeof value === 'string' ? [value] : value;
  };
  const list = (name: string) => all(name).flatMap((value) => value.split(','));

  /** null if absent. */
  function once(name: string): string | null {
    const values = all(name);
    if (values.length > 1) throw invalid(`${name} is given twice`, 'Give it once.');
    return values[0] ?? null;
  }

  /** Epoch ms; null if absent. */
  function time(name: string): number | null {
    const text = once(name);
    return text === null ? null : parseTime(name, text);
  }

  function oneOf<W extends string>(name: string, text: string, words: readonly W[]): W {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw invalid(`${name} has the unknown value ${shown(text)}`, `${name} takes ${words.join(', ')}.`);
  }

  function wholeOf(name: string, text: string, { min, max }: WholeLimits): number {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= min && value <= max) return value;
    throw invalid(`${name} is ${shown(text)}`, `${name} takes whole numbers from ${min} to ${max}.`);
  }

  return {
    once,
    time,
    /** `from` and `to`; by default the last 24 hours before `now`. */
    range(now: number): TimeRange {
      const to = time('to') ?? now;
      return checkRange({ from: time('from') ?? to - DEFAULT_RANGE_MS, to });
    },
    filters(dimensions: readonly AnyDimension[], prefix = ''): Filters {
      const filters: Partial<Record<AnyDimension | ExclusionName, readonly string[]>> = {};
      for (const dimension of dimensions) {
        for (const name of [dimension, toExclusionName(dimension)]) {
          const values = all(prefix + name);
          if (values.length === 0) continue;
          checkValues(name, dimension, values);
          const meant = dimension === 'host' ? values.map((host) => readHost(prefix + name, host)) : values;
          filters[name] = [...new Set(meant)].sort();
        }
      }
      return filters;
    },
    /** Comma-separated dimensions. */
    dimensions<D extends AnyDimension>(name: string, known: readonly D[], byDefault: readonly D[]): readonly D[] {
      if (all(name).length === 0) return byDefault;
      const named = list(name).map((text) => {
        const found = known.find((dimension) => dimension === text);
        if (found !== undefined) return found;
        throw invalid(
          `${name} has ${shown(text)}, which is not a dimension`,
          `Group by one or more of ${known.join(', ')}, separated by commas.`,
        );
      });
      return [...new Set(named)];
    },
    word<W extends string>(name: string, words: readonly W[], byDefault: W): W {
      const text = once(name);
      return text === null ? byDefault : oneOf(name, text, words);
    },
    /** Comma-separated words. */
    words: <W extends string>(name: string, words: readonly W[]): readonly W[] => [
      ...new Set(list(name).map((text) => oneOf(name, text, words))),
    ],
    flag: (name: string): boolean => oneOf(name, once(name) ?? 'false', ['true', 'false']) === 'true',
    whole(name: string, limits: WholeLimits, byDefault: number): number {
      const text = once(name);
      return text === null ? byDefault : wholeOf(name, text, limits);
    },
    /** From 0 to `max`, with decimals; null if absent. */
    decimal(name: string, max: number): number | null {
      const text = once(name);
      if (text === null) return null;
      if (/^\d{1,9}(\.\d{1,20})?$/.test(text) && Number(text) <= max) return Number(text);
      throw invalid(`${name} is ${shown(text)}`, `${name} takes numbers from 0 to ${max}, such as 250 or 8.41.`);
    },
    /** At most 20 comma-separated whole numbers. */
    wholes(name: string, limits: WholeLimits, byDefault: readonly number[]): readonly number[] {
      const texts = list(name);
      if (texts.length > MAX_NUMBERS) throw invalid(`${name} has ${texts.length} numbers`, `At most ${MAX_NUMBERS}.`);
      return texts.length === 0 ? byDefault : texts.map((text) => wholeOf(name, text, limits));
    },
    /** An IANA name in its canonical spelling, whatever case was given; null if absent. */
    zone(name: string): string | null {
      const text = once(name);
      const zone = text === null ? null : zoneNamed(text);
      if (text === null || zone !== null) return zone;
      throw invalid(
        `${name} is “${text.slice(0, 40)}”`,
        'Name a time zone of the IANA database, such as Europe/Berlin or UTC.',
      );
    },
    /** Milliseconds; null if absent. */
    duration(name: string): number | null {
      const text = once(name);
      if (text === null) return null;
      const [, count, unit] = /^([1-9]\d{0,4})([smhd])$/.exec(text) ?? [];
      if (unit === undefined) throw invalid(`${name} is not a duration`, 'Write it as 30s, 5m, 1h or 1d.');
      return Number(count) * STEP_UNITS[unit as keyof typeof STEP_UNITS];
    },
  };
}

/** A host in the form in which samples name it, or the name of those that share one. Throws a QueryError for others. */
export function readHost(name: string, text: string): string {
  const host = text === OVERFLOW_NAME ? text : canonicalHost(text);
  if (host !== null) return host;
  throw invalid(`${name} is ${shown(text)}, which is not a host`, hostHint(text));
}

export function checkRange(range: TimeRange, message = 'from is not before to'): TimeRange {
  if (range.from < range.to) return range;
  throw new QueryError('invalid_range', message, 'from is inclusive, to exclusive.');
}

function checkValues(name: string, dimension: AnyDimension, values: readonly string[]): void {
  if (values.length > MAX_FILTER_VALUES || values.some((value) => value === '' || value.length > MAX_VALUE_LENGTH)) {
    throw invalid(
      `the filter ${name} has an empty or too long value, or too many of them`,
      `At most ${MAX_FILTER_VALUES} values of 1 to ${MAX_VALUE_LENGTH} characters each.`,
    );
  }
  const words = WORDS[dimension];
  const stranger = words === undefined ? undefined : values.find((value) => !words.includes(value));
  if (words === undefined || stranger === undefined) return;
  throw invalid(`${shown(stranger)} is not a value of ${dimension}`, `The filter ${name} takes ${words.join(', ')}.`);
}

/** The given text, short enough to be quoted in a message. */
function shown(text: string): string {
  return `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
}

/** https://www.rfc-editor.org/rfc/rfc3339#section-5.6, with at most the milliseconds a Date holds. */
const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:([0-5]\d)(?:\.\d{1,9})?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** RFC 3339 as epoch ms. Throws a QueryError. */
export function parseTime(name: string, text: string): number {
  const [, year, month, day] = RFC_3339.exec(text) ?? [];
  const time = Date.parse(text.toUpperCase());
  if (day === undefined || Number.isNaN(time) || Number(day) > daysInMonth(Number(year), Number(month))) {
    throw new QueryError(
      'invalid_time',
      `${name} is not a time`,
      'Use RFC 3339 with its zone, such as 2026-03-01T00:00:00Z; in a URL write + as %2B.',
    );
  }
  return time;
}

/** Date.parse rolls 30 February over to March. */
function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
