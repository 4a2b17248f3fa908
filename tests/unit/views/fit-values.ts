/** What a table of the seeds prints of one column, ms. */
export interface PrintedColumn {
  readonly n: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Value at a rank ⌊q(n−1)⌋. */
  readonly quantiles: readonly { readonly q: number; readonly value: number }[];
}

/**
 * Sorted times in whole µs with the printed minimum, quantiles and maximum at their ranks, and between them a straight
 * mixture of both neighbours, `lean` of the way up: the one number that moves the mean, found by halving.
 */
export function fitValues(printed: PrintedColumn): number[] {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 60; i++) {
    const lean = (low + high) / 2;
    if (meanOf(build(printed, lean)) < printed.mean * 1000) low = lean;
    else high = lean;
  }
  return build(printed, low);
}

function build({ n, min, max, quantiles }: PrintedColumn, lean: number): number[] {
  const knots = [
    { rank: 0, value: min },
    ...quantiles.map(({ q, value }) => ({ rank: Math.floor(q * (n - 1)), value })),
    { rank: n - 1, value: max },
  ];
  const values = new Array<number>(n).fill(0);
  for (const [i, knot] of knots.entries()) {
    values[knot.rank] = Math.round(knot.value * 1000);
    const next = knots[i + 1];
    if (!next) break;
    const free = next.rank - knot.rank - 1;
    for (let k = 1; k <= free; k++) {
      const share = Math.min(1, Math.max(0, lean * 2 - 1 + k / (free + 1)));
      values[knot.rank + k] = Math.round((knot.value + (next.value - knot.value) * share) * 1000);
    }
  }
  return values;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
