import { CONNECTION } from '../../reductions/request-table.ts';
import type { Waits } from '../findings/waits.ts';
import { blockedParts } from './blocked-parts.ts';
import type { ReplayedConnections } from './replay-connections.ts';
import { SavedTime, type Units } from './saved-time.ts';
import { MIN_REQUESTS, type Saving, unknownSaving } from './saving.ts';
import { rowSetUp, typicalOfNew } from './set-up-times.ts';
import { slowStartMs } from './slow-start.ts';
import { findTimeouts, type TimeoutInUse } from './timeout-in-use.ts';

/** Common values of servers and load balancers. */
const TIMEOUTS_S = [5, 15, 30, 60, 120, 300] as const;
const DAY_MS = 86_400_000;

/** What another keep-alive timeout would save, from the idle times that browsers saw. */
export function predictKeepAlive(
  waits: Waits,
  units: Units,
  replayed: ReplayedConnections,
  minBrowsers: number,
): Saving[] {
  const { table, timed, host } = waits;
  if (replayed.known < MIN_REQUESTS) {
    const reason = replayed.known === 0 && timed.length >= MIN_REQUESTS ? 'no_idle_times' : 'too_few_requests';
    return TIMEOUTS_S.map((seconds) => unknownSaving({ remedy: 'keep_alive', seconds }, reason));
  }
  const setUp = typicalOfNew(waits, (row) => rowSetUp(waits, row));
  const roundTrip = typicalOfNew(waits, (row) => waits.left.tcp[row] as number);
  const slowStart = (row: number) => slowStartMs(table.size[row] as number, roundTrip(row));
  const parts = blockedParts(waits, replayed);
  /** For a connection that another request opened, or that became free before its own was open. */
  const waitedMs = (row: number) => (table.connection[row] === CONNECTION.reused ? parts.queued(row) : 0);
  const { timeouts, isJudged, wouldFindOpen } = findTimeouts(waits, replayed, (row) => waitedMs(row) > 0);
  const steps = timeouts.flatMap(({ since }) => (since === null ? [] : [since * DAY_MS]));
  const stepped = steps.length === 0 ? {} : { since: Math.max(...steps) };
  const judged = timed.filter(isJudged);
  const connections = timed.reduce((sum, row) => sum + (table.connection[row] === CONNECTION.new ? 1 : 0), 0);
  return TIMEOUTS_S.map((seconds) => {
    const timeout = seconds * 1000;
    const saved = new SavedTime(waits, units);
    let after = connections;
    for (const row of judged) {
      const idle = replayed.idle[row] as number;
      const now = timeouts[host[row] as number] as TimeoutInUse;
      const would = 1 - now.newBelow;
      if (wouldFindOpen(row, timeout)) {
        const isNew = table.connection[row] === CONNECTION.new;
        const ms = isNew ? rowSetUp(waits, row) || setUp(row) : waitedMs(row);
        if (isNew) after -= would;
        // Whether the server lets an idle connection go on as fast as it was is not known, nor what else blocked it.
        if (ms > 0) saved.add(row, ms * would, isNew ? [0, slowStart(row) * would] : [parts.own(row), parts.own(row)]);
      } else if (table.connection[row] === CONNECTION.reused && idle > timeout && idle <= now.ms) {
        after++;
        const ms = setUp(row);
        if (ms > 0) saved.add(row, -ms, [slowStart(row), 0]);
      }
    }
    const facts = { ...stepped, connections, connectionsAfter: Math.max(0, Math.round(after)) };
    return saved.saving({ remedy: 'keep_alive', seconds, facts }, minBrowsers);
  });
}
