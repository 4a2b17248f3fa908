import { CONNECTION } from '../../reductions/request-table.ts';
import type { Waits } from '../findings/waits.ts';
import type { ReplayedConnections } from './replay-connections.ts';
import { SavedTime, type Units } from './saved-time.ts';
import { MIN_REQUESTS, type Saving, unknownSaving } from './saving.ts';
import { setUpOf, typicalOfNew } from './set-up-times.ts';
import { slowStartMs } from './slow-start.ts';

/** A browser's own scheduling takes no longer: what waits longer is queueing. */
const OWN_MS = 5;
const REMEDY = { remedy: 'http2' } as const;

/** All requests share one connection: none waits for a free one, and none opens another beside one that is open. */
export function predictHttp2(
  waits: Waits,
  units: Units,
  { besideBusy }: ReplayedConnections,
  minBrowsers: number,
): Saving {
  const { timed, table, left } = waits;
  const old = table.protocols.indexOf('http/1.1');
  const saved = new SavedTime(waits, units);
  const roundTrip = typicalOfNew(waits, (row) => left.tcp[row] as number);
  let [known, before] = [0, 0];
  for (const row of timed) {
    if ((table.protocol[row] as number) < 0) continue;
    known++;
    if (table.protocol[row] !== old) continue;
    before++;
    const blocked = left.blocked[row] as number;
    const queued = blocked > OWN_MS ? blocked - OWN_MS : 0;
    const isSpared = table.connection[row] === CONNECTION.new && besideBusy[row] === 1;
    const setUp = isSpared ? setUpOf(waits, row) : 0;
    if (queued + setUp === 0) continue;
    saved.add(row, queued + setUp, [
      0,
      (queued > 0 ? OWN_MS : 0) + (isSpared ? slowStartMs(table.size[row] as number, roundTrip(row)) : 0),
    ]);
  }
  if (known < MIN_REQUESTS) {
    return unknownSaving(REMEDY, timed.length < MIN_REQUESTS ? 'too_few_requests' : 'protocol_unknown');
  }
  return saved.saving({ ...REMEDY, facts: { http1Requests: before } }, minBrowsers);
}
