import { type Axes, type AxisName, type Cells, combineAxes } from './axes.ts';
import type { Quantity } from './quantities.ts';
import { pickRows, type Waits } from './waits.ts';

/** Requests without which a site's factor is not known. */
const MIN_ROWS = 20;

/** What was waited in each cell, and in how many requests. */
export interface CellSums {
  readonly cells: Cells;
  readonly n: Float64Array;
  readonly observed: Float64Array;
}

interface Prepared {
  /** That have a value. */
  readonly rows: Int32Array;
  /** How many times as long it takes at a row's host from its site as from all: sites are at different distances. */
  factorAt(row: number): number;
  sums(names: readonly AxisName[]): CellSums;
}

const PREPARED = new WeakMap<Quantity, Prepared>();

export function prepareQuantity(waits: Waits, axes: Axes, quantity: Quantity): Prepared {
  const known = PREPARED.get(quantity);
  if (known !== undefined) return known;
  const rows = pickRows(waits.rows, (row) => !Number.isNaN(quantity.values[row] as number));
  const added = new Map<Cells, CellSums>();
  const sums = (names: readonly AxisName[]) => {
    const cells = axes.cells(names);
    const one = added.get(cells) ?? addUp(quantity.values, rows, cells);
    added.set(cells, one);
    return one;
  };
  const made = { rows, factorAt: siteFactors(waits, quantity, sums([])), sums };
  PREPARED.set(quantity, made);
  return made;
}

/** Sums of columns, which have one value for each of the rows, by a code below `size`; rows with a negative code are in none. */
export function sumByCode<T extends readonly Float64Array[]>(
  rows: Int32Array,
  size: number,
  codeAt: (row: number, index: number) => number,
  ...columns: T
): { [K in keyof T]: Float64Array } {
  const codes = rows.map(codeAt);
  return columns.map((column) => {
    const sums = new Float64Array(size);
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] as number;
      if (code >= 0) sums[code] = (sums[code] as number) + (column[i] as number);
    }
    return sums;
  }) as { [K in keyof T]: Float64Array };
}

/** Where there are more cells than rows, each row is one. */
const PLACE_CODES = new WeakMap<Cells, Map<string, Int32Array>>();

/** The place of each cell on these axes; −1 where any of them is unknown. @param cells that tell these axes apart */
export function placeCodes(axes: Axes, names: readonly AxisName[], cells: Cells): Int32Array {
  const known = PLACE_CODES.get(cells) ?? new Map<string, Int32Array>();
  PLACE_CODES.set(cells, known);
  const id = names.join();
  const places = combineAxes(axes, names);
  const codes = known.get(id) ?? cells.rows.map((row) => places.codeAt(row));
  known.set(id, codes);
  return codes;
}

export function addUp(values: Float32Array, rows: Int32Array, all: Cells): CellSums {
  const cells = rows.length < all.rows.length ? { codes: new Int32Array(values.length), rows } : all;
  if (cells !== all) for (let i = 0; i < rows.length; i++) cells.codes[rows[i] as number] = i;
  const n = new Float64Array(cells.rows.length);
  const observed = new Float64Array(cells.rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const cell = cells.codes[row] as number;
    n[cell] = (n[cell] as number) + 1;
    observed[cell] = (observed[cell] as number) + (values[row] as number);
  }
  return { cells, n, observed };
}

export function siteFactors(
  { site, sites, host, hosts }: Waits,
  { stratum, strata }: Quantity,
  { cells: { rows }, n, observed }: CellSums,
): Prepared['factorAt'] {
  const [all, sums] = sumByCode(rows, strata, (row) => stratum[row] as number, n, observed);
  const means = sums.map((sum, one) => sum / Math.max(1, all[one] as number));
  const usually = n.map((count, cell) => count * (means[stratum[rows[cell] as number] as number] as number));
  const places = sites.length + 1;
  const placeOf = (row: number) => (host[row] as number) * places + (site[row] as number) + 1;
  const [own, usual, count] = sumByCode(rows, hosts.length * places, placeOf, observed, usually, n);
  const factors = own.map((ms, place) =>
    (count[place] as number) < MIN_ROWS || ms === 0 ? 1 : ms / (usual[place] as number),
  );
  return (row) => Math.fround(factors[placeOf(row)] as number);
}
