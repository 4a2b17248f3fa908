import type { Sample } from '../sample/sample.ts';
import { PHASES, TIME_NAMES, type TimeName } from '../timing/time-names.ts';
import type { RawTimes } from './read-columns.ts';
import type { RowCode } from './wire-codes.ts';
import { MAX_TIME } from './wire-limits.ts';

/** The first fault among one row's times, or null. Parts of a request can't last longer than the whole. */
export function checkTimes(times: RawTimes, reasons: Sample['unknown'], row: number): RowCode | null {
  for (const name of TIME_NAMES) {
    const value = times[name]?.[row] ?? null;
    if (value === null) {
      if (reasons[name] === undefined) return 'reason_missing';
      continue;
    }
    if (typeof value !== 'number' || !Number.isInteger(value) || value > MAX_TIME) return 'bad_time';
    if (value < 0) return 'negative_time';
    if (reasons[name] !== undefined) return 'reason_without_null';
  }
  const { ttfb, ttlb, ...parts } = readTimes(times, row);
  if (ttlb === null) return null;
  const sum = PHASES.reduce((total, phase) => total + (parts[phase] ?? 0), 0);
  return sum > ttlb || (ttfb ?? 0) > ttlb ? 'phases_exceed_total' : null;
}

/** Only for values `checkTimes` has seen, or is about to. */
export function readTimes(times: RawTimes, row: number): Record<TimeName, number | null> {
  const read = (name: TimeName) => (times[name]?.[row] ?? null) as number | null;
  return {
    blocked: read('blocked'),
    dns: read('dns'),
    tcp: read('tcp'),
    tls: read('tls'),
    wait: read('wait'),
    receive: read('receive'),
    redirect: read('redirect'),
    ttfb: read('ttfb'),
    ttlb: read('ttlb'),
  };
}
