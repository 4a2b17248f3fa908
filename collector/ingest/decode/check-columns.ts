import { NULL, NUMBER_INDEX, TEXT_INDEX, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { isImported } from '../../../shared/vocabulary/vocabulary.ts';
import { MAX_SIZE, MAX_TIME } from '../../../shared/vocabulary/wire-limits.ts';
import type { RejectedRow } from '../../../shared/wire/wire-batch.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { checkMetricColumn, checkTimeColumn, checkTotals, checkWholeColumn } from './column-checks.ts';
import { DICTIONARY_RULES, type DictionaryRule } from './dictionary-rules.ts';
import { filterRows } from './filter-rows.ts';
import { glanceAtTimes } from './glance-at-times.ts';
import type { RawColumns } from './raw-columns.ts';
import { RowFaults } from './row-faults.ts';

/** 100 million days around 1970: what a Date can hold, ms. */
const MAX_EPOCH_MS = 8.64e15;

export interface CheckedColumns {
  readonly columns: BatchColumns;
  readonly rejected: readonly RejectedRow[];
}

/** What is taken: which times, epoch ms by the collector's clock, and what brings a row's own time there. */
export interface Admission {
  readonly correction: number;
  readonly oldest: number;
  readonly newest: number;
  /** Recordings: the admin's act, and never a browser's. */
  readonly imports: boolean;
}

/**
 * Judges columns whose shape was checked, one column at a time. A row with anything out of range is rejected with its
 * first fault, in the order of the columns here, and left out of all of them.
 */
export function checkColumns(raw: RawColumns, admission: Admission): CheckedColumns {
  const faults = new RowFaults();
  const at = checkAt(raw, admission, faults);
  const texts: (TextColumn | undefined)[] = raw.texts.map(() => undefined);
  for (const { place, rule } of RULES) texts[place] = checkText(raw, place, rule, faults);
  if (!admission.imports) refuseImports(texts[TEXT_INDEX.source], faults);
  checkNumbers(raw, texts[TEXT_INDEX.unknown], faults);
  for (const [, column] of raw.metrics) checkMetricColumn(column, faults);
  const columns = { n: raw.n, at, texts, numbers: raw.numbers, metrics: raw.metrics };
  if (faults.count === 0) return { columns, rejected: [] };
  return { columns: filterRows(columns, (row) => !faults.has(row)), rejected: faults.list() };
}

/** In their order: of two faults of a row the first counts. */
const RULES = (Object.keys(DICTIONARY_RULES) as (keyof typeof DICTIONARY_RULES)[]).map((name) => ({
  place: TEXT_INDEX[name],
  rule: DICTIONARY_RULES[name],
}));

/** In place. Deltas: past a row whose time can't be read, no later time is known either. */
function checkAt(raw: RawColumns, { correction, oldest, newest }: Admission, faults: RowFaults): Float64Array {
  const times = raw.at;
  let at = 0;
  for (let row = 0; row < raw.n; row++) {
    at += times[row] as number;
    const corrected = at + correction;
    if (!(at >= 0 && at <= MAX_EPOCH_MS)) faults.note(row, 'bad_at');
    else if (corrected < oldest) faults.note(row, 'too_old');
    else if (corrected > newest) faults.note(row, 'in_future');
    times[row] = corrected;
  }
  return times;
}

function checkText(
  raw: RawColumns,
  textPlace: number,
  { nullable, code }: DictionaryRule,
  faults: RowFaults,
): TextColumn | undefined {
  const text = raw.texts[textPlace];
  if (text === undefined) {
    if (!nullable) for (let row = 0; row < raw.n; row++) faults.note(row, code);
    return undefined;
  }
  const { entries, numbers, codes } = text;
  // A bad entry harms only the rows that point at it.
  const flawless = !entries.includes(null);
  const lowest = nullable ? NULL : 0;
  for (let row = 0; row < codes.length; row++) {
    const place = codes[row] as number;
    const isPlace = place >= lowest && place < entries.length;
    if (!isPlace || (!flawless && entries[place] === null)) faults.note(row, code);
  }
  if (flawless) return { entries: entries as readonly string[], numbers, codes };
  return { entries: entries.map((entry) => entry ?? ''), codes };
}

/** Questions leave imports out unless asked for them: an ingest key could hide its rows that way. */
function refuseImports(source: TextColumn | undefined, faults: RowFaults): void {
  if (!source?.entries.some(isImported)) return;
  source.codes.forEach((place, row) => {
    if (isImported(source.entries[place] ?? '')) faults.note(row, DICTIONARY_RULES.source.code);
  });
}

/** In their order: of two faults of a row the first counts. All have room for nine digits. */
const SIZE_RULES = [
  [NUMBER_INDEX.transferSize, MAX_SIZE, 'bad_size'],
  [NUMBER_INDEX.encodedBodySize, MAX_SIZE, 'bad_size'],
  [NUMBER_INDEX.decodedBodySize, MAX_SIZE, 'bad_size'],
  [NUMBER_INDEX.idleMs, MAX_SIZE, 'bad_idle'],
  [NUMBER_INDEX.serverTime, MAX_TIME, 'bad_server_time'],
] as const;

function checkNumbers(raw: RawColumns, unknown: TextColumn | undefined, faults: RowFaults): void {
  const { n, numbers, glance } = raw;
  const reasons = reasonsOf(n, unknown);
  if (!glanceAtTimes(raw, reasons)) {
    // Times are the first of the numbers.
    for (let place = 0; place < TIME_NAMES.length; place++)
      checkTimeColumn(numbers[place], reasons, 1 << place, faults);
    checkTotals(n, numbers, faults);
  }
  checkWholeColumn(numbers[NUMBER_INDEX.status], 100, 599, 'bad_status', faults);
  for (const [place, max, code] of SIZE_RULES) {
    if (((glance?.short ?? 0) & (1 << place)) === 0) checkWholeColumn(numbers[place], 0, max, code, faults);
  }
}

/** Used again for every batch. */
let reasonMasks = new Int32Array(0);

/** Per row one bit for each time that a reason is given for. Valid until the next batch. */
function reasonsOf(n: number, unknown: TextColumn | undefined): Int32Array {
  if (reasonMasks.length < n) reasonMasks = new Int32Array(n);
  const reasons = reasonMasks.subarray(0, n);
  if (unknown === undefined) return reasons.fill(0);
  const { codes } = unknown;
  const masks = unknown.entries.map(reasonMask);
  for (let row = 0; row < n; row++) {
    const place = codes[row] as number;
    // A place that is none was found before, and is the row's fault already.
    reasons[row] = place === NULL ? 0 : (masks[place] ?? 0);
  }
  return reasons;
}

/** There are few combinations, and every batch has some. As many as fit into a glance at memory; then anew. */
const MAX_MASKS = 1000;
const masksOfReasons = new Map<string, number>();

/** The bits of `reasonsText`. */
function reasonMask(reasons: string): number {
  const known = masksOfReasons.get(reasons);
  if (known !== undefined) return known;
  let mask = 0;
  for (const part of reasons === '' ? [] : reasons.split(' ')) {
    mask |= 1 << (TIME_NAMES as readonly string[]).indexOf(part.slice(0, part.indexOf('=')));
  }
  if (masksOfReasons.size >= MAX_MASKS) masksOfReasons.clear();
  masksOfReasons.set(reasons, mask);
  return mask;
}
