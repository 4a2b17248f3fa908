import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { ScenarioRows, Sum } from '../../reductions/scenario-rows.ts';

const KB = 1024;

/** What views show of a scenario besides its aggregate, and only samples contain. */
export interface ScenarioFacts {
  /** Median of tls ÷ tcp within each new connection over HTTPS. */
  readonly roundTrips: number | null;
  /** Bytes of all its samples; null if no size is known at all. */
  readonly transferred: number | null;
  readonly body: number | null;
  /** Median rate of large bodies of usable samples, KB per second. */
  readonly throughput: number | null;
  /** Mean, ms. */
  readonly serverTime: number | null;
  /** Mean of each Server-Timing metric of usable samples, by name; null if only unusable samples have it. */
  readonly metrics: ReadonlyMap<string, number | null>;
  /** Most frequent first. */
  readonly tls: readonly TlsCount[];
}

export interface TlsCount {
  readonly version: string;
  readonly cipher: string;
  readonly n: number;
}

/** If the samples are no longer kept. */
export const UNKNOWN_FACTS: ScenarioFacts = {
  roundTrips: null,
  transferred: null,
  body: null,
  throughput: null,
  serverTime: null,
  metrics: new Map(),
  tls: [],
};

/** The facts of some parts together. */
export function toScenarioFacts(parts: readonly ScenarioRows[]): ScenarioFacts {
  const metrics = new Map<string, Sum[]>();
  const tls = new Map<string, { readonly version: string; readonly cipher: string; n: number }>();
  for (const part of parts) {
    for (const [name, sum] of part.metrics) metrics.set(name, [...(metrics.get(name) ?? []), sum]);
    for (const [id, count] of part.tls) {
      const into = tls.get(id) ?? { ...count, n: 0 };
      into.n += count.n;
      tls.set(id, into);
    }
  }
  const ratios = Float64Array.from(parts.flatMap((part) => part.ratios)).sort();
  return {
    roundTrips: ratios[quantileRank(0.5, ratios.length)] ?? null,
    transferred: totalOf(parts.map(({ transferred }) => transferred)),
    body: totalOf(parts.map(({ body }) => body)),
    throughput: medianRate(parts.flatMap(({ rates }) => rates)),
    serverTime: meanOf(parts.map(({ serverTime }) => serverTime)),
    metrics: new Map([...metrics].map(([name, sums]) => [name, meanOf(sums)])),
    tls: sortTlsCounts(tls.values()),
  };
}

function totalOf(sums: readonly Sum[]): number | null {
  return sums.some(({ n }) => n > 0) ? sums.reduce((total, { sum }) => total + sum, 0) : null;
}

function meanOf(sums: readonly Sum[]): number | null {
  const total = totalOf(sums);
  return total === null ? null : total / sums.reduce((all, { n }) => all + n, 0);
}

/** @param rates bytes per second @returns KB per second, of 1,024 bytes */
function medianRate(rates: Iterable<number>): number | null {
  const median = timeStatistics(exactDistribution(rates), null)?.median;
  return median === undefined ? null : (median * 1000) / KB;
}

/** Most frequent first. */
function sortTlsCounts(counts: Iterable<TlsCount>): TlsCount[] {
  const id = ({ version, cipher }: TlsCount) => `${version} ${cipher}`;
  return [...counts].sort((one, other) => other.n - one.n || (id(one) < id(other) ? -1 : 1));
}
