import { ownRoundTrip } from '../../../collector/analysis/summary/own-round-trip.ts';
import type { ScenarioFacts, TlsCount } from '../../../collector/analysis/tables/scenario-facts.ts';
import { canDivideBy, largeBodyRate, UNKNOWN_TLS } from '../../../collector/reductions/scenario-rows.ts';
import { toEvidenceClass } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';

const KB = 1024;

/** The facts of a scenario sample by sample: what the collector of its rows has to find. */
export function scenarioFacts(samples: readonly StoredSample[]): ScenarioFacts {
  const usable = samples.filter((sample) => toEvidenceClass(sample) === 'usable');
  const rates = usable.flatMap(({ encodedBodySize, times: { wait, receive } }) => {
    const rate = largeBodyRate(encodedBodySize, wait, receive);
    return rate === null ? [] : [rate];
  });
  const names = new Set(samples.flatMap(({ metrics }) => Object.keys(metrics)));
  return {
    roundTrips: pairedRoundTrips(samples),
    transferred: sumKnown(samples.map(({ transferSize }) => transferSize)),
    body: sumKnown(samples.map(({ encodedBodySize }) => encodedBodySize)),
    throughput: medianRate(rates),
    serverTime: meanOf(usable.map(({ serverTime }) => (serverTime === null ? null : serverTime / 1000))),
    metrics: new Map([...names].map((name) => [name, meanOf(usable.map((sample) => metricOf(sample, name)))])),
    tls: tlsCounts(samples),
  };
}

/**
 * The median of tls ÷ tcp, paired within each new connection over HTTPS. Usable ones only, not on HTTP/3, and where `tcp` is
 * long enough to divide by.
 */
function pairedRoundTrips(samples: readonly StoredSample[]): number | null {
  const ratios: number[] = [];
  for (const sample of samples) {
    const tcp = sample.scheme === 'https' && toEvidenceClass(sample) === 'usable' ? ownRoundTrip(sample) : null;
    const { tls } = sample.times;
    if (tcp !== null && tls !== null && canDivideBy(tcp, sample.origin.clockStep)) ratios.push(tls / tcp);
  }
  return ratios.sort((a, b) => a - b)[quantileRank(0.5, ratios.length)] ?? null;
}

/** @param rates bytes per second @returns KB per second, of 1,024 bytes */
function medianRate(rates: Iterable<number>): number | null {
  const median = timeStatistics(exactDistribution(rates), null)?.median;
  return median === undefined ? null : (median * 1000) / KB;
}

function tlsCounts(samples: readonly StoredSample[]): TlsCount[] {
  const counts = new Map<string, { version: string; cipher: string; n: number }>();
  for (const { tls } of samples) {
    if (!tls) continue;
    const version = tls.version ?? UNKNOWN_TLS;
    const cipher = tls.cipher ?? UNKNOWN_TLS;
    const entry = counts.get(`${version} ${cipher}`) ?? { version, cipher, n: 0 };
    entry.n++;
    counts.set(`${version} ${cipher}`, entry);
  }
  const name = ({ version, cipher }: TlsCount) => `${version} ${cipher}`;
  return [...counts.values()].sort((a, b) => b.n - a.n || (name(a) < name(b) ? -1 : 1));
}

function sumKnown(sizes: readonly (number | null)[]): number | null {
  const known = sizes.filter((size) => size !== null);
  return known.length === 0 ? null : known.reduce((sum, size) => sum + size, 0);
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** A server may call its metric `constructor`: only own properties count. */
function metricOf({ metrics }: StoredSample, name: string): number | null {
  return Object.hasOwn(metrics, name) ? (metrics[name] ?? null) : null;
}
