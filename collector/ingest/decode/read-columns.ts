import {
  NULL,
  NUMBER_NAMES,
  type NumberName,
  TEXT_NAMES,
  type TextColumn,
} from '../../../shared/sample/sample-columns.ts';
import { TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { MAX_DICTIONARY_ENTRIES, MAX_METRICS, MAX_ROWS } from '../../../shared/vocabulary/wire-limits.ts';
import { WIRE_VERSION } from '../../../shared/wire/wire-batch.ts';
import type { BatchCode } from '../../../shared/wire/wire-codes.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { DICTIONARY_RULES } from './dictionary-rules.ts';

/** How much one set of columns may hold. */
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

/** In place of a whole number below zero, which NULL could be confused with. */
export const BELOW_ZERO = -2;
/** In place of a value that isn't a whole number: a string, a fraction, a list. */
export const NOT_WHOLE = -3;
/** In place of a value that isn't the index of a valid dictionary string. */
const NO_INDEX = -2;

/** Server-Timing metric names are HTTP tokens. */
const METRIC_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

type Column = readonly unknown[];
export type JsonObject = Readonly<Record<string, unknown>>;

/** A batch that can't be read as a whole. Only thrown within the decoder; `decodeBatch` returns it. */
export class BatchFault extends Error {
  readonly code: BatchCode;
  readonly hint: string;
  constructor(code: BatchCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/**
 * Reads `n`, `dictionaries` and `columns` of a parsed batch, to be validated row by row. Throws a BatchFault if the
 * shape is wrong. Unknown names are ignored. `at` holds deltas, NaN for values that aren't whole numbers; metrics are
 * infinite for values that aren't numbers.
 */
export function readColumns(batch: JsonObject, limits: ColumnLimits): BatchColumns {
  const n = own(batch, 'n');
  if (typeof n !== 'number' || !Number.isInteger(n) || n < 0) {
    throw invalid('n is not a whole number', 'Set n to the number of rows, the length of every column.');
  }
  if (n > limits.rows) {
    throw new BatchFault('batch_too_large', `the batch has ${n} rows`, `Send at most ${limits.rows} rows per batch.`);
  }
  const columns = objectAt(batch, 'columns');
  const times = objectAt(columns, 'times');
  const at = columnAt(columns, 'at', n);
  if (at === null) throw invalid('columns.at is missing', 'Every row needs a time.');
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

/** Whether its column is within `times`. */
const isTime = (name: NumberName): boolean => (TIME_NAMES as readonly string[]).includes(name);

/** A loop, as for indexes: `Float64Array.from` with a function takes ten times as long. */
function wholeNumbers(column: Column): Float64Array {
  const numbers = new Float64Array(column.length);
  for (let row = 0; row < numbers.length; row++) numbers[row] = wholeNumber(column[row]);
  return numbers;
}

function wholeNumber(value: unknown): number {
  if (value === null || value === undefined) return NULL;
  if (typeof value !== 'number' || !Number.isInteger(value)) return NOT_WHOLE;
  return value < 0 ? BELOW_ZERO : value;
}

/** @param strings null for an invalid one */
function indexes(column: Column, strings: readonly (string | null)[]): Int32Array {
  const codes = new Int32Array(column.length);
  for (let row = 0; row < codes.length; row++) {
    const value = column[row];
    if (value === null || value === undefined) codes[row] = NULL;
    else codes[row] = typeof value === 'number' && typeof strings[value] === 'string' ? value : NO_INDEX;
  }
  return codes;
}

function readTexts(
  columns: JsonObject,
  dictionaries: JsonObject,
  n: number,
  limits: ColumnLimits,
): BatchColumns['texts'] {
  return TEXT_NAMES.map((name): TextColumn | undefined => {
    const dictionary = readDictionary(dictionaries, name, limits);
    const column = columnAt(columns, name, n);
    if (column === null) return undefined;
    // Each string is validated once, not once per row, and an invalid one harms only the rows that point at it.
    const strings = dictionary.map(DICTIONARY_RULES[name].read);
    return { strings: strings.map((text) => text ?? ''), codes: indexes(column, strings) };
  });
}

function readDictionary(dictionaries: JsonObject, name: string, limits: ColumnLimits): Column {
  const entries = own(dictionaries, name) ?? [];
  if (!Array.isArray(entries)) throw invalid(`dictionaries.${name} is not an array`, 'Make it an array of strings.');
  if (entries.length > limits.dictionaryEntries) {
    throw new BatchFault(
      'batch_too_large',
      `dictionaries.${name} has ${entries.length} entries`,
      `Send at most ${limits.dictionaryEntries} entries per dictionary.`,
    );
  }
  return entries;
}

function readMetricColumns(columns: JsonObject, n: number, limits: ColumnLimits): BatchColumns['metrics'] {
  if ((own(columns, 'metrics') ?? null) === null) return [];
  const metrics = objectAt(columns, 'metrics');
  const names = Object.keys(metrics);
  if (names.length > limits.metrics) {
    throw new BatchFault(
      'batch_too_large',
      `columns.metrics has ${names.length} metrics`,
      `Send at most ${limits.metrics} metrics per batch.`,
    );
  }
  return names.flatMap((name) => {
    const column = readMetricColumn(metrics, name, n);
    return column === null ? [] : [[name, column] as const];
  });
}

/** null if the column is absent. */
function readMetricColumn(metrics: JsonObject, name: string, n: number): Float64Array | null {
  if (!isMetricName(name)) {
    throw invalid('columns.metrics has a name that is not a Server-Timing metric', 'Metric names are HTTP tokens.');
  }
  const column = columnAt(metrics, name, n);
  if (column === null) return null;
  return Float64Array.from(column, (value) => {
    if (value === null || value === undefined) return Number.NaN;
    return typeof value === 'number' && !Number.isNaN(value) ? value : Infinity;
  });
}

/** `__proto__` is a token too, and would change the prototype of an object. */
function isMetricName(name: string): boolean {
  return METRIC_NAME.test(name) && name !== '__proto__';
}

function columnAt(parent: JsonObject, name: string, n: number): Column | null {
  const column = own(parent, name) ?? null;
  if (column === null) return null;
  if (!Array.isArray(column))
    throw invalid(`columns: ${name} is not an array`, 'Every column is an array of n values.');
  if (column.length !== n) {
    throw invalid(`columns: ${name} has ${column.length} values, n is ${n}`, 'Every column is an array of n values.');
  }
  return column;
}

function objectAt(parent: JsonObject, name: string): JsonObject {
  const value = own(parent, name);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${name} is not an object`, 'See docs/wire-format.md for a complete batch.');
  }
  return value as JsonObject;
}

/** Own properties only: nothing is read from a prototype. */
export function own(parent: JsonObject, name: string): unknown {
  return Object.hasOwn(parent, name) ? parent[name] : undefined;
}

export function invalid(message: string, hint: string): BatchFault {
  return new BatchFault('invalid_batch', message, hint);
}

export function unsupportedVersion(): BatchFault {
  return new BatchFault(
    'unsupported_version',
    'this collector does not support the version of the batch',
    `Send version ${WIRE_VERSION}, or update the collector to the version of the extension.`,
  );
}
