import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { sortedDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { Sketch } from '../../../shared/statistics/sketch.ts';
import { bucketMiddle } from '../../../shared/statistics/sketch-buckets.ts';
import { sketchDistribution } from '../../../shared/statistics/sketch-distribution.ts';
import type { TimeName } from '../../../shared/vocabulary/time-names.ts';
import type { Exclusion, UnknownReason } from '../../../shared/vocabulary/vocabulary.ts';
import { once } from '../../lib/once.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { isNarrow } from '../rollups/integer-list.ts';
import type { TimeMetric } from '../rollups/time-metrics.ts';
import type { CollectedCell } from './collect-cells.ts';
import { type CollectedValues, toDistribution } from './collectors.ts';
import { sortedCopy } from './radix-sort.ts';
import type { RouteWaits } from './route-waits.ts';

/** A value, and how often it occurs. */
type Weighted = readonly [value: number, count: number];

/** Turns collected data, which can be sent between threads, into distributions. */
export function toCellAggregate(cell: CollectedCell): CellAggregate {
  const { key, browsers, browsersMonth } = cell;
  return { ...mergedAggregate([cell]), key, browsers, ...(browsersMonth === undefined ? {} : { browsersMonth }) };
}

/** Several cells as one. The number of distinct browsers is then unknown. */
export function mergedAggregate(cells: readonly CollectedCell[]): CellAggregate {
  const basis = { site: 0, none: 0 };
  const borrowed: Weighted[] = [];
  const routes = cells.flatMap((cell) => cell.routes);
  for (const { reused, roundTrip } of routes) {
    basis[roundTrip === null ? 'none' : 'site'] += reused;
    if (roundTrip !== null) borrowed.push([roundTrip, reused]);
  }
  const share = once(() => combine(emptyLike(cells), routes.flatMap(sharesOf)));
  const together = (...names: readonly TimeMetric[]) =>
    combine(cells.flatMap(({ values }) => names.map((name) => values[name])));
  const of = (name: TimeMetric) => cells.map(({ values }) => values[name]);
  const trips = combine(of('roundTrip'), borrowed);
  const usual = trips.n === 0 ? null : trips.valueAtRank(quantileRank(0.5, trips.n));
  const reused = cells.reduce((sum, { reusedUsable }) => sum + reusedUsable, 0);
  const counters = summed(cells.map((cell) => cell.counters));
  const connections = summed(cells.map((cell) => cell.connections));
  return {
    key: {},
    browsers: null,
    ...readCounters(counters),
    connections: Object.fromEntries(connections) as CellAggregate['connections'],
    times: {
      blocked: together('blocked'),
      dns: together('dns'),
      tcp: together('tcp'),
      tls: together('tls'),
      wait: together('wait', 'waitWhole'),
      receive: together('receive'),
      ttfb: together('ttfb'),
      ttlb: together('ttlb'),
    },
    setupPerConnection: together('setup'),
    setupPerRequest: combine(of('setup'), reused === 0 ? [] : [[0, reused]]),
    ttlbWithoutSetup: combine([...of('ttlbWithoutSetup'), ...cells.flatMap(({ withoutSetup }) => withoutSetup)]),
    serverShare: together('serverShare'),
    reusedServerShare: {
      // Computed lazily: it is rarely used and takes the longest.
      get share() {
        return share();
      },
      basis,
    },
    roundTrip: trips,
    waitRoundTrips:
      usual === null
        ? null
        : routes.reduce((sum, { waits, roundTrip }) => sum + toDistribution(waits).cappedSum(roundTrip ?? usual), 0),
  };
}

function summed(lists: readonly CollectedCell['counters'][]): CollectedCell['counters'] {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return only;
  const totals = new Map<string, number>();
  for (const [name, count] of lists.flat()) totals.set(name, (totals.get(name) ?? 0) + count);
  return [...totals];
}

/** Merges parts and further values; exact if all parts are. */
function combine(parts: readonly CollectedValues[], more: readonly Weighted[] = []): Distribution {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && more.length === 0) return toDistribution(first);
  const lists = parts.flatMap((part) => ('sorted' in part ? [part.sorted] : []));
  if (parts.length > 0 && lists.length === parts.length) {
    const narrow = more.every(([value]) => isNarrow(value));
    const size = more.reduce((sum, [, count]) => sum + count, 0);
    const added = narrow ? new Int32Array(size) : new Float64Array(size);
    let at = 0;
    for (const [value, count] of more) {
      added.fill(value, at, at + count);
      at += count;
    }
    return sortedDistribution(sortedCopy([...lists, added]));
  }
  const filled = parts.filter((part) => 'sorted' in part || part.sketch.n > 0);
  const [alone] = filled;
  if (filled.length === 1 && alone !== undefined && 'sketch' in alone && more.length === 0)
    return toDistribution(alone);
  const merged = new Sketch();
  for (const part of filled) {
    if ('sketch' in part) merged.merge(part.sketch);
    else for (const value of part.sorted) merged.add(value);
  }
  for (const [value, count] of more) merged.addRepeated(value, count);
  return sketchDistribution(merged.state());
}

/** An empty distribution, exact if the cells are. */
function emptyLike(cells: readonly CollectedCell[]): CollectedValues[] {
  return cells.every(({ values }) => 'sorted' in values.wait) ? [{ sorted: new Int32Array(0) }] : [];
}

/** Every wait less the round trip. A sketch's bucket midpoints are shifted, so the error bound is that of the wait. */
function sharesOf({ reused, reusedWaits: waits, roundTrip }: RouteWaits): Weighted[] {
  if (reused === 0 || roundTrip === null) return [];
  if (waits === null) throw new RangeError('Waits on reused connections were only counted.');
  if ('sorted' in waits) return Array.from(waits.sorted, (value) => [value - roundTrip, 1] as const);
  const { first, counts } = waits.sketch.positive;
  return Array.from(counts, (count, at): Weighted => [Math.round(bucketMiddle(first + at)) - roundTrip, count]);
}

type Counted = Pick<
  CellAggregate,
  'samples' | 'evidence' | 'status' | 'unknown' | 'setupUnknown' | 'complete' | 'clockStep'
>;

/** The counters of a group by what they count. */
export function readCounters(counters: CollectedCell['counters']): Counted {
  const plain: Record<string, number> = {};
  const excluded: Partial<Record<Exclusion, number>> = {};
  const status: Record<string, number> = {};
  const unknown: Partial<Record<TimeName, Partial<Record<UnknownReason, number>>>> = {};
  const classes = { usable: 0, opaque: 0, cache: 0 };
  let clockStep: number | null = null;
  for (const [name, count] of counters) {
    const [kind = '', first = '', second = ''] = name.split(':');
    if (kind === 'status') status[first] = count;
    else if (kind === 'clock') clockStep = Math.max(clockStep ?? 0, Number(first));
    else if (kind === 'unknown') {
      const reasons = unknown[first as TimeName] ?? {};
      reasons[second as UnknownReason] = count;
      unknown[first as TimeName] = reasons;
    } else if (kind !== 'evidence') plain[kind] = count;
    else if (Object.hasOwn(classes, first)) classes[first as keyof typeof classes] = count;
    else excluded[first as Exclusion] = count;
  }
  return {
    samples: plain.samples ?? 0,
    evidence: { ...classes, excluded },
    status,
    unknown,
    setupUnknown: plain.setupUnknown ?? 0,
    complete: plain.complete ?? 0,
    clockStep,
  };
}
