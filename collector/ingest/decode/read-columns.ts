import { NULL, NUMBER_NAMES, type NumberName, TEXT_NAMES } from '../../../shared/sample/sample-columns.ts';
import { TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { MAX_DICTIONARY_ENTRIES, MAX_METRICS, MAX_ROWS } from '../../../shared/vocabulary/wire-limits.ts';
import type { BatchCode } from '../../../shared/wire/wire-codes.ts';
import { DICTIONARY_RULES } from './dictionary-rules.ts';
import { BELOW_ZERO, NOT_WHOLE, type RawColumns, type RawText } from './raw-columns.ts';

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

/** No dictionary is as long; what lies beyond is no place, and would not fit into a column of places. */
const MAX_PLACE = 2 ** 31 - 1;

/** Server-Timing metric names are HTTP tokens. */
const METRIC_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

type Column = readonly unknown[];

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
  const at = columnAt(columns, 'at', n);
  if (at === null) throw invalid('columns.at is missing', 'Every row needs the time it happened at.');
  const numbers = NUMBER_NAMES.map((name) => {
    const column = columnAt(isTime(name) ? times : columns, name, n);
    return column === null ? undefined : wholeNumbers(column);
  });
  return {
    n,
    at: Float64Array.from(at, (delta) => (Number.isInteger(delta) ? (delta as number) : Number.NaN)),
    texts: readTexts(columns, objectAt(batch, 'dictionaries'), n, limits),
    numbers,
    metrics: readMetricColumns(columns, n, limits),
  };
}

/** Whether it stands below `times`. */
export const isTime = (name: NumberName): boolean => (TIME_NAMES as readonly string[]).includes(name);

function wholeNumbers(column: Column): Float64Array {
  return Float64Array.from(column, (value) => {
    if (value === null || value === undefined) return NULL;
    if (typeof value !== 'number' || !Number.isInteger(value)) return NOT_WHOLE;
    return value < 0 ? BELOW_ZERO : value;
  });
}

function readTexts(
  columns: Readonly<Record<string, unknown>>,
  dictionaries: Readonly<Record<string, unknown>>,
  n: number,
  limits: ColumnLimits,
): RawColumns['texts'] {
  return TEXT_NAMES.map((name): RawText | undefined => {
    const dictionary = readDictionary(dictionaries, name, limits);
    const column = columnAt(columns, name, n);
    // Each entry is judged once, not once per row.
    return column === null
      ? undefined
      : { entries: dictionary.map(DICTIONARY_RULES[name].read), codes: places(column) };
  });
}

/** What is no place of any dictionary is below NULL. */
function places(column: Column): Int32Array {
  return Int32Array.from(column, (value) => {
    if (value === null || value === undefined) return NULL;
    const isPlace = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_PLACE;
    return isPlace ? value : NOT_WHOLE;
  });
}

function readDictionary(dictionaries: Readonly<Record<string, unknown>>, name: string, limits: ColumnLimits): Column {
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
    const column = readMetricColumn(metrics, name, n);
    return column === null ? [] : [[name, column] as const];
  });
}

/** null where the column is absent. Throws a BatchFault for a name that no metric can have. */
export function readMetricColumn(
  metrics: Readonly<Record<string, unknown>>,
  name: string,
  n: number,
): Float64Array | null {
  // `__proto__` is a token too, and would change the object it is put into.
  if (!METRIC_NAME.test(name) || name === '__proto__') {
    throw invalid('columns.metrics holds a name that is no Server-Timing metric', 'Metric names are HTTP tokens.');
  }
  const column = columnAt(metrics, name, n);
  if (column === null) return null;
  return Float64Array.from(column, (value) => {
    if (value === null || value === undefined) return Number.NaN;
    return typeof value === 'number' && !Number.isNaN(value) ? value : Infinity;
  });
}

function columnAt(parent: Readonly<Record<string, unknown>>, name: string, n: number): Column | null {
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
