import type { RawColumns } from './read-columns.ts';
import type { RowCode } from './wire-codes.ts';
import { MAX_TIME } from './wire-limits.ts';

/** No allow-listed server metric is larger than this, in whatever unit it has. */
const MAX_METRIC = 1e15;

/** The first fault among one row's plain numbers, or null. Null itself is always a legal "not known". */
export function checkNumbers(raw: RawColumns, row: number): RowCode | null {
  if (!isWhole(raw.status, row, 100, 599)) return 'bad_status';
  const sizes = [raw.transferSize, raw.encodedBodySize, raw.decodedBodySize];
  if (!sizes.every((column) => isWhole(column, row, 0, Number.MAX_SAFE_INTEGER))) return 'bad_size';
  if (!isWhole(raw.idleMs, row, 0, Number.MAX_SAFE_INTEGER)) return 'bad_idle';
  if (!isWhole(raw.serverTime, row, 0, MAX_TIME)) return 'bad_server_time';
  for (const [, column] of raw.metrics) {
    const value = column[row] ?? null;
    if (value !== null && !(typeof value === 'number' && Math.abs(value) <= MAX_METRIC)) return 'bad_metric';
  }
  return null;
}

function isWhole(column: readonly unknown[] | null, row: number, min: number, max: number): boolean {
  const value = column?.[row] ?? null;
  return value === null || (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max);
}
