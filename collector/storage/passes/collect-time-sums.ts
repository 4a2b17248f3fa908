import { dimensionColumn } from './dimension-column.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';

const HOUR_MS = 3_600_000;

/** Requests, the sum of their `ttlb` in µs, and the browsers that count, by name. */
export type TimeSums = Map<string, { n: number; sum: number; readonly clients: Set<string> }>;

export interface GroupTimeSums {
  readonly hosts: TimeSums;
  /** Empty unless browsers may be named. */
  readonly browsers: TimeSums;
  /** By the start of the hour, epoch ms. */
  readonly hours: TimeSums;
  n: number;
}

/**
 * `ttlb` of each group by host, browser and hour, in the order of the groups. Complete once the pass has run.
 * @param counts which browsers to collect
 */
export function collectTimeSums(
  pass: RangePass,
  groups: QueryGroups,
  counts: (client: string) => boolean,
  nameBrowsers: boolean,
): readonly GroupTimeSums[] {
  const all: GroupTimeSums[] = [];
  pass.rows((part) => {
    const groupOf = groups.groupsOfRows(part);
    const values = part.metrics.values('ttlb');
    const hosts = dimensionColumn(part.columns, 'host');
    const clients = dimensionColumn(part.columns, 'client');
    const counted = clients.strings.map(counts);
    const at = part.columns.at();
    for (let row = 0; row < values.length; row++) {
      const value = values[row] as number;
      const group = groupOf[row] as number;
      if (group < 0 || Number.isNaN(value)) continue;
      while (all.length <= group) all.push({ hosts: new Map(), browsers: new Map(), hours: new Map(), n: 0 });
      const sums = all[group] as GroupTimeSums;
      const code = clients.codes[row] as number;
      const client = clients.strings[code] ?? '';
      const own = counted[code] === true ? client : null;
      sums.n++;
      note(sums.hosts, hosts.strings[hosts.codes[row] as number] ?? '', value, own);
      note(sums.hours, String(Math.floor((at[row] as number) / HOUR_MS) * HOUR_MS), value, own);
      if (nameBrowsers) note(sums.browsers, client, value, null);
    }
  });
  return all;
}

function note(sums: TimeSums, name: string, value: number, counted: string | null): void {
  let one = sums.get(name);
  if (one === undefined) {
    one = { n: 0, sum: 0, clients: new Set() };
    sums.set(name, one);
  }
  one.n++;
  one.sum += value;
  if (counted !== null) one.clients.add(counted);
}
