import { type TObject, type TOptional, type TSchema, Type } from 'typebox';
import {
  type AnyDimension,
  type Filters,
  type TimeRange,
  toExclusionName,
} from '../../shared/vocabulary/dimensions.ts';
import { type QueryReader, type QueryString, readQueryString, type WholeLimits } from './query-string.ts';

/** Declared once: parsing, its errors and the description in OpenAPI all follow from it. */
export interface Parameter<T> {
  /** Its names in a query string, if declared under `name`; several if they belong together. */
  schemas(name: string): Readonly<Record<string, TSchema>>;
  /** Throws a QueryError. */
  read(query: QueryReader, name: string, now: number): T;
}

export type DeclaredParameters = Readonly<Record<string, Parameter<unknown>>>;
export type ReadParameters<P extends DeclaredParameters> = {
  readonly [N in keyof P]: P[N] extends Parameter<infer T> ? T : never;
};

/** Parses in order of declaration, which is also the order of names in an error. Throws a QueryError. */
export function parseParameters<P extends DeclaredParameters>(
  declared: P,
  given: QueryString,
  now: number,
): ReadParameters<P> {
  const query = readQueryString(given, Object.keys(schemasOf(declared)));
  return Object.fromEntries(
    Object.entries(declared).map(([name, parameter]) => [name, parameter.read(query, name, now)]),
  ) as ReadParameters<P>;
}

/** The query string for OpenAPI. It validates nothing: `parseParameters` does, with hints. */
export function querystringSchema(declared: DeclaredParameters): TObject<Record<string, TOptional<TSchema>>> {
  return Type.Object(
    Object.fromEntries(Object.entries(schemasOf(declared)).map(([name, schema]) => [name, Type.Optional(schema)])),
  );
}

function schemasOf(declared: DeclaredParameters): Readonly<Record<string, TSchema>> {
  return Object.assign({}, ...Object.entries(declared).map(([name, parameter]) => parameter.schemas(name)));
}

const text = (description: string, example?: string) =>
  Type.String({ description, ...(example === undefined ? {} : { examples: [example] }) });
const moment = (description: string, example?: string) =>
  Type.String({ description, format: 'date-time', ...(example === undefined ? {} : { examples: [example] }) });

/** `from` and `to`. */
export const RANGE: Parameter<TimeRange> = {
  schemas: () => ({
    from: moment('Inclusive; default 24 hours before `to`.', '2026-03-01T00:00:00Z'),
    to: moment('Exclusive; default now.', '2026-03-02T00:00:00Z'),
  }),
  read: (query, _name, now) => query.range(now),
};

/** The same; without `to` the range is open. */
export const OPEN_RANGE: Parameter<TimeRange> = {
  ...RANGE,
  read: (query, _name, now) => ({ ...query.range(now), ...(query.once('to') === null ? { open: true } : {}) }),
};

/** Optional ends of a range, such as `beforeFrom` and `beforeTo`. */
export function openEnds(
  from: string,
  to: string,
  description: string,
): Parameter<Readonly<Record<keyof TimeRange & ('from' | 'to'), number | null>>> {
  return {
    schemas: () => ({ [from]: moment(`${description}, inclusive.`), [to]: moment(`${description}, exclusive.`) }),
    read: (query) => ({ to: query.time(to), from: query.time(from) }),
  };
}

/**
 * A filter for each dimension, and one that excludes: `host` and `not.host`. Both are repeated for several values, since a
 * value may contain a comma.
 * @param prefix `before.` for one side of a comparison
 */
export function filters(dimensions: readonly AnyDimension[], prefix = ''): Parameter<Filters> {
  const side = prefix === '' ? '' : ` on the side ${prefix.slice(0, -1)}`;
  const texts = (description: string) => Type.Array(Type.String(), { description });
  const schemasOf = (dimension: AnyDimension) => [
    [prefix + dimension, texts(`Only samples with this ${dimension}${side}; repeat it for any of several.`)],
    [
      prefix + toExclusionName(dimension),
      texts(`Only samples without this ${dimension}${side}; repeat it for none of several.`),
    ],
  ];
  return {
    schemas: () => Object.fromEntries(dimensions.flatMap(schemasOf)),
    read: (query) => query.filters(dimensions, prefix),
  };
}

/** Dimensions to group by. */
export function dimensions<D extends AnyDimension>(
  known: readonly D[],
  byDefault: readonly D[],
): Parameter<readonly D[]> {
  return {
    schemas: (name) => ({ [name]: text('Dimensions to group by, separated by commas.', 'host,type') }),
    read: (query, name) => query.dimensions(name, known, byDefault),
  };
}

export function oneOf<W extends string>(words: readonly W[], byDefault: W, description: string): Parameter<W> {
  return {
    schemas: (name) => ({
      [name]: Type.Unsafe<W>({ type: 'string', enum: [...words], description, examples: [byDefault] }),
    }),
    read: (query, name) => query.word(name, words, byDefault),
  };
}

export function someOf<W extends string>(
  words: readonly W[],
  description: string,
  example: string,
): Parameter<readonly W[]> {
  return {
    schemas: (name) => ({ [name]: text(`${description}, separated by commas: ${words.join(', ')}.`, example) }),
    read: (query, name) => query.words(name, words),
  };
}

export function flag(description: string): Parameter<boolean> {
  return {
    schemas: (name) => ({
      [name]: Type.Unsafe<string>({ type: 'string', enum: ['true', 'false'], default: 'false', description }),
    }),
    read: (query, name) => query.flag(name),
  };
}

export const EXACT = flag('Reads every value instead of sketches.');

export function whole(limits: WholeLimits, byDefault: number, description: string): Parameter<number> {
  return {
    schemas: (name) => ({
      [name]: Type.Integer({ description, minimum: limits.min, maximum: limits.max, examples: [String(byDefault)] }),
    }),
    read: (query, name) => query.whole(name, limits, byDefault),
  };
}

export function wholes(
  limits: WholeLimits,
  byDefault: readonly number[],
  description: string,
): Parameter<readonly number[]> {
  return {
    schemas: (name) => ({ [name]: text(`${description}, separated by commas.`, byDefault.join(',')) }),
    read: (query, name) => query.wholes(name, limits, byDefault),
  };
}

/** A number of milliseconds with decimals; null if absent. */
export function decimal(max: number, description: string): Parameter<number | null> {
  return {
    schemas: (name) => ({ [name]: Type.Number({ description, minimum: 0, maximum: max }) }),
    read: (query, name) => query.decimal(name, max),
  };
}

/** null if absent. */
export function zone(description: string): Parameter<string | null> {
  return { schemas: (name) => ({ [name]: text(description, 'UTC') }), read: (query, name) => query.zone(name) };
}

/** Milliseconds; null if absent. */
export function duration(description: string): Parameter<number | null> {
  return {
    schemas: (name) => ({ [name]: text(`${description}: a whole number of s, m, h or d.`, '1h') }),
    read: (query, name) => query.duration(name),
  };
}
