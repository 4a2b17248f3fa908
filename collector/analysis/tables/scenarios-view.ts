import { logHistogram } from '../../../shared/statistics/log-histogram.ts';
import { peaks } from '../../../shared/statistics/peaks.ts';
import { sharesAbove } from '../../../shared/statistics/shares-above.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { ENGLISH_TABLES, type TableTexts } from '../text/english-tables.ts';
import { outsideTable } from './outside-table.ts';
import type { OutsideCounts, ScenarioGroup } from './scenario-groups.ts';
import { column, fillColumns, type TableDocument, type TableRow, type ViewDocument } from './table-document.ts';

/** Users notice from here on (µs), and complain from there on. */
const NOTICED = 200_000;
const COMPLAINED = 1_000_000;

export interface ScenariosOptions {
  /** Length of the range behind the samples, seconds; null if rates would mean nothing. */
  readonly durationSeconds: number | null;
  readonly outside: OutsideCounts;
}

/** Per scenario: how many requests, how long they took, how many took far too long, and the peaks of their times. */
export function scenariosView(
  groups: readonly ScenarioGroup[],
  options: ScenariosOptions,
  texts: TableTexts = ENGLISH_TABLES,
): ViewDocument {
  return {
    view: 'scenarios',
    title: texts.views.scenarios,
    tables: [timesTable(groups, options, texts), histogramTable(groups, texts), outsideTable(options.outside, texts)],
    notes: [texts.notes.sources],
  };
}

function timesTable(
  groups: readonly ScenarioGroup[],
  { durationSeconds }: ScenariosOptions,
  { titles, columns, notes, numbers }: TableTexts,
): TableDocument {
  return {
    title: titles.responseTimes,
    columns: [
      column('scenario', columns.scenario, 'text'),
      column('source', columns.source, 'text'),
      column('n', columns.usable, 'count'),
      column('leftOut', columns.leftOut, 'count'),
      column('seenPerSecond', columns.usableSeen, 'per_second'),
      column('median', columns.median, 'ms'),
      column('p95', columns.p95, 'ms'),
      column('p99', columns.p99, 'ms'),
      column('above200', columns.over200ms, 'share'),
      column('above1000', columns.over1s, 'share'),
      column('peaks', columns.peaks, 'text'),
      column('handshakesPerSecond', columns.handshakesSeen, 'per_second'),
      column('handshakeRoundTrips', columns.handshakeRoundTrips, 'number'),
      column('keepMeasuring', columns.keepMeasuring, 'text'),
    ],
    rows: groups
      .map((group) => timesRow(group, group.durationSeconds ?? durationSeconds, numbers))
      .filter((row) => row !== null),
    notes: [notes.usableSeen(durationSeconds), notes.handshakeRoundTrips, notes.peaks],
  };
}

function timesRow(
  group: ScenarioGroup,
  seconds: number | null,
  { count, wholeShare }: TableTexts['numbers'],
): TableRow | null {
  const { scenario, source, aggregate } = group;
  const { ttlb, tls } = aggregate.times;
  // A scenario is merged from several cells, whose browsers can be the same ones: their number is unknown.
  const statistics = timeStatistics(ttlb, aggregate.clockStep, null);
  if (!statistics) return null;
  const [noticed, complained] = sharesAbove(ttlb, [NOTICED, COMPLAINED]) ?? [];
  const rate = (n: number) => (seconds === null || seconds <= 0 ? null : n / seconds);
  const found = peaks(ttlb, aggregate.clockStep ?? 0);
  return {
    scenario,
    source,
    n: statistics.n,
    leftOut: aggregate.samples - statistics.n,
    seenPerSecond: rate(statistics.n),
    median: statistics.median,
    p95: statistics.p95,
    p99: statistics.p99,
    above200: noticed?.share ?? null,
    above1000: complained?.share ?? null,
    peaks: found?.map(({ at, share }) => `${count(at / 1000)} ms (${wholeShare(share)})`).join(', ') ?? null,
    handshakesPerSecond: scenario.startsWith('https') ? rate(tls.n) : null,
    handshakeRoundTrips: group.facts.roundTrips,
    keepMeasuring: statistics.keepMeasuring.join(', '),
  };
}

function histogramTable(groups: readonly ScenarioGroup[], { titles, columns, notes }: TableTexts): TableDocument {
  const bins = groups.flatMap(({ scenario, source, aggregate }) =>
    logHistogram(aggregate.times.ttlb).map((bin) => ({ scenario, source, ...bin })),
  );
  return {
    title: titles.histogram,
    ...fillColumns(bins, [
      ['scenario', columns.scenario, 'text'],
      ['source', columns.source, 'text'],
      ['from', columns.from, 'ms', ({ from }) => from / 1000],
      ['to', columns.to, 'ms', ({ to }) => to / 1000],
      ['count', columns.requests, 'count'],
    ]),
    notes: [notes.bins],
  };
}
