import type { StoredSample } from '../../../shared/sample/sample.ts';
import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { cacheTable } from './cache-table.ts';
import { outsideTable } from './outside-table.ts';
import { factsOf } from './scenario-facts.ts';
import type { OutsideCounts, ScenarioGroup } from './scenario-groups.ts';
import { column, type TableDocument, type TableRow, type ViewDocument } from './table-document.ts';

const KB = 1024;

export const LADDER = [50, 66, 75, 80, 90, 95, 98, 99, 100] as const;

/** One run or group, under the name that the reader gave it. */
export interface NamedGroup extends Pick<ScenarioGroup, 'aggregate' | 'samples' | 'facts'> {
  readonly name: string;
  /** How long it was measured, seconds; null where rates would mean nothing. */
  readonly durationSeconds: number | null;
  /** Requests that failed; null where the group could not hold any, as one of a scenario. */
  readonly failed: number | null;
}

/**
 * The tables that ApacheBench prints, on users' own requests.
 *
 * @param cache of all samples, cached ones too, which are in no group
 * @param outside of what is in no group; null where the groups are no scenarios
 */
export function phasesView(
  groups: readonly NamedGroup[],
  // A sample may stand in two groups: `https-new-full` is a part of `https-new`.
  cache: TableDocument = cacheTable([...new Set(groups.flatMap((group): readonly StoredSample[] => group.samples))]),
  outside: OutsideCounts | null = null,
): ViewDocument {
  return {
    view: 'phases',
    title: 'Phases: connect, processing, waiting, total',
    tables: [
      connectionTimes(groups),
      ladder(groups),
      totals(groups),
      ...(outside === null ? [] : [outsideTable(outside)]),
      cache,
    ],
    notes: [],
  };
}

function connectionTimes(groups: readonly NamedGroup[]): TableDocument {
  return {
    title: 'Connection times',
    columns: [
      column('name', 'Group', 'text'),
      column('time', 'Time', 'text'),
      column('n', 'Requests', 'count'),
      column('min', 'Min', 'ms'),
      column('mean', 'Mean', 'ms'),
      column('sd', 'Standard deviation', 'ms'),
      column('median', 'Median', 'ms'),
      column('max', 'Max', 'ms'),
    ],
    rows: groups.flatMap(({ name, aggregate }) => {
      const { setupPerRequest, ttlbWithoutSetup, times, clockStep } = aggregate;
      const lines: [string, Distribution][] = [
        ['Connect', setupPerRequest],
        ['Processing', ttlbWithoutSetup],
        ['Waiting', times.wait],
        ['Total', times.ttlb],
      ];
      return lines.flatMap(([time, distribution]): TableRow[] => {
        const statistics = timeStatistics(distribution, clockStep);
        if (!statistics) return [];
        const { n, min, mean, sd, median, max } = statistics;
        return [{ name, time, n, min, mean, sd, median, max }];
      });
    }),
    notes: [
      'Connect: DNS, TCP and TLS per request, a reused connection counting 0. Processing: the rest. Waiting: request to first byte.',
      sumNote(groups),
    ],
  };
}

/** A request of unknown set-up is under Processing with all of its time, and not under Connect. */
function sumNote(groups: readonly NamedGroup[]): string {
  const unknown = groups.reduce(
    (sum, { aggregate: { times, setupPerRequest } }) => sum + times.ttlb.n - setupPerRequest.n,
    0,
  );
  return unknown === 0
    ? 'Means add up (connect + processing = total); medians and largest values do not.'
    : `The means do not add up: of ${unknown} requests the set-up is unknown, so they are missing under Connect.`;
}

function ladder(groups: readonly NamedGroup[]): TableDocument {
  return {
    title: 'Requests served within a time',
    columns: [
      column('percentage', 'Part of requests', 'share'),
      ...groups.map(({ name }) => column(`group:${name}`, name, 'ms')),
    ],
    rows: LADDER.map((percentage) => ({
      percentage: percentage / 100,
      ...Object.fromEntries(
        groups.map(({ name, aggregate }) => [`group:${name}`, rung(aggregate.times.ttlb, percentage)]),
      ),
    })),
    notes: ['100 % is the slowest request.'],
  };
}

function rung(distribution: Distribution, percentage: number): number | null {
  const { n } = distribution;
  return n === 0 ? null : distribution.valueAtRank(quantileRank(percentage / 100, n)) / 1000;
}

function totals(groups: readonly NamedGroup[]): TableDocument {
  return {
    title: 'Totals',
    columns: [
      column('name', 'Group', 'text'),
      column('complete', 'Requests', 'count'),
      column('failed', 'Failed requests', 'count'),
      column('otherStatus', 'Neither 2xx nor 3xx', 'count'),
      column('keepAlive', 'Keep-alive requests', 'count'),
      column('duration', 'Time taken', 's'),
      column('seenPerSecond', 'Requests seen', 'per_second'),
      column('perRequest', 'Time taken per request', 'ms'),
      column('underWay', 'Time of all requests', 's'),
      column('transferred', 'Total transferred', 'bytes'),
      column('body', 'Bodies', 'bytes'),
      column('transferRate', 'Transfer rate', 'kb_per_second'),
    ],
    rows: groups.map((group) => {
      const { name, aggregate, durationSeconds } = group;
      const { ttlb } = aggregate.times;
      const { transferred, body } = factsOf(group);
      const duration = durationSeconds !== null && durationSeconds > 0 ? durationSeconds : null;
      return {
        name,
        complete: ttlb.n,
        failed: group.failed,
        otherStatus: aggregate.evidence.excluded.status ?? 0,
        keepAlive: aggregate.setupPerRequest.n - aggregate.setupPerConnection.n,
        duration,
        seenPerSecond: duration === null ? null : ttlb.n / duration,
        perRequest: duration === null || ttlb.n === 0 ? null : (duration * 1000) / ttlb.n,
        underWay: ttlb.sum / 1_000_000,
        transferred,
        body,
        transferRate: duration === null || transferred === null ? null : transferred / KB / duration,
      };
    }),
    notes: [
      'Requests seen are what was asked for, not what the server could do. Time taken per request is meaningful only where one request followed the other; the average of each request is under Connection times.',
      ...(groups.some(({ failed }) => failed === null)
        ? ['A request that failed has no scenario: failed ones are counted under In no scenario.']
        : []),
    ],
  };
}
