import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { quickselect } from '../../../shared/statistics/quickselect.ts';
import { upperTail } from '../../../shared/statistics/upper-tail.ts';
import type { Axes, AxisName, Cells } from './axes.ts';
import type { Quantity } from './quantities.ts';
import { narrowed, type Suspect, scanPlaces } from './scan.ts';
import { prepareQuantity } from './usual.ts';
import { pickRows, rowsByCode, type Waits } from './waits.ts';

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
/** Work takes longer now and then by its nature: it is told of somewhere only. */
const ANSWERING: ReadonlySet<string> = new Set(['wait', 'receive', 'ttlb']);
const SOMEWHERE: readonly AxisName[] = ['target', 'host', 'path', 'site', 'client'];
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
  const { values } = quantity;
  const { rows, factorAt, sums } = prepareQuantity(waits, axes, quantity);
  const { limit, ordinary, tail } = tailBeyond(quantity, rows, factorAt, axes.cells([]));
  const { codes: cellAt } = axes.cells([]);
  const slow = pickRows(rows, (row) => (values[row] as number) > (limit[cellAt[row] as number] as number));
  let mostMs = 0;
  for (const row of slow) mostMs += (values[row] as number) - (ordinary[cellAt[row] as number] as number);
  if (mostMs < leastMs) return [];
  const compared = (names: readonly AxisName[]) => {
    const { cells, n, observed } = sums(names);
    const expected = observed.map(
      (ms, cell) => ms + (n[cell] as number) * (tail[cellAt[cells.rows[cell] as number] as number] as number),
    );
    for (let i = 0; i < slow.length; i++) {
      const row = slow[i] as number;
      const cell = cells.codes[row] as number;
      expected[cell] =
        (expected[cell] as number) - (values[row] as number) + (ordinary[cellAt[row] as number] as number);
    }
    return { cells, observed, expected };
  };
  const withoutTail = (row: number) => {
    const [value, cell] = [values[row] as number, cellAt[row] as number];
    return value > (limit[cell] as number) ? (ordinary[cell] as number) : value;
  };
  const tailOnly: Quantity = {
    ...quantity,
    scale(row) {
      const value = values[row] as number;
      if (withoutTail(row) < value) quantity.scale(row, withoutTail(row) / value);
    },
  };
  const found = [
    ...scanPlaces(tailOnly, compared, axes, null, PLACES, leastMs, 'tail'),
    ...scanPlaces(tailOnly, compared, axes, 'minutes', [[], ['host']], leastMs, 'tail'),
    ...scanPlaces(tailOnly, compared, axes, 'hour', [['host'], ['site']], leastMs, 'tail'),
  ];
  if (found.length === 0) return [];
  const like = new Float32Array(values.length).fill(Number.NaN);
  for (const row of rows) like[row] = withoutTail(row) + (tail[cellAt[row] as number] as number);
  const slowMs = (own: Int32Array | readonly number[]) => {
    let [more, usually] = [0, 0];
    for (const row of own) {
      more += (values[row] as number) - withoutTail(row) || 0;
      usually += (tail[cellAt[row] as number] as number) || 0;
    }
    return { more, usually };
  };
  const all = slowMs(rows);
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, CLOSELY)
    .map((one) => narrowed({ ...one, like }, rows, axes))
    .filter(({ rows: own, axis, where }) => {
      const isSomewhere = SOMEWHERE.some((name) => where.has(name)) || (axis !== null && own.length < rows.length);
      if (ANSWERING.has(quantity.name) && !isSomewhere) return false;
      const { more, usually } = slowMs(own);
      // Some work varies by more than a lognormal distribution, and then elsewhere too.
      const elsewhere = Math.max(1, (all.more - more) / Math.max(1, all.usually - usually));
      return more >= MIN_FACTOR * elsewhere * usually;
    });
}

/**
 * Per cell, from when on a request is slow, what it would take if it were not, and how much of what is usual is of slow requests that
 * a lognormal distribution has as well. NaN with too few requests.
 */
function tailBeyond(
  { values, stratum, strata }: Quantity,
  rows: Int32Array,
  factorAt: (row: number) => number,
  cells: Cells,
) {
  const bodies = rowsByCode(rows, stratum, strata).map((own) => {
    if (own.length < MIN_ROWS) return null;
    const ratios = new Float64Array(own.length);
    for (let i = 0; i < own.length; i++) {
      const row = own[i] as number;
      ratios[i] = (values[row] as number) / factorAt(row);
    }
    const logAt = (q: number) => Math.log(Math.max(FLOOR_MS, quickselect(ratios, quantileRank(q, ratios.length))));
    const middle = logAt(0.5);
    // Slow requests are above the median: the spread is that of the others.
    const sigma = (middle - logAt(0.25)) / QUARTILE;
    return { median: Math.exp(middle), sigma: Math.min(MAX_SIGMA, Math.max(MIN_SIGMA, sigma)) };
  });
  const [limit, ordinary, tail] = Array.from({ length: 3 }, () =>
    new Float64Array(cells.rows.length).fill(Number.NaN),
  ) as [Float64Array, Float64Array, Float64Array];
  for (const [cell, row] of cells.rows.entries()) {
    const body = bodies[stratum[row] as number] ?? null;
    if (body === null) continue;
    const { sigma } = body;
    const median = body.median * factorAt(row);
    const mean = median * Math.exp((sigma * sigma) / 2);
    const slow = Math.max(LEAST_SLOW_MS, median * Math.exp(SLOW_SIGMAS * sigma));
    const z = Math.log(slow / median) / sigma;
    limit[cell] = slow;
    ordinary[cell] = Math.min(mean, slow);
    // Beyond the limit a lognormal distribution has that much more than its mean.
    tail[cell] = mean * (upperTail(z - sigma) - upperTail(z));
  }
  return { limit, ordinary, tail };
}
