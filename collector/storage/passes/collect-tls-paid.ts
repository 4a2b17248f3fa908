import type { TlsPaid } from '../../reductions/set-up.ts';
import { dimensionColumn } from './dimension-column.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';

/** What each browser of a group paid for TLS, in no order. Complete once the pass has run. */
export function collectTlsPaid(pass: RangePass, groups: QueryGroups): (group: number) => readonly TlsPaid[] {
  const found: Map<string, TlsPaid>[] = [];
  pass.rows((part) => {
    if (!groups.hasRows(part)) return;
    const groupOf = groups.groupsOfRows(part);
    const usable = part.metrics.usable();
    const tls = part.metrics.values('tls');
    const clients = dimensionColumn(part.columns, 'client');
    const connections = part.columns.text('connection');
    const [fresh, reused] = ['new', 'reused'].map((name) => connections.strings.indexOf(name));
    const schemes = part.columns.text('scheme');
    const https = schemes.strings.indexOf('https');
    for (let row = 0; row < usable.length; row++) {
      const group = groupOf[row] as number;
      const connection = connections.codes[row];
      if (group < 0 || usable[row] === 0 || (connection !== fresh && connection !== reused)) continue;
      while (found.length <= group) found.push(new Map());
      const client = clients.strings[clients.codes[row] as number] ?? '';
      const browsers = found[group] as Map<string, TlsPaid>;
      const paid = browsers.get(client) ?? { requests: 0, opened: 0, measured: 0, time: 0 };
      browsers.set(client, paid);
      paid.requests++;
      if (connection !== fresh || schemes.codes[row] !== https) continue;
      paid.opened++;
      const time = tls[row] as number;
      if (Number.isNaN(time)) continue;
      paid.measured++;
      paid.time += time;
    }
  });
  return (group) => [...(found[group]?.values() ?? [])];
}
