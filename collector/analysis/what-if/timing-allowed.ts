import { OUTCOME } from '../../reductions/request-table.ts';
import type { Waits } from '../findings/waits.ts';
import { SavedTime, type Units } from './saved-time.ts';
import { MIN_REQUESTS, type Saving, unknownSaving } from './saving.ts';

const REMEDY = { remedy: 'timing_allowed' } as const;

/** Timing-Allow-Origin saves no time: it shows what the time is spent on. */
export function predictTimingAllowed(waits: Waits, units: Units, minBrowsers: number): Saving {
  const { waited, table, totalMs } = waits;
  if (waited.length < MIN_REQUESTS) return unknownSaving(REMEDY, 'too_few_requests');
  const shown = new SavedTime(waits, units);
  let hiddenMs = 0;
  let opaque = 0;
  for (const row of waited) {
    if (table.outcome[row] !== OUTCOME.opaque) continue;
    opaque++;
    hiddenMs += table.times.ttlb[row] as number;
    shown.add(row, 0);
  }
  const facts = { opaqueShare: opaque / waited.length, hiddenShare: totalMs === 0 ? 0 : hiddenMs / totalMs };
  return shown.saving({ ...REMEDY, facts }, minBrowsers);
}
