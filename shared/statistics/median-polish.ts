/** Enough for tables of a fleet; each sweep that changes anything lowers the sum of absolute residuals. */
const MAX_SWEEPS = 20;

export interface PolishedTable {
  readonly overall: number;
  /** Median 0 over the rows, and over the columns. */
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  /** value = overall + row + column + residual; null where the table has no value. */
  readonly residuals: readonly (readonly (number | null)[])[];
}

/**
 * Tukey's median polish: what of each value in a two-way table belongs to its row, to its column, and to the pair alone. Unlike
 * means, medians leave one extreme pair out of the effects of its row and column. J. W. Tukey, Exploratory Data Analysis
 * (1977), chapter 11.
 *
 * @param table rows of equal length; null for missing values. A row or column without values has the effect 0.
 */
export function medianPolish(table: readonly (readonly (number | null)[])[]): PolishedTable {
  const residuals = table.map((row) => [...row]);
  const rows = new Array<number>(table.length).fill(0);
  const columns = new Array<number>(table[0]?.length ?? 0).fill(0);
  let overall = 0;

  /** Moves the median of an effect's values into the overall level. */
  function centre(effects: number[]): void {
    const middle = medianOf(effects);
    overall += middle;
    for (let i = 0; i < effects.length; i++) effects[i] = (effects[i] as number) - middle;
  }

  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let moved = 0;
    residuals.forEach((row, r) => {
      const middle = medianOf(row);
      rows[r] = (rows[r] as number) + middle;
      moved += Math.abs(middle);
      for (let c = 0; c < row.length; c++) row[c] = less(row[c], middle);
    });
    centre(rows);
    for (let c = 0; c < columns.length; c++) {
      const middle = medianOf(residuals.map((row) => row[c] ?? null));
      columns[c] = (columns[c] as number) + middle;
      moved += Math.abs(middle);
      for (const row of residuals) row[c] = less(row[c], middle);
    }
    centre(columns);
    if (moved === 0) break;
  }
  return { overall, rows, columns, residuals };
}

function less(value: number | null | undefined, by: number): number | null {
  return value == null ? null : value - by;
}

/** Between the two middle values if their number is even; 0 without values. */
function medianOf(values: readonly (number | null)[]): number {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}
