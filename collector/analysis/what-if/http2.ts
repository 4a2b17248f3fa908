import { CONNECTION } from '../../reductions/request-table.ts';
import type { Waits } from '../findings/waits.ts';
import { blockedParts } from './blocked-parts.ts';
import type { ReplayedConnections } from './replay-connections.ts';
import { SavedTime, type Units } from './saved-time.ts';
import { MIN_REQUESTS, type Saving, unknownSaving } from './saving.ts';
import { rowSetUp, typicalOfNew } from './set-up-times.ts';
import { slowStartMs } from './slow-start.ts';

const REMEDY = { remedy: 'http2' } as const;

/** All requests share one connection: none waits for a free one, and none opens another beside one that is open. */
export function predictHttp2(waits: Waits, units: Units, replayed: ReplayedConnections, minBrowsers: number): Saving {
  const { timed, table, left } = waits;
  const old = table.protocols.indexOf('http/1.1');
  const saved = new SavedTime(waits, units);
  const parts = blockedParts(waits, replayed);
  const roundTrip = typicalOfNew(waits, (row) => left.tcp[row] as number);
  let [known, before] = [0, 0];
  for (const row of timed) {
    if ((table.protocol[row] as number) < 0) continue;
    known++;
    if (table.protocol[row] !== old) continue;
    before++;
    const queued = parts.queued(row);
    const isSpared = table.connection[row] === CONNECTION.new && replayed.besideBusy[row] === 1;
    const setUp = isSpared ? rowSetUp(waits, row) : 0;
    if (queued + setUp === 0) continue;
    // How long the browser schedules so many requests at once is not known any closer.
    const unsure = queued > 0 ? parts.own(row) : 0;
    const slowStart = isSpared ? slowStartMs(table.size[row] as number, roundTrip(row)) : 0;
    saved.add(row, queued + setUp, [unsure, unsure + slowStart]);
  }
  if (known < MIN_REQUESTS) {
    return unknownSaving(REMEDY, timed.length < MIN_REQUESTS ? 'too_few_requests' : 'protocol_unknown');
  }
  return saved.saving({ ...REMEDY, facts: { http1Requests: before } }, minBrowsers);
}
