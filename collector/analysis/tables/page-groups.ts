import { evidenceClassOf } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { type TimeStatistics, timeStatistics } from '../../../shared/statistics/time-statistics.ts';

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

export function pageGroups(samples: readonly StoredSample[]): PageGroup[] {
  const groups = new Map<string, StoredSample[]>();
  for (const sample of samples) {
    const id = JSON.stringify([sample.host, sample.template, sample.type]);
    const group = groups.get(id);
    if (group) group.push(sample);
    else groups.set(id, [sample]);
  }
  return sortPages([...groups.values()].map(pageGroup));
}

/** By host, template and type. */
export function sortPages(pages: readonly PageGroup[]): PageGroup[] {
  const named = pages.map((page) => [JSON.stringify([page.host, page.template, page.type]), page] as const);
  return named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, page]) => page);
}

function pageGroup(samples: readonly StoredSample[]): PageGroup {
  const usable = samples.filter((sample) => evidenceClassOf(sample) === 'usable');
  const clockStep = usable.reduce((step, { origin }) => Math.max(step, origin.clockStep), 0);
  const times = (name: 'ttfb' | 'ttlb' | 'wait') =>
    timeStatistics(exactDistribution(known(usable.map((sample) => sample.times[name]))), clockStep);
  const [{ host, template, type }] = samples as [StoredSample];
  const bytes = known(usable.map(({ encodedBodySize }) => encodedBodySize));
  const codes = new Map<string, number>();
  for (const { status, connection } of samples) {
    const code = resultCode(status, connection);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  return {
    host,
    template,
    type,
    hits: usable.length,
    codes,
    ttfb: times('ttfb'),
    ttlb: times('ttlb'),
    wait: times('wait'),
    // Statistics divide by 1000, so bytes go in times 1000.
    length: timeStatistics(exactDistribution(bytes.map((size) => size * 1000)), null),
  };
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}
