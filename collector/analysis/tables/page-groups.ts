import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';

/** One page template: the result codes of all its requests, and the statistics of the usable ones. */
export interface PageGroup {
  readonly host: string;
  readonly template: string;
  readonly type: string;
  /** Usable requests. */
  readonly hits: number;
  /** All requests by result code; see `resultCode`. */
  readonly codes: ReadonlyMap<string, number>;
  readonly ttfb: TimeStatistics | null;
  readonly ttlb: TimeStatistics | null;
  readonly wait: TimeStatistics | null;
  /** Body sizes: bytes instead of milliseconds. */
  readonly length: TimeStatistics | null;
}

/** As tables print it. @param status null if the browser hides it */
export function resultCode(status: number | null, connection: string): string {
  return status === null ? (connection === 'failed' ? '(failed)' : '(hidden)') : String(status);
}

/** By host, template and type. */
export function sortPages(pages: readonly PageGroup[]): PageGroup[] {
  const named = pages.map((page) => [JSON.stringify([page.host, page.template, page.type]), page] as const);
  return named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, page]) => page);
}
