import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { MIN_ALIKE, unlikeIn } from '../summary/likeness.ts';
import { DEFAULT_BASELINES } from '../summary/overhead.ts';
import { ENGLISH_TABLES, type TableTexts } from '../text/english-tables.ts';
import { type Measure, type MeasuredRun, type RatioTable, ratiosView } from './ratios-view.ts';
import { GROUP_SOURCES, type ScenarioGroup } from './scenario-groups.ts';
import { column, type TableDocument, type ViewDocument } from './table-document.ts';

/** What resuming a session saves, regardless of the baselines. */
const RESUMED = { baseline: 'https-new-full', runs: ['https-new-resumed'] } as const;

/**
 * The ratios view of measured scenarios: times, throughput, and every Server-Timing metric that the settings allow.
 * Each baseline has its own pair of tables; the resumed session is also compared with the full one.
 */
export function scenarioRatiosView(
  groups: readonly ScenarioGroup[],
  baselines: Readonly<Record<string, string>> = DEFAULT_BASELINES,
  texts: TableTexts = ENGLISH_TABLES,
): ViewDocument {
  const { columns } = texts;
  const metrics = [...new Set(groups.flatMap(({ facts }) => [...facts.metrics.keys()]))].sort();
  const measures: Measure[] = [
    { name: 'n', label: columns.requests, unit: 'count' },
    { name: 'median', label: columns.median, unit: 'ms' },
    { name: 'mean', label: columns.average, unit: 'ms' },
    { name: 'setup', label: columns.setupAverage, unit: 'ms' },
    { name: 'tls', label: columns.tlsMedian, unit: 'ms' },
    { name: 'wait', label: columns.waitMedian, unit: 'ms' },
    { name: 'throughput', label: columns.largeBodies, unit: 'kb_per_second' },
    { name: 'serverTime', label: columns.serverTimeAverage, unit: 'ms' },
    ...metrics.map((name) => ({ name: metricKey(name), label: name, unit: 'number' as const })),
  ];
  const tables = GROUP_SOURCES.flatMap((source) => tablesOf(groups, source, metrics, baselines, texts));
  const view = ratiosView(measures, tables, texts);
  return { ...view, tables: [...view.tables, tlsTable(groups, texts)] };
}

function tablesOf(
  groups: readonly ScenarioGroup[],
  source: ScenarioGroup['source'],
  metrics: readonly string[],
  baselines: Readonly<Record<string, string>>,
  { titles, notes }: TableTexts,
): RatioTable[] {
  const own = groups.filter((group) => group.source === source);
  if (own.length === 0) return [];
  const measured = own.map(({ scenario }) => scenario);
  const wanted = new Set(measured.map((scenario) => baselines[scenario]).filter((name) => name !== undefined));
  return [
    {
      title: titles[source],
      runs: own.map((group) => measuredRun(group, metrics)),
      comparisons: [
        ...[...wanted].map((baseline) => ({
          baseline,
          runs: measured.filter((scenario) => baselines[scenario] === baseline),
        })),
        ...(measured.includes(RESUMED.runs[0]) ? [RESUMED] : []),
      ].map((comparison) => ({ ...comparison, ...byLikeness(own, comparison, notes) })),
    },
  ];
}

function byLikeness(
  groups: readonly ScenarioGroup[],
  { baseline, runs }: { readonly baseline: string; readonly runs: readonly string[] },
  words: TableTexts['notes'],
): { incomparable: string[]; notes: string[] } {
  const base = groups.find(({ scenario }) => scenario === baseline);
  const incomparable: string[] = [];
  const notes: string[] = [];
  for (const group of groups) {
    if (base === undefined || !runs.includes(group.scenario)) continue;
    const unlike = unlikeIn(group.counts, base.counts);
    if (unlike.some(({ share }) => share < MIN_ALIKE)) incomparable.push(group.scenario);
    for (const { by, share } of unlike) {
      const note = share < MIN_ALIKE ? words.incomparable : words.unlike;
      notes.push(note(group.scenario, baseline, by, Math.floor(100 * share)));
    }
  }
  return { incomparable, notes };
}

function measuredRun(group: ScenarioGroup, metrics: readonly string[]): MeasuredRun {
  const { scenario, aggregate, facts } = group;
  const { times, clockStep } = aggregate;
  const total = timeStatistics(times.ttlb, clockStep);
  const measures: Record<string, number | null> = {
    n: times.ttlb.n,
    median: total?.median ?? null,
    mean: total?.mean ?? null,
    setup: timeStatistics(aggregate.setupPerRequest, clockStep)?.mean ?? null,
    tls: timeStatistics(times.tls, clockStep)?.median ?? null,
    wait: timeStatistics(times.wait, clockStep)?.median ?? null,
    throughput: facts.throughput,
    serverTime: facts.serverTime,
  };
  for (const name of metrics) measures[metricKey(name)] = facts.metrics.get(name) ?? null;
  return { name: scenario, measures };
}

/** A server may call its metric `median`, which must not replace our column. */
function metricKey(name: string): string {
  return `metric:${name}`;
}

function tlsTable(groups: readonly ScenarioGroup[], { titles, columns, notes }: TableTexts): TableDocument {
  const rows = groups.flatMap((group) =>
    group.facts.tls.map((entry) => ({ scenario: group.scenario, source: group.source, ...entry })),
  );
  return {
    title: titles.tls,
    columns: [
      column('scenario', columns.scenario, 'text'),
      column('source', columns.source, 'text'),
      column('version', columns.version, 'text'),
      column('cipher', columns.cipher, 'text'),
      column('n', columns.requests, 'count'),
    ],
    rows,
    notes: [notes.onlyFirefox],
  };
}
