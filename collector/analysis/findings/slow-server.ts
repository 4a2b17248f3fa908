import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { type Candidate, type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE } from './finding.ts';
import { findMedian } from './like-medians.ts';
import type { Waits } from './waits.ts';

const MIN_ROWS = 30;
/** With fewer peers nothing can be said to be unlike them. */
const MIN_PEERS = 5;
/** Iglewicz and Hoaglin (1993): beyond 3.5 robust standard deviations a value is an outlier. */
const MAX_SCORE = 3.5;
/** From the median absolute deviation to a standard deviation. */
const TO_SIGMA = 1.4826;
/** Templates of any app differ by a third: a smaller spread of the peers is chance. */
const MIN_SIGMA = 0.3;
/** People notice a tenth of a second. */
const MIN_EXCESS_MS = 100;
/** A whole host is slow if all that is asked of it takes this many times what it takes elsewhere … */
const MIN_EACH_FACTOR = 1.5;
/** … and twice as long on average: hosts differ by less without being slow. */
const MIN_HOST_FACTOR = 2;
/** Answers that a server computes; the others are files. */
const COMPUTED: ReadonlySet<string> = new Set(['document', 'fetch', 'iframe']);
/** Shorter waits are mostly round trip. */
const FLOOR_MS = 5;

interface Level {
  readonly group: number;
  readonly host: string;
  readonly type: string;
  /** Logarithm of the median, ms. */
  readonly log: number;
  readonly rows: readonly number[];
  /** Only the total is known. */
  readonly opaque: boolean;
  readonly computed: boolean;
}

/**
 * Requests that take far longer to be answered than their peers, which are the other requests of the same kind in all apps;
 * and hosts that answer everything slowly.
 */
export const findSlowServer: Detector = (waits) => {
  const levels = levelsOf(waits);
  const own = ownDomains(waits);
  const least = { computed: leastSlow(levels, true), file: leastSlow(levels, false) };
  const single = levels.flatMap((level): Candidate[] => {
    if (level.log < least[level.computed ? 'computed' : 'file']) return [];
    const typical = typicalOf(levels.filter((other) => other !== level && other.computed === level.computed));
    if (typical === null || level.log - typical.center < MAX_SCORE * typical.sigma) return [];
    return slowAt(waits, [level], () => typical.center, own);
  });
  const hosts = [...new Set(levels.map(({ host }) => host))].flatMap((host): Candidate[] => {
    const there = levels.filter((level) => level.computed && level.host === host);
    const typical = typicalOf(levels.filter((level) => level.computed && level.host !== host));
    if (there.length < 2 || typical === null) return [];
    const excess = there.map((level) => level.log - typical.logOf(level));
    const mean = excess.reduce((sum, more) => sum + more, 0) / excess.length;
    if (mean < Math.log(MIN_HOST_FACTOR) || mean < (MAX_SCORE * typical.sigma) / Math.sqrt(there.length)) return [];
    if (excess.some((more) => more < Math.log(MIN_EACH_FACTOR))) return [];
    return slowAt(waits, there, typical.logOf, own);
  });
  return [...single, ...hosts];
};

