import type { Quantity } from './quantities.ts';
import type { Waits } from './waits.ts';

/** Requests without which a site's factor is not known. */
const MIN_ROWS = 20;

interface Prepared {
  /** That have a value. */
  readonly rows: Int32Array;
  readonly usual: Float32Array;
}

const PREPARED = new WeakMap<Quantity, Prepared>();

export function prepareQuantity(waits: Waits, quantity: Quantity): Prepared {
  const known = PREPARED.get(quantity);
  if (known !== undefined) return known;
  const rows = Int32Array.from(quantity.values, (ms, row) => (Number.isNaN(ms) ? -1 : row)).filter((row) => row >= 0);
  const made = { rows, usual: usualFactors(waits, quantity, rows) };
  PREPARED.set(quantity, made);
  return made;
}

/** Per row, how many times as long a quantity takes at its host from its site as from all: sites are at different distances. */
function usualFactors({ table, site, sites, host, hosts }: Waits, quantity: Quantity, rows: Int32Array): Float32Array {
  const { values, stratum, strata } = quantity;
  const n = new Float64Array(strata);
  const sums = new Float64Array(strata);
  for (const row of rows) {
    const one = stratum[row] as number;
    n[one] = (n[one] as number) + 1;
    sums[one] = (sums[one] as number) + (values[row] as number);
  }
  const places = sites.length + 1;
  const own = new Float64Array(hosts.length * places);
  const usual = new Float64Array(own.length);
  const count = new Float64Array(own.length);
  const cellOf = (row: number) => (host[row] as number) * places + (site[row] as number) + 1;
  for (const row of rows) {
    const one = stratum[row] as number;
    const cell = cellOf(row);
    own[cell] = (own[cell] as number) + (values[row] as number);
    usual[cell] = (usual[cell] as number) + (sums[one] as number) / (n[one] as number);
    count[cell] = (count[cell] as number) + 1;
  }
  const factors = own.map((ms, cell) =>
    (count[cell] as number) < MIN_ROWS || ms === 0 ? 1 : ms / (usual[cell] as number),
  );
  const found = new Float32Array(table.n).fill(1);
  for (const row of rows) found[row] = factors[cellOf(row)] as number;
  return found;
}
