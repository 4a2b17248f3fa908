import { TIME_NAMES, type TimeName } from '../timing/time-names.ts';
import { DICTIONARY_RULES } from './dictionary-rules.ts';
import type { WireDictionaries } from './wire-batch.ts';
import type { BatchCode } from './wire-codes.ts';
import { MAX_DICTIONARY_ENTRIES, MAX_METRICS, MAX_ROWS } from './wire-limits.ts';

/** How much one set of columns may hold: a batch is limited, a stored chunk is whatever was stored. */
export interface ColumnLimits {
  readonly rows: number;
  readonly dictionaryEntries: number;
  readonly metrics: number;
}

export const BATCH_LIMITS: ColumnLimits = {
  rows: MAX_ROWS,
  dictionaryEntries: MAX_DICTIONARY_ENTRIES,
  metrics: MAX_METRICS,
};

/** Server-Timing metric names are HTTP tokens. */
const METRIC_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

const DICTIONARY_NAMES = Object.keys(DICTIONARY_RULES) as (keyof WireDictionaries)[];

type RawColumn = readonly unknown[];
export type RawTimes = Readonly<Record<TimeName, RawColumn | null>>;

/** Columns whose outer shape is right: arrays, all of length `n`. What stands inside is still anybody's guess. */
export interface RawColumns {
  readonly n: number;
  readonly at: RawColumn;
  readonly dictionaries: Readonly<Record<keyof WireDictionaries, RawColumn>>;
  readonly indexes: Readonly<Record<keyof WireDictionaries, RawColumn | null>>;
  readonly times: RawTimes;
  readonly status: RawColumn | null;
  readonly transferSize: RawColumn | null;
  readonly encodedBodySize: RawColumn | null;
  readonly decodedBodySize: RawColumn | null;
  readonly idleMs: RawColumn | null;
  readonly serverTime: RawColumn | null;
  readonly metrics: readonly (readonly [string, RawColumn])[];
}

/** A batch that can't be read as a whole. Thrown inside the decoder only; `decodeBatch` returns it. */
export class BatchFault extends Error {
  readonly code: BatchCode;
  readonly hint: string;
  constructor(code: BatchCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** Looks at `n`, `dictionaries` and `columns` from outside. Throws a BatchFault. Names it doesn't know are ignored. */
export function readColumns(batch: Readonly<Record<string, unknown>>, limits: ColumnLimits): RawColumns {
  const n = own(batch, 'n');
  if (typeof n !== 'number' || !Number.isInteger(n) || n < 0) {
    throw invalid('n is not a whole number', 'Set n to the number of rows, the length of every column.');
  }
  if (n > limits.rows) {
    throw new BatchFault('batch_too_large', `the batch has ${n} rows`, `Send at most ${limits.rows} rows a batch.`);
  }
  const columns = objectAt(batch, 'columns');
  const times = objectAt(columns, 'times');
  const column = (name: string) => columnAt(columns, name, n);
  const at = column('at');
  if (at === null) throw invalid('columns.at is missing', 'Every row needs the time it happened at.');
  return {
    n,
    at,
    dictionaries: readDictionaries(objectAt(batch, 'dictionaries'), limits),
    indexes: eachName(DICTIONARY_NAMES, column),
    times: eachName(TIME_NAMES, (name) => columnAt(times, name, n)),
    status: column('status'),
    transferSize: column('transferSize'),
    encodedBodySize: column('encodedBodySize'),
    decodedBodySize: column('decodedBodySize'),
    idleMs: column('idleMs'),
    serverTime: column('serverTime'),
    metrics: readMetricColumns(columns, n, limits),
  };
}

function readDictionaries(
  dictionaries: Readonly<Record<string, unknown>>,
  limits: ColumnLimits,
): RawColumns['dictionaries'] {
  return eachName(DICTIONARY_NAMES, (name): RawColumn => {
    const entries = own(dictionaries, name) ?? [];
    if (!Array.isArray(entries)) throw invalid(`dictionaries.${name} is not an array`, 'Make it an array of strings.');
    if (entries.length > limits.dictionaryEntries) {
      throw new BatchFault(
        'batch_too_large',
        `dictionaries.${name} has ${entries.length} entries`,
        `Send at most ${limits.dictionaryEntries} entries a dictionary.`,
      );
    }
    return entries;
  });
}

/** An entry for each name, without the array of pairs that `Object.fromEntries` wants: this runs for every batch. */
function eachName<K extends string, T>(names: readonly K[], read: (name: K) => T): Record<K, T> {
  const all = {} as Record<K, T>;
  for (const name of names) all[name] = read(name);
  return all;
}

function readMetricColumns(
  columns: Readonly<Record<string, unknown>>,
  n: number,
  limits: ColumnLimits,
): RawColumns['metrics'] {
  if ((own(columns, 'metrics') ?? null) === null) return [];
  const metrics = objectAt(columns, 'metrics');
  const names = Object.keys(metrics);
  if (names.length > limits.metrics) {
    throw new BatchFault(
      'batch_too_large',
      `columns.metrics has ${names.length} metrics`,
      `Send at most ${limits.metrics} metrics a batch.`,
    );
  }
  return names.flatMap((name) => {
    // `__proto__` is a token too, and would change the object it is put into.
    if (!METRIC_NAME.test(name) || name === '__proto__') {
      throw invalid('columns.metrics holds a name that is no Server-Timing metric', 'Metric names are HTTP tokens.');
    }
    const column = columnAt(metrics, name, n);
    return column === null ? [] : [[name, column] as const];
  });
}

function columnAt(parent: Readonly<Record<string, unknown>>, name: string, n: number): RawColumn | null {
  const column = own(parent, name) ?? null;
  if (column === null) return null;
  if (!Array.isArray(column))
    throw invalid(`columns: ${name} is not an array`, 'Every column is an array of n values.');
  if (column.length !== n) {
    throw invalid(`columns: ${name} has ${column.length} values, n is ${n}`, 'Every column is an array of n values.');
  }
  return column;
}

function objectAt(parent: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const value = own(parent, name);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${name} is not an object`, 'See docs/wire-format.md for a whole batch.');
  }
  return value as Readonly<Record<string, unknown>>;
}

/** Own properties only, so that nothing is read from a prototype. */
export function own(parent: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(parent, name) ? parent[name] : undefined;
}

export function invalid(message: string, hint: string): BatchFault {
  return new BatchFault('invalid_batch', message, hint);
}
