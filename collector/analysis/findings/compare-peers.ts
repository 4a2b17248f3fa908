import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { Axes, AxisName } from './axes.ts';
import { findMedian } from './like-medians.ts';
import type { Quantity, QuantityName } from './quantities.ts';
import { type Suspect, scanScore } from './scan.ts';
import { prepareQuantity } from './usual.ts';
import { pickRows, rowsByCode, type Waits } from './waits.ts';

const COMPARED: ReadonlySet<QuantityName> = new Set(['wait', 'receive', 'ttlb']);
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
/** A download below 400 ms does not break a user's concentration (Doherty and Thadani, 1982). */
const MIN_DOWNLOAD_MS = 400;
/** A whole host is slow if all that is asked of it takes this many times what it takes elsewhere … */
const MIN_EACH_FACTOR = 1.5;
/** … and twice as long on average: hosts differ by less without being slow. */
const MIN_HOST_FACTOR = 2;
/** Answers that a server computes; the others are files. */
const COMPUTED: ReadonlySet<string> = new Set(['document', 'fetch', 'iframe']);
/** Shorter times are mostly round trip. */
const FLOOR_MS = 5;

interface Level {
  readonly group: number;
  readonly host: string;
  readonly type: string;
  /** Logarithm of the median, ms. */
  readonly log: number;
  readonly rows: Int32Array;
  readonly computed: boolean;
  /** Only the total is known. */
  readonly opaque: boolean;
}

/** Requests that take far longer than the other requests of their kind in all apps; and hosts that answer everything slowly. */
export function comparePeers(waits: Waits, axes: Axes, quantity: Quantity, leastMs: number): Suspect[] {
  if (!COMPARED.has(quantity.name)) return [];
  const levels = levelsIn(waits, axes, quantity);
  const least = { computed: leastSlow(levels, true), file: leastSlow(levels, false) };
  const single = levels.flatMap((level): Suspect[] => {
    // The total of a request that can be divided is looked at phase by phase.
    if (quantity.name === 'ttlb' && !level.opaque) return [];
    if (level.log < least[level.computed ? 'computed' : 'file']) return [];
    const typical = typicalLevel(levels.filter((other) => other !== level && other.computed === level.computed));
    if (typical === null || level.log - typical.center < MAX_SCORE * typical.sigma) return [];
    return [slower(waits, quantity, [level], () => typical.center, namedBy(axes, level))];
  });
  const hosts = [...new Set(levels.map(({ host }) => host))].flatMap((host): Suspect[] => {
    const there = levels.filter((level) => level.computed && level.host === host);
    const typical = typicalLevel(levels.filter((level) => level.computed && level.host !== host));
    if (there.length < 2 || typical === null || (quantity.name === 'ttlb' && !there.every(({ opaque }) => opaque)))
      return [];
    const excess = there.map((level) => level.log - typical.logFor(level));
    const mean = excess.reduce((sum, more) => sum + more, 0) / excess.length;
    if (mean < Math.log(MIN_HOST_FACTOR) || mean < (MAX_SCORE * typical.sigma) / Math.sqrt(there.length)) return [];
    if (excess.some((more) => more < Math.log(MIN_EACH_FACTOR))) return [];
    return [slower(waits, quantity, there, typical.logFor, [['host', waits.hosts.indexOf(host)]])];
  });
  const leastEach = quantity.name === 'receive' ? MIN_DOWNLOAD_MS : MIN_EXCESS_MS;
  return [...single, ...hosts].filter(
    ({ observed, expected, rows }) => observed - expected >= Math.max(leastMs, leastEach * rows.length),
  );
}

function slower(
  { table }: Waits,
  quantity: Quantity,
  levels: readonly Level[],
  usualLog: (level: Level) => number,
  where: readonly (readonly [AxisName, number])[],
): Suspect {
  const like = new Float32Array(table.n).fill(Number.NaN);
  let [observed, expected] = [0, 0];
  for (const level of levels) {
    const factor = Math.exp(usualLog(level) - level.log);
    for (let i = 0; i < level.rows.length; i++) {
      const row = level.rows[i] as number;
      const value = quantity.values[row] as number;
      like[row] = value * factor;
      observed += value;
      expected += value * factor;
    }
  }
  return {
    quantity,
    shape: 'level',
    direction: 'slower',
    since: null,
    sinceInterval: null,
    axis: null,
    where: new Map(where),
    run: [0, 1],
    rows: levels.flatMap(({ rows }) => [...rows]),
    like,
    observed,
    expected,
    score: scanScore(observed, expected),
  };
}

function namedBy(axes: Axes, { rows: [row = 0] }: Level): readonly (readonly [AxisName, number])[] {
  return (['target', 'path'] as const).map((name) => [name, axes[name].codes[row] as number]);
}

/** The typical time of each kind of request, as far as there are enough. */
function levelsIn(waits: Waits, axes: Axes, quantity: Quantity): Level[] {
  const { table } = waits;
  const { rows: all } = prepareQuantity(waits, axes, quantity);
  return rowsByCode(all, table.group, table.groups.length).flatMap((own, group): Level[] => {
    if (own.length < MIN_ROWS) return [];
    const divisible = pickRows(own, (row) => !Number.isNaN(waits.left.wait[row] as number)).length;
    const ms = findMedian(new Float64Array(own).map((row) => quantity.values[row] as number));
    const { host, type } = table.groups[group] as (typeof table.groups)[number];
    return [
      {
        group,
        host,
        type,
        log: Math.log(Math.max(FLOOR_MS, ms)),
        rows: own,
        computed: COMPUTED.has(type),
        opaque: 2 * divisible < own.length,
      },
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
  logFor(level: Level): number;
}

/** null if there are too few peers. */
function typicalLevel(peers: readonly Level[]): Typical | null {
  if (peers.length < MIN_PEERS) return null;
  const medianLog = (levels: readonly Level[]) => findMedian(Float64Array.from(levels, ({ log }) => log));
  const center = medianLog(peers);
  const deviation = findMedian(Float64Array.from(peers, ({ log }) => Math.abs(log - center)));
  return {
    center,
    sigma: Math.max(MIN_SIGMA, TO_SIGMA * deviation),
    logFor({ type }) {
      const alike = peers.filter((level) => level.type === type);
      return alike.length < MIN_PEERS ? center : Math.max(center, medianLog(alike));
    },
  };
}