function slowAt(
  waits: Waits,
  levels: readonly Level[],
  usualLog: (level: Level) => number,
  own: ReadonlySet<string>,
): Candidate[] {
  const { table, left } = waits;
  const [{ group: first, host }] = levels as [Level];
  const sums = new UnitSums();
  let [placeMs, spent, peersMs] = [0, 0, 0];
  const usualOf = (level: Level) => Math.exp(usualLog(level));
  const opaque = levels.every((level) => level.opaque);
  const phaseOf = (level: Level) => (level.opaque ? 'ttlb' : 'wait');
  for (const level of levels) {
    const usual = usualOf(level);
    for (const row of level.rows) {
      const value = left[phaseOf(level)][row] as number;
      placeMs += left.ttlb[row] as number;
      spent += value;
      peersMs += usual;
      sums.add(table.browser[row] as number, value - usual);
    }
  }
  const waitMs = spent / sums.affected;
  peersMs /= sums.affected;
  if (waitMs - peersMs < MIN_EXCESS_MS) return [];
  const { target, template, type } = table.groups[first] as (typeof table.groups)[number];
  return [
    {
      kind: own.has(domainOf(host)) ? 'slow_server' : 'slow_third_party',
      place: levels.length === 1 ? { ...ANYWHERE, target, host, template, type } : { ...ANYWHERE, host },
      phase: opaque ? 'ttlb' : 'wait',
      since: null,
      facts: { waitMs, peersMs },
      affectedRequests: sums.affected,
      units: sums.units(),
      placeMs,
      cure() {
        for (const level of levels) {
          const usual = usualOf(level);
          for (const row of level.rows) {
            const more = (left[phaseOf(level)][row] as number) - usual;
            if (!(more > 0)) continue;
            if (!level.opaque) left.wait[row] = usual;
            left.ttlb[row] = (left.ttlb[row] as number) - more;
          }
        }
      },
    },
  ];
}

/** The typical wait of each kind of request, as far as there are enough. */
function levelsOf({ waited, table, left }: Waits): Level[] {
  const rows = table.groups.map(() => [] as number[]);
  for (const row of waited) rows[table.group[row] as number]?.push(row);
  return rows.flatMap((all, group): Level[] => {
    if (all.length < MIN_ROWS) return [];
    const known = all.filter((row) => !Number.isNaN(left.wait[row] as number));
    const opaque = known.length < all.length / 2;
    const used = opaque ? all : known;
    const ms = findMedian(Float64Array.from(used, (row) => left[opaque ? 'ttlb' : 'wait'][row] as number));
    const { host, type } = table.groups[group] as (typeof table.groups)[number];
    return [
      { group, host, type, log: Math.log(Math.max(FLOOR_MS, ms)), rows: used, opaque, computed: COMPUTED.has(type) },
    ];
  });
}

/** No level below this can be an outlier: without it, the median of the others is at most one rank lower. */
function leastSlow(levels: readonly Level[], computed: boolean): number {
  const logs = Float64Array.from(levels.flatMap((level) => (level.computed === computed ? [level.log] : []))).sort();
  return (logs[Math.max(0, quantileRank(0.5, logs.length) - 1)] ?? 0) + MAX_SCORE * MIN_SIGMA;
}

interface Typical {
  /** Median of the peers' logarithms, and their robust standard deviation. */
  readonly center: number;
  readonly sigma: number;
  /**
   * The median of the peers of the same type, where these take longer, as pages do in most apps: a host of pages only is no slow one because
   * calls are faster everywhere.
   */
  logOf(level: Level): number;
}

/** null if there are too few peers. */
function typicalOf(peers: readonly Level[]): Typical | null {
  if (peers.length < MIN_PEERS) return null;
  const medianLog = (levels: readonly Level[]) => findMedian(Float64Array.from(levels, ({ log }) => log));
  const center = medianLog(peers);
  const deviation = findMedian(Float64Array.from(peers, ({ log }) => Math.abs(log - center)));
  return {
    center,
    sigma: Math.max(MIN_SIGMA, TO_SIGMA * deviation),
    logOf({ type }) {
      const alike = peers.filter((level) => level.type === type);
      return alike.length < MIN_PEERS ? center : Math.max(center, medianLog(alike));
    },
  };
}

/** Domains that pages are served from; everything else is a third party. */
function ownDomains({ table }: Waits): ReadonlySet<string> {
  return new Set(table.groups.flatMap(({ host, type }) => (type === 'document' ? [domainOf(host)] : [])));
}

/** The last two labels. Where three make a domain (co.uk), a third party of the same suffix counts as one's own. */
function domainOf(host: string): string {
  return host.split('.').slice(-2).join('.');
}
