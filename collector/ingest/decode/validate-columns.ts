import { NULL, NUMBER_INDEX, TEXT_INDEX, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { isImported } from '../../../shared/vocabulary/vocabulary.ts';
import { MAX_JOURNEY_STEPS, MAX_SIZE, MAX_TIME } from '../../../shared/vocabulary/wire-limits.ts';
import type { RejectedRow } from '../../../shared/wire/wire-batch.ts';
import type { IgnoredValue } from '../../../shared/wire/wire-codes.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { DICTIONARY_RULES, type DictionaryRule } from './dictionary-rules.ts';
import { RowFaults } from './row-faults.ts';
import { validateTimes } from './validate-times.ts';

/** 100 million days around 1970: the range of a Date, ms. */
const MAX_EPOCH_MS = 8.64e15;
/** Larger than any allow-listed server metric, whatever its unit. */
const MAX_METRIC = 1e15;

/** Which rows are accepted. */
export interface RowRules {
  /** Added to the row's own time, ms. */
  readonly correction: number;
  /** By the collector's clock, epoch ms. */
  readonly oldest: number;
  readonly newest: number;
  /** Recordings, which only an admin imports and no browser sends. */
  readonly imports: boolean;
}

/**
 * Validates columns as `readColumns` returns them, one column at a time, and turns the deltas of `at` into times. A row is
 * rejected with its first fault and left out of all columns. Numbers that a sample is complete without become null instead: a
 * server's header must not cost a sample. Not so `status`, which decides whether a sample may be used.
 */
export function validateColumns(
  columns: BatchColumns,
  rules: RowRules,
): {
  readonly columns: BatchColumns;
  readonly rejected: readonly RejectedRow[];
  /** How many numbers became null, by their code. */
  readonly ignored: IgnoredCounts;
} {
  const { n, at, texts, numbers, metrics } = columns;
  const faults = new RowFaults();
  validateAt(at, rules, faults);
  for (const { index, rule } of TEXT_RULES) validateText(n, texts[index], rule, faults);
  if (!rules.imports) refuseImports(texts[TEXT_INDEX.source], faults);
  validateTimes(columns, faults);
  validateStatus(numbers[NUMBER_INDEX.status], faults);
  const ignored: Partial<Record<IgnoredValue, number>> = {};
  const ignore = (code: IgnoredValue, values: number) => {
    if (values > 0) ignored[code] = (ignored[code] ?? 0) + values;
  };
  for (const [index, max, code] of SIZE_RULES) ignore(code, clearAbove(numbers[index], max));
  for (const [, column] of metrics) ignore('bad_metric', clearMetrics(column));
  if (faults.count === 0) return { columns, rejected: [], ignored };
  return { columns: filterRows(columns, (row) => !faults.has(row)), rejected: faults.list(), ignored };
}

export type IgnoredCounts = Readonly<Partial<Record<IgnoredValue, number>>>;

const TEXT_RULES = (Object.keys(DICTIONARY_RULES) as (keyof typeof DICTIONARY_RULES)[]).map((name) => ({
  index: TEXT_INDEX[name],
  rule: DICTIONARY_RULES[name],
}));

const SIZE_RULES = [
  [NUMBER_INDEX.transferSize, MAX_SIZE, 'bad_size'],
  [NUMBER_INDEX.encodedBodySize, MAX_SIZE, 'bad_size'],
  [NUMBER_INDEX.decodedBodySize, MAX_SIZE, 'bad_size'],
  [NUMBER_INDEX.idleMs, MAX_SIZE, 'bad_idle'],
  [NUMBER_INDEX.serverTime, MAX_TIME, 'bad_server_time'],
  [NUMBER_INDEX.step, MAX_JOURNEY_STEPS, 'bad_step'],
  [NUMBER_INDEX.run, MAX_EPOCH_MS, 'bad_step'],
] as const;

/** In place. Past a row whose delta is unreadable, no later time is known either. */
function validateAt(times: Float64Array, { correction, oldest, newest }: RowRules, faults: RowFaults): void {
  let at = 0;
  for (let row = 0; row < times.length; row++) {
    at += times[row] as number;
    const corrected = at + correction;
    if (!(at >= 0 && at <= MAX_EPOCH_MS)) faults.note(row, 'bad_at');
    else if (corrected < oldest) faults.note(row, 'too_old');
    else if (corrected > newest) faults.note(row, 'in_future');
    times[row] = corrected;
  }
}

/** The strings were validated as they were read. */
function validateText(
  n: number,
  text: TextColumn | undefined,
  { nullable, code }: DictionaryRule,
  faults: RowFaults,
): void {
  if (text === undefined) {
    if (!nullable) for (let row = 0; row < n; row++) faults.note(row, code);
    return;
  }
  const { strings, codes } = text;
  const lowest = nullable ? NULL : 0;
  for (let row = 0; row < codes.length; row++) {
    const index = codes[row] as number;
    if (!(index >= lowest && index < strings.length)) faults.note(row, code);
  }
}

/** Questions leave imports out by default: an ingest key could hide its rows by claiming to be one. */
function refuseImports(source: TextColumn | undefined, faults: RowFaults): void {
  if (!source?.strings.some(isImported)) return;
  source.codes.forEach((index, row) => {
    if (isImported(source.strings[index] ?? '')) faults.note(row, DICTIONARY_RULES.source.code);
  });
}

/** NULL is always legal. */
function validateStatus(column: Float64Array | undefined, faults: RowFaults): void {
  if (column === undefined) return;
  for (let row = 0; row < column.length; row++) {
    const value = column[row] as number;
    if ((value < 100 || value > 599) && value !== NULL) faults.note(row, 'bad_status');
  }
}

/** In place. @returns how many values became NULL: what is no whole number was read as one below that. */
function clearAbove(column: Float64Array | undefined, max: number): number {
  let cleared = 0;
  for (let row = 0; row < (column?.length ?? 0); row++) {
    const value = column?.[row] as number;
    if (value >= NULL && value <= max) continue;
    (column as Float64Array)[row] = NULL;
    cleared++;
  }
  return cleared;
}

/** In place, as above. NaN stands for an absent metric. */
function clearMetrics(column: Float64Array): number {
  let cleared = 0;
  for (let row = 0; row < column.length; row++) {
    if (!(Math.abs(column[row] as number) > MAX_METRIC)) continue;
    column[row] = Number.NaN;
    cleared++;
  }
  return cleared;
}

/** The rows of a batch that `keeps` accepts, in new columns. */
export function filterRows(columns: BatchColumns, keeps: (row: number) => boolean): BatchColumns {
  const keep = <T extends Float64Array | Int32Array>(column: T): T => column.filter((_, row) => keeps(row)) as T;
  const at = keep(columns.at);
  return {
    n: at.length,
    at,
    texts: columns.texts.map((text) => text && { ...text, codes: keep(text.codes) }),
    numbers: columns.numbers.map((column) => column && keep(column)),
    metrics: columns.metrics.map(([name, column]) => [name, keep(column)] as const),
  };
}
