import { type Candidate, type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE } from './finding.ts';
import type { Waits } from './waits.ts';

/** A browser's own scheduling takes no longer. */
const OWN_MS = 5;
/** Of the queueing at a host that one template has: then it is the one to name. */
const MIN_LEADING = 0.5;
const MIN_ROWS = 30;
/** Browsers that queue, of all at that host: otherwise it is something in some browsers. */
const MIN_BROWSERS = 0.5;

/** HTTP/1.1 has six connections to a host: further requests wait in the browser until one is free. */
export const findQueueing: Detector = (waits) => waits.hosts.flatMap((_, host) => queueAt(waits, host));

function queueAt(waits: Waits, host: number): Candidate[] {
  const { timedOf, table, left } = waits;
  const old = table.protocols.indexOf('http/1.1');
  const sums = new UnitSums();
  const byGroup = new Map<number, number>();
  const browsers = new Set<number>();
  let placeMs = 0;
  const rows: number[] = [];
  for (const row of timedOf.host[host] as Int32Array) {
    if (old < 0 || table.protocol[row] !== old) continue;
    const more = (left.blocked[row] as number) - OWN_MS;
    placeMs += left.ttlb[row] as number;
    browsers.add(table.browser[row] as number);
    if (!(more > 0)) continue;
    rows.push(row);
    sums.add(table.browser[row] as number, more);
    const group = table.group[row] as number;
    byGroup.set(group, (byGroup.get(group) ?? 0) + more);
  }
  if (rows.length < MIN_ROWS || sums.units().length < MIN_BROWSERS * browsers.size) return [];
  const [leading, ms] = [...byGroup].sort((a, b) => b[1] - a[1])[0] as [number, number];
  const one = table.groups[leading];
  const named = one !== undefined && ms >= MIN_LEADING * sums.total;
  return [
    {
      kind: 'queueing',
      place: {
        ...ANYWHERE,
        host: waits.hosts[host] as string,
        protocol: 'http/1.1',
        ...(named ? { target: one.target, template: one.template, type: one.type } : {}),
      },
      phase: 'blocked',
      since: null,
      facts: { blockedMs: sums.total / rows.length },
      affectedRequests: rows.length,
      units: sums.units(),
      placeMs,
      cure() {
        for (const row of rows) {
          const more = Math.max(0, (left.blocked[row] as number) - OWN_MS);
          left.blocked[row] = OWN_MS;
          left.ttlb[row] = (left.ttlb[row] as number) - more;
        }
      },
    },
  ];
}
