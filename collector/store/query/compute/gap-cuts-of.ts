import { FEW_BROWSERS } from '../../../../shared/summary/dimensions.ts';
import { gapCut } from '../../../../shared/summary/gap-cuts.ts';
import type { SummaryExtras } from '../../../../shared/summary/summary-extras.ts';
import { groupId } from '../cell-groups.ts';
import type { QueryGroups } from '../query-groups.ts';
import type { RangeReader } from '../range-reader.ts';
import { wordsOfRows } from '../row-words.ts';

const HOUR_MS = 3_600_000;
/** Parts told of each cut; the others come together, so that a cut still sums to the gap. */
const MAX_PARTS = 20;
const OTHERS = '(other)';

type Cuts = NonNullable<SummaryExtras['gapCuts']>;
type Sums = Map<string, { n: number; sum: number; clients: Set<string> | null }>;

/** The cuts of the gap for every group at once, from the samples. @param medians µs, by the group's id */
export function gapCutsOf(
  reader: RangeReader,
  groups: QueryGroups,
  medians: ReadonlyMap<string, number>,
  { foldBelow, nameBrowsers }: { readonly foldBelow: number; readonly nameBrowsers: boolean },
): Map<string, Cuts> {
  const all: { hosts: Sums; browsers: Sums; hours: Sums; n: number }[] = [];
  const pass = reader.pass();
  pass.rows((part) => {
    const groupOf = groups.groupsOfRows(part);
    const values = part.measures.values('ttlb');
    const hosts = wordsOfRows(part.columns, 'host');
    const clients = wordsOfRows(part.columns, 'client');
    const at = part.columns.at();
    for (let row = 0; row < values.length; row++) {
      const value = values[row] as number;
      const group = groupOf[row] as number;
      if (group < 0 || Number.isNaN(value)) continue;
      while (all.length <= group) all.push({ hosts: new Map(), browsers: new Map(), hours: new Map(), n: 0 });
      const cuts = all[group] as (typeof all)[number];
      const client = clients.words[clients.codes[row] as number] ?? '';
      cuts.n++;
      note(cuts.hosts, hosts.words[hosts.codes[row] as number] ?? '', value, client, foldBelow);
      note(cuts.hours, String(Math.floor((at[row] as number) / HOUR_MS) * HOUR_MS), value, client, foldBelow);
      if (nameBrowsers) note(cuts.browsers, client, value, client, 0);
    }
  });
  pass.run();
  return new Map(
    all.flatMap(({ hosts, browsers, hours, n }, group): [string, Cuts][] => {
      const id = groupId(Object.values(groups.keys[group] ?? {}));
      const median = medians.get(id);
      if (median === undefined) return [];
      const cut = (sums: Sums, below: number) => largest(gapCut({ n, median }, folded(sums, below)));
      const cuts: Cuts = {
        hosts: cut(hosts, foldBelow),
        browsers: nameBrowsers ? cut(browsers, 0) : null,
        hours: cut(hours, foldBelow),
      };
      return [[id, cuts]];
    }),
  );
}

function note(sums: Sums, name: string, value: number, client: string, foldBelow: number): void {
  let one = sums.get(name);
  if (one === undefined) {
    one = { n: 0, sum: 0, clients: foldBelow > 1 ? new Set() : null };
    sums.set(name, one);
  }
  one.n++;
  one.sum += value;
  one.clients?.add(client);
}

/** Parts of too few browsers as one. */
function folded(sums: Sums, below: number): [string, { n: number; sum: number }][] {
  if (below <= 1) return [...sums];
  const few = { n: 0, sum: 0 };
  const shown = [...sums].filter(([, { n, sum, clients }]) => {
    if ((clients?.size ?? 0) >= below) return true;
    few.n += n;
    few.sum += sum;
    return false;
  });
  return few.n === 0 ? shown : [...shown, [FEW_BROWSERS, few]];
}

function largest(parts: Cuts['hours']): Cuts['hours'] {
  const all = parts ?? [];
  if (all.length <= MAX_PARTS) return all;
  const rest = all.slice(MAX_PARTS - 1);
  const others = {
    name: OTHERS,
    n: rest.reduce((sum, { n }) => sum + n, 0),
    part: rest.reduce((sum, { part }) => sum + part, 0),
  };
  return [...all.slice(0, MAX_PARTS - 1), others];
}
