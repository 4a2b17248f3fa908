import type { BatchOrigin } from '../../../shared/sample/sample.ts';
import type { BatchColumns } from '../../../shared/wire/batch-columns.ts';

/** One batch's rows and where they come from. */
export interface OriginColumns {
  readonly origin: BatchOrigin;
  readonly columns: BatchColumns;
}

/** Each origin once, and the place of every row's. */
export function groupOrigins(
  batches: readonly OriginColumns[],
  n: number,
): { entries: BatchOrigin[]; codes: Int32Array } {
  const entries: BatchOrigin[] = [];
  const known = new Map<string, number>();
  const codes = new Int32Array(n);
  let start = 0;
  for (const { origin, columns } of batches) {
    const key = originKey(origin);
    const place = known.get(key) ?? entries.push(origin) - 1;
    known.set(key, place);
    codes.fill(place, start, start + columns.n);
    start += columns.n;
  }
  return { entries, codes };
}

/** The same for the same origin; several times faster than JSON. */
export function originKey(origin: BatchOrigin): string {
  return `${origin.client}\n${origin.site}\n${origin.browser}\n${origin.browserVersion}\n${origin.extensionVersion}\n${origin.clockStep}`;
}
