import type { BatchOrigin } from '../../../shared/sample/sample.ts';
import {
  NULL,
  type NumberName,
  type SampleColumns,
  type TextColumn,
  type TextName,
} from '../../../shared/sample/sample-columns.ts';
import type { BatchColumn, BatchColumns } from '../../../shared/wire/batch-columns.ts';

/** One batch's rows and where they come from. */
export interface OriginColumns {
  readonly origin: BatchOrigin;
  readonly columns: BatchColumns;
}

/**
 * The batches of one group commit as one set of columns, rows in the order given. Values are only copied: they were
 * checked when the batch came in.
 */
export function groupColumns(batches: readonly OriginColumns[]): SampleColumns {
  const n = batches.reduce((sum, { columns }) => sum + columns.n, 0);
  const origins = groupOrigins(batches, n);
  return {
    n,
    at: () => groupNumbers(batches, n, (columns) => columns.at),
    origins: origins.entries,
    origin: () => origins.codes,
    text: (name) => groupTexts(batches, n, name),
    number: (name: NumberName) => groupNumbers(batches, n, (columns) => columns.numbers[name]),
    metricNames: [...new Set(batches.flatMap(({ columns }) => columns.metrics.map(([name]) => name)))].sort(),
    metric: (name) => groupMetrics(batches, n, name),
  };
}

function groupOrigins(batches: readonly OriginColumns[], n: number): { entries: BatchOrigin[]; codes: Int32Array } {
  const entries: BatchOrigin[] = [];
  const known = new Map<string, number>();
  const codes = new Int32Array(n);
  let start = 0;
  for (const { origin, columns } of batches) {
    const key = `${origin.client}\n${origin.site}\n${origin.browser}\n${origin.browserVersion}\n${origin.extensionVersion}\n${origin.clockStep}`;
    const place = known.get(key) ?? entries.push(origin) - 1;
    known.set(key, place);
    codes.fill(place, start, start + columns.n);
    start += columns.n;
  }
  return { entries, codes };
}

function groupNumbers(
  batches: readonly OriginColumns[],
  n: number,
  read: (columns: BatchColumns) => BatchColumn | null | undefined,
): Float64Array {
  const values = new Float64Array(n);
  let start = 0;
  for (const { columns } of batches) {
    const column = read(columns);
    const end = start + columns.n;
    if (column === undefined || column === null) values.fill(NULL, start, end);
    else for (let row = 0; row < columns.n; row++) values[start + row] = column[row] ?? NULL;
    start = end;
  }
  return values;
}

function groupTexts(batches: readonly OriginColumns[], n: number, name: TextName): TextColumn {
  const entries: string[] = [];
  const known = new Map<string, number>();
  const codes = new Int32Array(n);
  let start = 0;
  for (const { columns } of batches) {
    const column = columns.texts[name];
    const end = start + columns.n;
    if (column === undefined) codes.fill(NULL, start, end);
    else {
      const places = column.entries.map((text) => {
        const place = known.get(text) ?? entries.push(text) - 1;
        known.set(text, place);
        return place;
      });
      for (let row = 0; row < columns.n; row++) {
        const index = column.indexes[row] ?? null;
        codes[start + row] = index === null ? NULL : (places[index] as number);
      }
    }
    start = end;
  }
  return { entries, codes };
}

function groupMetrics(batches: readonly OriginColumns[], n: number, name: string): Float64Array {
  const values = new Float64Array(n).fill(Number.NaN);
  let start = 0;
  for (const { columns } of batches) {
    const column = columns.metrics.find(([known]) => known === name)?.[1];
    if (column !== undefined) {
      for (let row = 0; row < columns.n; row++) values[start + row] = column[row] ?? Number.NaN;
    }
    start += columns.n;
  }
  return values;
}
