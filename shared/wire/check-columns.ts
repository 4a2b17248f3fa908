import { NUMBER_NAMES, type NumberName, type TextName } from '../sample/sample-columns.ts';
import { TIME_NAMES } from '../timing/time-names.ts';
import type { BatchColumn, BatchColumns, BatchText } from './batch-columns.ts';
import { checkMetricColumn, checkTimeColumn, checkTotals, checkWholeColumn } from './column-checks.ts';
import { DICTIONARY_RULES } from './dictionary-rules.ts';
import type { RawColumns } from './read-columns.ts';
import { createRowFaults, type RowFaults } from './row-faults.ts';
import type { RejectedRow } from './wire-batch.ts';
import { MAX_TIME } from './wire-limits.ts';

/** 100 million days around 1970: what a Date can hold, ms. */
const MAX_EPOCH_MS = 8.64e15;
const ANY_SIZE = Number.MAX_SAFE_INTEGER;

export interface CheckedColumns {
  readonly columns: BatchColumns;
  readonly rejected: readonly RejectedRow[];
}

/** Which times are taken, epoch ms by the collector's clock, and what brings a row's own time there. */
export interface TimeWindow {
  readonly correction: number;
  readonly oldest: number;
  readonly newest: number;
}

/**
 * Judges columns whose shape was checked, one column at a time. A row with anything out of range is rejected with its
 * first fault, in the order of the columns here, and left out of all of them.
 */
export function checkColumns(raw: RawColumns, window: TimeWindow): CheckedColumns {
  const faults = createRowFaults();
  const at = checkAt(raw, window, faults);
  const texts: Partial<Record<TextName, BatchText>> = {};
  for (const name of DICTIONARY_NAMES) {
    const text = checkText(raw, name, faults);
    if (text !== null) texts[name] = text;
  }
  const numbers = checkNumbers(raw, texts.unknown ?? null, faults);
  for (const [, column] of raw.metrics) checkMetricColumn(column, faults);
  const columns = { n: raw.n, at, texts, numbers, metrics: raw.metrics as BatchColumns['metrics'] };
  if (faults.count === 0) return { columns, rejected: [] };
  return { columns: withoutFaults(columns, faults), rejected: faults.list() };
}

type DictionaryName = keyof typeof DICTIONARY_RULES;
const DICTIONARY_NAMES = Object.keys(DICTIONARY_RULES) as DictionaryName[];

/** Deltas: past a row whose time can't be read, no later time is known either. */
function checkAt(raw: RawColumns, { correction, oldest, newest }: TimeWindow, faults: RowFaults): number[] {
  const times = new Array<number>(raw.n);
  let at = 0;
  for (let row = 0; row < raw.n; row++) {
    const delta = raw.at[row];
    at = typeof delta === 'number' && Number.isInteger(delta) ? at + delta : Number.NaN;
    const corrected = at + correction;
    if (!(at >= 0 && at <= MAX_EPOCH_MS)) faults.note(row, 'bad_at');
    else if (corrected < oldest) faults.note(row, 'too_old');
    else if (corrected > newest) faults.note(row, 'in_future');
    times[row] = corrected;
  }
  return times;
}

function checkText(raw: RawColumns, name: DictionaryName, faults: RowFaults): BatchText | null {
  const { read, nullable, code } = DICTIONARY_RULES[name];
  const indexes = raw.indexes[name];
  if (indexes === null) {
    if (!nullable) for (let row = 0; row < raw.n; row++) faults.note(row, code);
    return null;
  }
  const dictionary = raw.dictionaries[name];
  // Each entry is judged once, not once per row; a bad one harms only the rows that point at it.
  const bad = new Set<number>();
  const entries = dictionary.map((entry, place) => {
    const text = read(entry);
    if (text === null) bad.add(place);
    return text ?? '';
  });
  const { length } = entries;
  for (let row = 0; row < raw.n; row++) {
    const index = indexes[row] ?? null;
    if (index === null) {
      if (!nullable) faults.note(row, code);
    } else if (!isPlace(index, length) || (bad.size > 0 && bad.has(index))) faults.note(row, code);
  }
  return { entries, indexes: indexes as BatchColumn };
}

function isPlace(index: unknown, length: number): index is number {
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < length;
}

function checkNumbers(raw: RawColumns, unknown: BatchText | null, faults: RowFaults): BatchColumns['numbers'] {
  const reasons = reasonsOf(raw.n, unknown);
  TIME_NAMES.forEach((name, place) => {
    checkTimeColumn(raw.times[name], reasons, 1 << place, faults);
  });
  checkTotals(raw, faults);
  checkWholeColumn(raw.status, 100, 599, 'bad_status', faults);
  checkWholeColumn(raw.transferSize, 0, ANY_SIZE, 'bad_size', faults);
  checkWholeColumn(raw.encodedBodySize, 0, ANY_SIZE, 'bad_size', faults);
  checkWholeColumn(raw.decodedBodySize, 0, ANY_SIZE, 'bad_size', faults);
  checkWholeColumn(raw.idleMs, 0, ANY_SIZE, 'bad_idle', faults);
  checkWholeColumn(raw.serverTime, 0, MAX_TIME, 'bad_server_time', faults);
  const numbers: Partial<Record<NumberName, BatchColumn>> = {};
  for (const name of NUMBER_NAMES) {
    const column = name in raw.times ? raw.times[name as keyof RawColumns['times']] : raw[name as 'status'];
    if (column !== null) numbers[name] = column as BatchColumn;
  }
  return numbers;
}

/** Per row one bit for each time that a reason is given for. */
function reasonsOf(n: number, unknown: BatchText | null): number[] {
  if (unknown === null) return new Array<number>(n).fill(0);
  const masks = unknown.entries.map(reasonMask);
  // A place that is none was found before, and is the row's fault already.
  return unknown.indexes.map((place) => (place === null ? 0 : (masks[place] ?? 0)));
}

/** The bits of `reasonsText`. */
function reasonMask(reasons: string): number {
  let mask = 0;
  if (reasons === '') return mask;
  for (const part of reasons.split(' ')) {
    mask |= 1 << (TIME_NAMES as readonly string[]).indexOf(part.slice(0, part.indexOf('=')));
  }
  return mask;
}

function withoutFaults(columns: BatchColumns, faults: RowFaults): BatchColumns {
  const keep = <T>(column: readonly T[]): T[] => column.filter((_, row) => !faults.has(row));
  const at = keep(columns.at);
  return {
    n: at.length,
    at,
    texts: Object.fromEntries(
      Object.entries(columns.texts).map(([name, { entries, indexes }]) => [name, { entries, indexes: keep(indexes) }]),
    ),
    numbers: Object.fromEntries(Object.entries(columns.numbers).map(([name, column]) => [name, keep(column)])),
    metrics: columns.metrics.map(([name, column]) => [name, keep(column)] as const),
  };
}
