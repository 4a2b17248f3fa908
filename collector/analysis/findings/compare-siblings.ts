import type { Axes, AxisName } from './axes.ts';
import { findMedian } from './like-medians.ts';
import { likeElsewhere } from './likes.ts';
import type { Quantity, QuantityName } from './quantities.ts';
import { narrowed, type Suspect, scanPlaces } from './scan.ts';
import { prepareQuantity } from './usual.ts';
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
  { axis: 'idle', by: [['host']], quantities: ['wait'], leastFactor: 1.5, leastMs: 20 },
];
/** Places looked at closely, of each axis. */
const CLOSELY = 4;
/** Fewer requests say nothing of how far a host is from a site. */
const MIN_HOST_ROWS = 20;

/** Places that differ from others of their kind, best first. @param leastMs less waiting is not worth a sentence */
export function compareSiblings(waits: Waits, axes: Axes, quantity: Quantity, leastMs: number): Suspect[] {
  const { rows, usual } = prepareQuantity(waits, quantity);
  return COMPARISONS.filter(({ quantities }) => quantities.includes(quantity.name)).flatMap(
    ({ axis, by, leastFactor, leastMs: leastEach }) => {
      const alike = likeElsewhere(
        quantity,
        rows,
        axes[axis],
        axis === 'site' ? null : usual,
        axis === 'version' ? axes.engine : null,
      );
      const like =
        axis !== 'site'
          ? alike
          : quantity.name === 'tls'
            ? netOfDistance(waits, quantity, alike)
            : by.every((names) => names.length > 0)
              ? netOfSite(waits, quantity, rows, alike)
              : alike;
      return scanPlaces(quantity, rows, like, axes, axis, by, leastMs)
        .sort((a, b) => b.score - a.score)
        .slice(0, CLOSELY)
        .map((one) => narrowed(one, rows, axes))
        .filter(
          ({ observed, expected, rows: own }) =>
            observed >= leastFactor * expected && observed - expected >= leastEach * own.length,
        );
    },
  );
}

/** A handshake takes round trips: from a site that is far away it takes as much longer as a connect does. */
function netOfDistance(waits: Waits, quantity: Quantity, like: Float32Array): Float32Array {
  const { usual } = prepareQuantity(waits, { ...quantity, values: connects(waits, quantity) });
  return like.map((ms, row) => ms * Math.max(1, usual[row] as number));
}

/** What all hosts take longer from a site is no matter of one of them: each request may take as much more as at the site's median host. */
function netOfSite({ host, hosts, site, sites }: Waits, { values }: Quantity, rows: Int32Array, like: Float32Array) {
  const n = new Float64Array(sites.length * hosts.length);
  const more = new Float64Array(n.length);
  for (const row of rows) {
    const own = like[row] as number;
    if (Number.isNaN(own)) continue;
    const cell = (site[row] as number) * hosts.length + (host[row] as number);
    n[cell] = (n[cell] as number) + 1;
    more[cell] = (more[cell] as number) + (values[row] as number) - own;
  }
  const natural = more.map((_, cell) => {
    const from = cell - (cell % hosts.length);
    const others = hosts.flatMap((_host, i) =>
      from + i === cell || (n[from + i] as number) < MIN_HOST_ROWS
        ? []
        : [(more[from + i] as number) / (n[from + i] as number)],
    );
    return Math.max(0, findMedian(Float64Array.from(others)) || 0);
  });
  return like.map((ms, row) => ms + (natural[(site[row] as number) * hosts.length + (host[row] as number)] as number));
}

function connects({ left }: Waits, { values }: Quantity): Float32Array {
  return values.map((ms, row) => (Number.isNaN(ms) ? ms : (left.tcp[row] as number)));
}
