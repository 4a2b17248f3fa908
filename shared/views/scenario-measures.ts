import { evidenceClassOf } from '../classify/evidence.ts';
import type { StoredSample } from '../sample/sample.ts';
import { exactDistribution } from '../statistics/exact-distribution.ts';
import { timeStatistics } from '../statistics/time-statistics.ts';
import { DEFAULT_BASELINES } from '../summary/overhead.ts';
import { type Measure, type MeasuredRun, type RatioTable, ratiosView } from './ratios-view.ts';
import type { ScenarioGroup } from './scenario-groups.ts';
import { column, type TableDocument, type ViewDocument } from './table-document.ts';

/** Bodies from this size on tell of throughput and not of latency, bytes. */
export const LARGE_BODY = 100 * 1024;
const KB = 1024;
/** What resuming a session saves, whatever the baselines are. */
const RESUMED = { baseline: 'https-new-full', runs: ['https-new-resumed'] } as const;

const TIME_MEASURES: readonly Measure[] = [
  { name: 'n', label: 'Requests', unit: 'count' },
  { name: 'median', label: 'Median', unit: 'ms' },
  { name: 'mean', label: 'Average', unit: 'ms' },
  { name: 'setup', label: 'Set-up, average', unit: 'ms' },
  { name: 'tls', label: 'TLS, median', unit: 'ms' },
  { name: 'wait', label: 'Wait, median', unit: 'ms' },
  { name: 'throughput', label: 'Large bodies', unit: 'kb_per_second' },
  { name: 'serverTime', label: 'Server time, average', unit: 'ms' },
];

/**
 * The ratios view of measured scenarios: times, throughput, and every Server-Timing metric that the settings allow. Each
 * baseline has its own pair of tables; the resumed session is also set against the full one.
 */
export function scenarioRatiosView(
  groups: readonly ScenarioGroup[],
  baselines: Readonly<Record<string, string>> = DEFAULT_BASELINES,
): ViewDocument {
  const metrics = metricNames(groups);
  const measures = [
    ...TIME_MEASURES,
    ...metrics.map((name) => ({ name: metricKey(name), label: name, unit: 'number' as const })),
  ];
  const tables = (['page', 'probe'] as const).flatMap((source) => tablesOf(groups, source, metrics, baselines));
  const view = ratiosView(measures, tables);
  return { ...view, tables: [...view.tables, tlsTable(groups)] };
}

function tablesOf(
  groups: readonly ScenarioGroup[],
  source: ScenarioGroup['source'],
  metrics: readonly string[],
  baselines: Readonly<Record<string, string>>,
): RatioTable[] {
  const own = groups.filter((group) => group.source === source);
  if (own.length === 0) return [];
  const measured = own.map(({ scenario }) => scenario);
  const wanted = new Set(measured.map((scenario) => baselines[scenario]).filter((name) => name !== undefined));
  return [
    {
      title: source === 'page' ? 'Users’ traffic' : 'Probes',
      runs: own.map((group) => measuredRun(group, metrics)),
      comparisons: [
        ...[...wanted].map((baseline) => ({
          baseline,
          runs: measured.filter((scenario) => baselines[scenario] === baseline),
        })),
        ...(measured.includes(RESUMED.runs[0]) ? [RESUMED] : []),
      ],
    },
  ];
}

function measuredRun({ scenario, samples, aggregate }: ScenarioGroup, metrics: readonly string[]): MeasuredRun {
  const { times, clockStep } = aggregate;
  const total = timeStatistics(times.ttlb, clockStep);
  const usable = samples.filter((sample) => evidenceClassOf(sample) === 'usable');
  const measures: Record<string, number | null> = {
    n: times.ttlb.n,
    median: total?.median ?? null,
    mean: total?.mean ?? null,
    setup: timeStatistics(aggregate.setupPerRequest, clockStep)?.mean ?? null,
    tls: timeStatistics(times.tls, clockStep)?.median ?? null,
    wait: timeStatistics(times.wait, clockStep)?.median ?? null,
    throughput: throughput(usable),
    serverTime: meanOf(usable.map(({ serverTime }) => (serverTime === null ? null : serverTime / 1000))),
  };
  for (const name of metrics) measures[metricKey(name)] = meanOf(usable.map((sample) => metricOf(sample, name)));
  return { name: scenario, measures };
}

/** Median of body ÷ (wait + receive): the rate of a whole answer, as a file transfer counts it. KB are 1,024 bytes. */
function throughput(samples: readonly StoredSample[]): number | null {
  const bytesPerSecond = samples.flatMap(({ encodedBodySize, times: { wait, receive } }) => {
    const time = wait === null || receive === null ? 0 : wait + receive;
    return encodedBodySize === null || encodedBodySize < LARGE_BODY || time === 0
      ? []
      : [Math.round((encodedBodySize / time) * 1e6)];
  });
  const median = timeStatistics(exactDistribution(bytesPerSecond), null)?.median;
  return median === undefined ? null : (median * 1000) / KB;
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function metricNames(groups: readonly ScenarioGroup[]): string[] {
  const names = groups.flatMap(({ samples }) => samples.flatMap(({ metrics }) => Object.keys(metrics)));
  return [...new Set(names)].sort();
}

/** A server may call its metric `constructor`: only what the sample itself holds is one. */
function metricOf({ metrics }: StoredSample, name: string): number | null {
  return Object.hasOwn(metrics, name) ? (metrics[name] ?? null) : null;
}

/** A server may call its metric `median`: it must not take our column. */
function metricKey(name: string): string {
  return `metric:${name}`;
}

function tlsTable(groups: readonly ScenarioGroup[]): TableDocument {
  const rows = groups.flatMap(({ scenario, source, samples }) => {
    const counts = new Map<string, { version: string; cipher: string; n: number }>();
    for (const { tls } of samples) {
      if (!tls) continue;
      const version = tls.version ?? '(unknown)';
      const cipher = tls.cipher ?? '(unknown)';
      const entry = counts.get(`${version} ${cipher}`) ?? { version, cipher, n: 0 };
      entry.n++;
      counts.set(`${version} ${cipher}`, entry);
    }
    return [...counts]
      .sort(([a, one], [b, other]) => other.n - one.n || (a < b ? -1 : 1))
      .map(([, entry]) => ({ scenario, source, ...entry }));
  });
  return {
    title: 'TLS versions and ciphers',
    columns: [
      column('scenario', 'Scenario', 'text'),
      column('source', 'Source', 'text'),
      column('version', 'Version', 'text'),
      column('cipher', 'Cipher', 'text'),
      column('n', 'Requests', 'count'),
    ],
    rows,
    notes: ['Only Firefox tells them.'],
  };
}
