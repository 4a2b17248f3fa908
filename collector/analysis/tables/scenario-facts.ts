import { evidenceClassOf } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { pairedRoundTrips } from '../summary/handshake-round-trips.ts';

/** The time of bodies from this size on depends on throughput rather than latency, bytes. */
export const LARGE_BODY = 100 * 1024;
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

/** A group of samples, or their facts if they were computed elsewhere. */
export interface WithFacts {
  readonly samples: readonly StoredSample[];
  readonly facts?: ScenarioFacts;
}

export function factsOf({ samples, facts }: WithFacts): ScenarioFacts {
  if (facts !== undefined) return facts;
  const found = known.get(samples) ?? scenarioFacts(samples);
  known.set(samples, found);
  return found;
}

/** Cached, because every table of a view needs them. */
const known = new WeakMap<readonly StoredSample[], ScenarioFacts>();

function scenarioFacts(samples: readonly StoredSample[]): ScenarioFacts {
  const usable = samples.filter((sample) => evidenceClassOf(sample) === 'usable');
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

/** Bytes per second of a whole answer, as file transfers count: body ÷ (wait + receive). null if unknown or too small. */
export function largeBodyRate(size: number | null, wait: number | null, receive: number | null): number | null {
  const time = wait === null || receive === null ? 0 : wait + receive;
  return size === null || size < LARGE_BODY || time === 0 ? null : Math.round((size / time) * 1e6);
}

/** @param rates bytes per second @returns KB per second, of 1,024 bytes */
export function medianRate(rates: Iterable<number>): number | null {
  const median = timeStatistics(exactDistribution(rates), null)?.median;
  return median === undefined ? null : (median * 1000) / KB;
}

/** Most frequent first. */
export function sortTlsCounts(counts: Iterable<TlsCount>): TlsCount[] {
  const id = ({ version, cipher }: TlsCount) => `${version} ${cipher}`;
  return [...counts].sort((one, other) => other.n - one.n || (id(one) < id(other) ? -1 : 1));
}

export const UNKNOWN_TLS = '(unknown)';

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
  return sortTlsCounts(counts.values());
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
