import { type Candidate, type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE } from './finding.ts';
import { medianOf } from './like-medians.ts';
import type { Waits } from './waits.ts';

const MIN_ROWS = 30;
/** With fewer peers nothing can be said to be unlike them. */
const MIN_PEERS = 5;
/** Iglewicz and Hoaglin: beyond 3.5 robust standard deviations a value is an outlier. */
const MAX_SCORE = 3.5;
/** From the median absolute deviation to a standard deviation. */
const TO_SIGMA = 1.4826;
/** Times this differ between templates of any kind: a smaller spread of the peers is chance. */
const MIN_SIGMA = 0.3;
const WORK: ReadonlySet<string> = new Set(['document', 'fetch', 'iframe']);
/** Shorter waits are mostly round trip. */
const FLOOR_MS = 5;

interface Level {
  readonly group: number;
  /** Median, ms. */
  readonly ms: number;
  readonly log: number;
  readonly rows: readonly number[];
  readonly opaque: boolean;
  readonly work: boolean;
}

/** Requests whose server takes far longer than those of its peers: other requests of the same kind, in all apps. */
export const findSlowServer: Detector = (waits) => {
  const levels = levelsOf(waits);
  return levels.flatMap((level): Candidate[] => {
    const peers = levels.filter((other) => other !== level && other.work === level.work);
    const score = scoreOf(level.log, peers.map(({ log }) => log));
    if (score === null || score.score < MAX_SCORE) return [];
    return [candidateOf(waits, [level], Math.exp(score.center), true)];
  });
};

export function candidateOf(waits: Waits, levels: readonly Level[], usual: number, one: boolean): Candidate {
  const { table, left } = waits;
  const [first] = levels as [Level];
  const group = table.groups[first.group] as (typeof table.groups)[number];
  const phase = first.opaque ? ('ttlb' as const) : ('wait' as const);
  const sums = new UnitSums();
  let placeMs = 0;
  let own = 0;
  for (const { rows, opaque } of levels) {
    for (const row of rows) {
      const value = left[opaque ? 'ttlb' : 'wait'][row] as number;
      placeMs += left.ttlb[row] as number;
      own += value;
      sums.add(table.browser[row] as number, value - usual);
    }
  }
  return {
    kind: 'slow_server',
    place: one ? { ...ANYWHERE, target: group.target, host: group.host, template: group.template, type: group.type } : { ...ANYWHERE, host: group.host },
    phase,
    since: null,
    facts: { waitMs: own / Math.max(1, sums.affected), peersMs: usual },
    affectedRequests: sums.affected,
    units: sums.units(),
    placeMs,
    cure() {
      for (const { rows, opaque } of levels) {
        for (const row of rows) {
          const name = opaque ? 'ttlb' : 'wait';
          const more = (left[name][row] as number) - usual;
          if (!(more > 0)) continue;
          if (!opaque) left.wait[row] = usual;
          left.ttlb[row] = (left.ttlb[row] as number) - more;
        }
      }
    },
  };
}

/** Typical wait of each group, as far as there are enough requests. */
export function levelsOf({ waited, table, left }: Waits): Level[] {
  const rows = table.groups.map(() => [] as number[]);
  for (const row of waited) rows[table.group[row] as number]?.push(row);
  return rows.flatMap((own, group): Level[] => {
    if (own.length < MIN_ROWS) return [];
    const known = own.filter((row) => !Number.isNaN(left.wait[row] as number));
    const opaque = known.length < own.length / 2;
    const used = opaque ? own : known;
    const ms = medianOf(Float64Array.from(used, (row) => left[opaque ? 'ttlb' : 'wait'][row] as number));
    const work = WORK.has(table.groups[group]?.type ?? '');
    return [{ group, ms, log: Math.log(Math.max(FLOOR_MS, ms)), rows: used, opaque, work }];
  });
}

function scoreOf(value: number, peers: readonly number[]): { score: number; center: number } | null {
  if (peers.length < MIN_PEERS) return null;
  const center = medianOf(Float64Array.from(peers));
  const sigma = Math.max(MIN_SIGMA, TO_SIGMA * medianOf(Float64Array.from(peers, (peer) => Math.abs(peer - center))));
  return { score: (value - center) / sigma, center };
}
