import { logHistogram } from '../../../shared/statistics/log-histogram.ts';
import { peaks } from '../../../shared/statistics/peaks.ts';
import { sharesAbove } from '../../../shared/statistics/shares-above.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { outsideTable } from './outside-table.ts';
import { factsOf } from './scenario-facts.ts';
import type { OutsideCounts, ScenarioGroup } from './scenario-groups.ts';
import { column, type TableDocument, type TableRow, type ViewDocument } from './table-document.ts';

/** Users notice from here on (µs), and complain from there on. */
const NOTICED = 200_000;
const COMPLAINED = 1_000_000;

export interface ScenariosOptions {
  /** Length of the range behind the samples, seconds; null where rates would mean nothing. */
  readonly durationSeconds: number | null;
  readonly outside: OutsideCounts;
}

/** Scenario by scenario: how many, how long, how many far too long, and in how many peaks (the load test's own table). */
export function scenariosView(groups: readonly ScenarioGroup[], options: ScenariosOptions): ViewDocument {
  return {
    view: 'scenarios',
    title: 'Scenarios: plain HTTP, HTTPS on a kept connection, HTTPS with everything new',
    tables: [timesTable(groups, options), histogramTable(groups), outsideTable(options.outside)],
    notes: ['Users’ traffic, probes and imported recordings stand in rows of their own and are never mixed.'],
  };
}

function timesTable(groups: readonly ScenarioGroup[], { durationSeconds }: ScenariosOptions): TableDocument {
  const period = durationSeconds === null ? 'no stated duration, so no rates' : `${durationSeconds} s`;
  return {
    title: 'Response times',
    columns: [
      column('scenario', 'Scenario', 'text'),
      column('source', 'Source', 'text'),
      column('n', 'Usable requests', 'count'),
      column('leftOut', 'Left out', 'count'),
      column('seenPerSecond', 'Usable requests seen', 'per_second'),
      column('median', 'Median', 'ms'),
      column('p95', '95th percentile', 'ms'),
      column('p99', '99th percentile', 'ms'),
      column('above200', 'Over 200 ms', 'share'),
      column('above1000', 'Over 1 s', 'share'),
      column('peaks', 'Peaks', 'text'),
      column('handshakesPerSecond', 'Handshakes seen', 'per_second'),
      column('handshakeRoundTrips', 'Handshake round trips', 'number'),
      column('keepMeasuring', 'Keep measuring', 'text'),
    ],
    rows: groups.map((group) => timesRow(group, durationSeconds)).filter((row) => row !== null),
    notes: [
      `Usable requests seen: those that count in the times, divided by the duration (${period}). It is what was asked for, not what the server could do. Left out: answers other than 2xx and 3xx, redirects, hidden tabs and the like.`,
      'Handshake round trips: TLS ÷ TCP within each new connection over HTTPS, the median; not on HTTP/3. Not measurable, and empty, where TCP takes less than 5 ms or 10 clock steps: computing would be counted.',
      'Peaks: modes of the density on a logarithmic axis, named from 200 samples on.',
    ],
  };
}

function timesRow(group: ScenarioGroup, seconds: number | null): TableRow | null {
  const { scenario, source, aggregate } = group;
  const { ttlb, tls } = aggregate.times;
  const statistics = timeStatistics(ttlb, aggregate.clockStep);
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
    peaks:
      found?.map(({ at, share }) => `${Math.round(at / 1000)} ms (${Math.round(100 * share)} %)`).join(', ') ?? null,
    handshakesPerSecond: scenario.startsWith('https') ? rate(tls.n) : null,
    handshakeRoundTrips: factsOf(group).roundTrips,
    keepMeasuring: statistics.keepMeasuring.join(', '),
  };
}

function histogramTable(groups: readonly ScenarioGroup[]): TableDocument {
  return {
    title: 'Histogram',
    columns: [
      column('scenario', 'Scenario', 'text'),
      column('source', 'Source', 'text'),
      column('from', 'From', 'ms'),
      column('to', 'To', 'ms'),
      column('count', 'Requests', 'count'),
    ],
    rows: groups.flatMap(({ scenario, source, aggregate }) =>
      logHistogram(aggregate.times.ttlb).map(({ from, to, count }) => ({
        scenario,
        source,
        from: from / 1000,
        to: to / 1000,
        count,
      })),
    ),
    notes: ['Four bins to the octave; the same edges for every scenario.'],
  };
}
