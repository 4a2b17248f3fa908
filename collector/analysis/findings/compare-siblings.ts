import type { Axes, AxisName } from './axes.ts';
import { findMedian } from './like-medians.ts';
import { likeElsewhere } from './likes.ts';
import type { Quantity, QuantityName } from './quantities.ts';
import { narrowed, type Suspect, scanPlaces } from './scan.ts';
import { type CellSums, prepareQuantity, sumByCode } from './usual.ts';
import type { Waits } from './waits.ts';

interface Comparison {
  readonly axis: AxisName;
  /** Places are looked for by the axis alone and together with each of these. */
  readonly by: readonly (readonly AxisName[])[];
  readonly quantities: readonly QuantityName[];
  /** Smaller differences are natural: times what is usual, and ms for each request. */
  readonly leastFactor: number;
  readonly leastMs: number;
}

const PHASES = ['blocked', 'dns', 'tcp', 'tls', 'wait', 'receive', 'ttlb', 'redirect', 'new_connections'] as const;

const COMPARISONS: readonly Comparison[] = [
  { axis: 'site', by: [[]], quantities: ['blocked', 'dns', 'tcp', 'wait', 'receive'], leastFactor: 1.5, leastMs: 50 },
  { axis: 'site', by: [[]], quantities: ['ttlb'], leastFactor: 1.5, leastMs: 80 },
  // One host that is slow from one site alone: its other hosts are not.
  { axis: 'site', by: [['host']], quantities: PHASES, leastFactor: 2, leastMs: 20 },
  {
    axis: 'site',
    by: [[], ['host']],
    quantities: ['tls', 'redirect', 'new_connections'],
    leastFactor: 1.5,
    leastMs: 20,
  },
  { axis: 'client', by: [[]], quantities: ['blocked', 'wait', 'receive', 'ttlb'], leastFactor: 2, leastMs: 100 },
  { axis: 'engine', by: [[], ['host']], quantities: ['ttlb'], leastFactor: 1.2, leastMs: 50 },
  // Firefox needs two round trips for a full handshake of TLS 1.2, and counts some lookups as blocked.
  { axis: 'engine', by: [[]], quantities: ['tcp', 'wait', 'receive'], leastFactor: 1.5, leastMs: 50 },
  { axis: 'version', by: [[], ['host']], quantities: PHASES, leastFactor: 1.3, leastMs: 2 },
  { axis: 'protocol', by: [['host'], ['site']], quantities: ['blocked', 'ttlb'], leastFactor: 1.3, leastMs: 20 },
  { axis: 'hour', by: [['host'], ['site']], quantities: PHASES, leastFactor: 1.5, leastMs: 20 },
  { axis: 'minutes', by: [['host'], []], quantities: ['wait', 'receive', 'ttlb'], leastFactor: 1.5, leastMs: 20 },
  {
    axis: 'weekHour',
    by: [['host'], ['site']],
    quantities: ['wait', 'receive', 'ttlb'],
    leastFactor: 1.5,
    leastMs: 20,
  },
  { axis: 'day', by: [['host'], ['site'], []], quantities: ['errors', 'wait', 'ttlb'], leastFactor: 2, leastMs: 0 },
  { axis: 'site', by: [[], ['host']], quantities: ['errors'], leastFactor: 3, leastMs: 0 },
  { axis: 'version', by: [[], ['host']], quantities: ['errors'], leastFactor: 3, leastMs: 0 },
  // A browser that keeps nothing, and a proxy or an agent that forbids it.
  { axis: 'site', by: [[]], quantities: ['cached', 'unmeasurable'], leastFactor: 1.5, leastMs: 5 },
  { axis: 'version', by: [[]], quantities: ['cached', 'unmeasurable'], leastFactor: 1.5, leastMs: 5 },
  { axis: 'idle', by: [['host']], quantities: ['wait', 'receive'], leastFactor: 1.5, leastMs: 20 },
];
/** Places looked at closely, of each axis. */
const CLOSELY = 4;
/** Fewer requests say nothing of how far a host is from a site. */
const MIN_HOST_ROWS = 20;

/** Places that differ from others of their kind, best first. @param leastMs less waiting is not worth a sentence */
export function compareSiblings(waits: Waits, axes: Axes, quantity: Quantity, leastMs: number): Suspect[] {
  const { rows, factorAt, sums } = prepareQuantity(waits, axes, quantity);
  return COMPARISONS.filter(({ quantities }) => quantities.includes(quantity.name)).flatMap(
    ({ axis, by, leastFactor, leastMs: leastEach }) => {
      const own = sums([axis]);
      const alike = likeElsewhere(
        quantity,
        own,
        axes[axis],
        axis === 'site' ? () => 1 : factorAt,
        axis === 'version' ? axes.engine : null,
      );
      const like =
        axis !== 'site'
          ? alike
          : quantity.name === 'tls'
            ? netOfDistance(waits, axes, quantity, own, alike)
            : by.every((names) => names.length > 0)
              ? netOfSite(waits, own, alike)
              : alike;
      const compared = { ...own, expected: own.n.map((n, cell) => n * (like[cell] as number)) };
      const found = scanPlaces(quantity, () => compared, axes, axis, by, leastMs)
        .sort((a, b) => b.score - a.score)
        .slice(0, CLOSELY);
      if (found.length === 0) return [];
      const likeOfRow = new Float32Array(waits.table.n).fill(Number.NaN);
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i] as number;
        likeOfRow[row] = like[own.cells.codes[row] as number] as number;
      }
      return found
        .map((one) => narrowed({ ...one, like: likeOfRow }, rows, axes))
        .filter(
          ({ observed, expected, rows: inside }) =>
            observed >= leastFactor * expected && observed - expected >= leastEach * inside.length,
        );
    },
  );
}

/** A handshake takes round trips: from a site that is far away it takes as much longer as a connect does. */
function netOfDistance(
  waits: Waits,
  axes: Axes,
  quantity: Quantity,
  { cells }: CellSums,
  like: Float32Array,
): Float32Array {
  const { factorAt } = prepareQuantity(waits, axes, { ...quantity, values: connects(waits, quantity) });
  return like.map((ms, cell) => ms * Math.max(1, factorAt(cells.rows[cell] as number)));
}

/** A delay that all hosts of a site share is not the fault of one: each request may take as much longer as at the site's median host. */
function netOfSite(
  { host, hosts, site, sites }: Waits,
  { cells: { rows }, n: inCell, observed }: CellSums,
  like: Float32Array,
): Float32Array {
  const pairOf = (row: number) => (site[row] as number) * hosts.length + (host[row] as number);
  const knownPair = (row: number, cell: number) => (Number.isNaN(like[cell] as number) ? -1 : pairOf(row));
  const longer = observed.map((ms, cell) => ms - (inCell[cell] as number) * (like[cell] as number));
  const [n, more] = sumByCode(rows, sites.length * hosts.length, knownPair, inCell, longer);
  const natural = more.map((_, pair) => {
    const from = pair - (pair % hosts.length);
    const others = hosts.flatMap((_host, i) =>
      from + i === pair || (n[from + i] as number) < MIN_HOST_ROWS
        ? []
        : [(more[from + i] as number) / (n[from + i] as number)],
    );
    return Math.max(0, findMedian(Float64Array.from(others)) || 0);
  });
  return like.map((ms, cell) => ms + (natural[pairOf(rows[cell] as number)] as number));
}

function connects({ left }: Waits, { values }: Quantity): Float32Array {
  return values.map((ms, row) => (Number.isNaN(ms) ? ms : (left.tcp[row] as number)));
}
