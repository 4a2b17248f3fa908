import type { Sample } from '../sample/sample.ts';
import { checkNumbers } from './check-numbers.ts';
import { checkTimes } from './check-times.ts';
import { DICTIONARY_RULES } from './dictionary-rules.ts';
import type { RawColumns } from './read-columns.ts';
import { readReasons, readRow } from './read-row.ts';
import type { RejectedRow, WireDictionaries } from './wire-batch.ts';
import type { RowCode } from './wire-codes.ts';

/** 100 million days around 1970: what a Date can hold, ms. */
const MAX_EPOCH_MS = 8.64e15;

export interface DecodedColumns {
  readonly samples: readonly Sample[];
  readonly rejected: readonly RejectedRow[];
}

/** Which times are taken, epoch ms by the collector's clock, and what brings a row's own time there. */
export interface TimeWindow {
  readonly correction: number;
  readonly oldest: number;
  readonly newest: number;
}

/** Columns whose shape was checked, to samples. A row with anything out of range is rejected with its first fault. */
export function decodeColumns(raw: RawColumns, window: TimeWindow): DecodedColumns {
  const bad = badEntries(raw);
  const samples: Sample[] = [];
  const rejected: RejectedRow[] = [];
  let at = 0;
  for (let row = 0; row < raw.n; row++) {
    // Deltas: past a row whose time can't be read, no later time is known either.
    const delta = raw.at[row];
    at = typeof delta === 'number' && Number.isInteger(delta) ? at + delta : Number.NaN;
    const corrected = at + window.correction;
    const code = timeFault(at, corrected, window) ?? rowFault(raw, bad, row);
    if (code === null) samples.push(readRow(raw, row, corrected));
    else rejected.push({ row, code });
  }
  return { samples, rejected };
}

type DictionaryName = keyof WireDictionaries;
const DICTIONARY_NAMES = Object.keys(DICTIONARY_RULES) as DictionaryName[];

/** Each dictionary entry is judged once, not once per row. */
function badEntries(raw: RawColumns): Readonly<Record<DictionaryName, ReadonlySet<number>>> {
  const bad = {} as Record<DictionaryName, ReadonlySet<number>>;
  for (const name of DICTIONARY_NAMES) {
    const accepts = DICTIONARY_RULES[name].accepts;
    const places = new Set<number>();
    raw.dictionaries[name].forEach((entry, place) => {
      if (!accepts(entry)) places.add(place);
    });
    bad[name] = places;
  }
  return bad;
}

function timeFault(at: number, corrected: number, window: TimeWindow): RowCode | null {
  if (!(at >= 0 && at <= MAX_EPOCH_MS)) return 'bad_at';
  if (corrected < window.oldest) return 'too_old';
  return corrected > window.newest ? 'in_future' : null;
}

function rowFault(
  raw: RawColumns,
  bad: Readonly<Record<DictionaryName, ReadonlySet<number>>>,
  row: number,
): RowCode | null {
  for (const name of DICTIONARY_NAMES) {
    const rule = DICTIONARY_RULES[name];
    const index = raw.indexes[name]?.[row] ?? null;
    if (index === null) {
      if (!rule.nullable) return rule.code;
    } else if (!isPlace(index, raw.dictionaries[name].length) || bad[name].has(index)) {
      return rule.code;
    }
  }
  return checkTimes(raw.times, readReasons(raw, row), row) ?? checkNumbers(raw, row);
}

function isPlace(index: unknown, length: number): index is number {
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < length;
}
