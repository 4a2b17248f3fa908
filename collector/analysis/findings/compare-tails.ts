import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { upperTail } from '../../../shared/statistics/upper-tail.ts';
import type { Axes, AxisName } from './axes.ts';
import type { Quantity } from './quantities.ts';
import { narrowed, type Suspect, scanPlaces } from './scan.ts';
import { prepareQuantity } from './usual.ts';
import type { Waits } from './waits.ts';

/** Standard deviations of its stratum's logarithms beyond which a request is slow, and the least that anyone notices. */
const SLOW_SIGMAS = 2;
const LEAST_SLOW_MS = 100;
/** Spread of a stratum, as a standard deviation of logarithms. */
const [MIN_SIGMA, MAX_SIGMA] = [0.3, 1];
/** From the lower quartile to the median of a normal distribution, in standard deviations. */
const QUARTILE = 0.674;
const MIN_ROWS = 30;
const FLOOR_MS = 5;
/** Times what the body of the distribution lets expect. */
const MIN_FACTOR = 3;
const CLOSELY = 8;
const PLACES: readonly (readonly AxisName[])[] = [
  [],
  ['host'],
  ['site'],
  ['target'],
  ['path'],
  ['host', 'site'],
  ['engine'],
  ['client'],
];
const PHASES: ReadonlySet<string> = new Set(['blocked', 'dns', 'tcp', 'tls', 'wait', 'receive', 'ttlb']);

/**
 * Few requests that take far longer than the others of their kind: what they take beyond three standard deviations of their
 * stratum, against what a lognormal distribution with its median and spread has there.
 */
export function compareTails(waits: Waits, axes: Axes, quantity: Quantity, leastMs: number): Suspect[] {
  if (!PHASES.has(quantity.name)) return [];
  const { rows, usual } = prepareQuantity(waits, quantity);
  const { tail, like, usualTail } = tailBeyond(quantity, rows, usual);
  const found = [
    ...scanPlaces(tail, rows, like, axes, null, PLACES, leastMs, 'tail'),
    ...scanPlaces(tail, rows, like, axes, 'minutes', [[], ['host']], leastMs, 'tail'),
    ...scanPlaces(tail, rows, like, axes, 'hour', [['host'], ['site']], leastMs, 'tail'),
  ];
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, CLOSELY)
    .map((one) => narrowed(one, rows, axes))
    .filter(({ observed, expected, rows: own }) => {
      const usually = own.reduce((sum, row) => sum + (usualTail[row] as number), 0);
      return observed - expected >= (MIN_FACTOR - 1) * usually;
    });
}

/** Per row, what is usual, and how much of that is of slow requests that a lognormal distribution has as well. */
function tailBeyond(quantity: Quantity, rows: Int32Array, usual: Float32Array) {
  const { values, stratum, strata } = quantity;
  const own = Array.from({ length: strata }, () => [] as number[]);
  for (const row of rows) own[stratum[row] as number]?.push((values[row] as number) / (usual[row] as number));
  const bodies = own.map((all) => {
    if (all.length < MIN_ROWS) return null;
    const logs = Float64Array.from(all, (ms) => Math.log(Math.max(ms, FLOOR_MS))).sort();
    const at = (q: number) => logs[quantileRank(q, logs.length)] as number;
    // Slow requests are above the median: the spread is that of the others.
    const sigma = (at(0.5) - at(0.25)) / QUARTILE;
    return { median: Math.exp(at(0.5)), sigma: Math.min(MAX_SIGMA, Math.max(MIN_SIGMA, sigma)) };
  });
  const like = new Float32Array(values.length).fill(Number.NaN);
  const usualTail = new Float32Array(values.length);
  const ordinary = new Float32Array(values.length);
  for (const row of rows) {
    const body = bodies[stratum[row] as number] ?? null;
    if (body === null) continue;
    const { sigma } = body;
    const median = body.median * (usual[row] as number);
    const mean = median * Math.exp((sigma * sigma) / 2);
    const limit = Math.max(LEAST_SLOW_MS, median * Math.exp(SLOW_SIGMAS * sigma));
    const z = Math.log(limit / median) / sigma;
    // Beyond the limit a lognormal distribution has that much more than its mean.
    const tail = mean * (upperTail(z - sigma) - upperTail(z));
    const value = values[row] as number;
    ordinary[row] = value > limit ? Math.min(mean, limit) : value;
    usualTail[row] = tail;
    like[row] = (ordinary[row] as number) + tail;
  }
  const tail: Quantity = {
    ...quantity,
    scale(row) {
      const value = values[row] as number;
      if ((ordinary[row] as number) < value) quantity.scale(row, (ordinary[row] as number) / value);
    },
  };
  return { tail, like, usualTail };
}
