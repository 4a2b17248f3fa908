import { NULL } from '../../../shared/sample/sample-columns.ts';
import { dimensionColumn } from './dimension-column.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';

export interface AbandonedTimes {
  /** Until the page gave up, µs: the requests would have taken at least as long. */
  readonly times: readonly number[];
  /** Browsers that count. */
  readonly browsers: ReadonlySet<string>;
}

/** Of the requests of each group that their page gave up. Complete once the pass has run. */
export function collectAbandonedTimes(
  pass: RangePass,
  groups: QueryGroups,
  counts: (client: string) => boolean,
): (group: number) => AbandonedTimes {
  const found = new Map<number, { readonly times: number[]; readonly browsers: Set<string> }>();
  pass.rows((part) => {
    const { columns } = part;
    const excluded = columns.text('excluded');
    const abandoned = excluded.strings.indexOf('abandoned');
    if (abandoned < 0 || !groups.hasRows(part)) return;
    const groupOf = groups.groupsOfRows(part);
    const clients = dimensionColumn(columns, 'client');
    const times = columns.number('ttlb');
    for (let row = 0; row < groupOf.length; row++) {
      const group = groupOf[row] as number;
      const time = times[row] as number;
      if (group < 0 || excluded.codes[row] !== abandoned || time === NULL) continue;
      const own = found.get(group) ?? { times: [], browsers: new Set() };
      found.set(group, own);
      own.times.push(time);
      const client = clients.strings[clients.codes[row] as number] ?? '';
      if (counts(client)) own.browsers.add(client);
    }
  });
  return (group) => found.get(group) ?? { times: [], browsers: new Set() };
}
