import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { ENGLISH_TABLES, type TableTexts } from '../text/english-tables.ts';
import { outsideTable } from './outside-table.ts';
import type { OutsideCounts, ScenarioGroup } from './scenario-groups.ts';
import { column, type TableDocument, type TableRow, type ViewDocument } from './table-document.ts';

const KB = 1024;

export const PERCENTAGES = [50, 66, 75, 80, 90, 95, 98, 99, 100] as const;

/** One run or group, under the name that the reader gave it. */
export interface NamedGroup extends Pick<ScenarioGroup, 'aggregate' | 'facts'> {
  readonly name: string;
  /** Duration of the measurement, seconds; null if rates would mean nothing. */
  readonly durationSeconds: number | null;
  /** Requests that failed; null if the group cannot contain any, such as a scenario. */
  readonly failed: number | null;
}

/**
 * The tables that ApacheBench prints, on users' own requests.
 *
 * @param cache of all samples, cached ones too, which are in no group
 * @param outside of requests in no group; null if the groups are not scenarios
 */
export function phasesView(
  groups: readonly NamedGroup[],
  cache: TableDocument,
  outside: OutsideCounts | null = null,
  texts: TableTexts = ENGLISH_TABLES,
): ViewDocument {
  return {
    view: 'phases',
    title: texts.views.phases,
    tables: [
      connectionTimes(groups, texts),
      percentages(groups, texts),
      totals(groups, texts),
      ...(outside === null ? [] : [outsideTable(outside, texts)]),
      cache,
    ],
    notes: [],
  };
}

function connectionTimes(groups: readonly NamedGroup[], { titles, columns, notes }: TableTexts): TableDocument {
  return {
    title: titles.connectionTimes,
    columns: [
      column('name', columns.group, 'text'),
      column('time', columns.time, 'text'),
      column('n', columns.requests, 'count'),
      column('min', columns.min, 'ms'),
      column('mean', columns.mean, 'ms'),
      column('sd', columns.standardDeviation, 'ms'),
      column('median', columns.median, 'ms'),
      column('max', columns.max, 'ms'),
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
    notes: [notes.phases, sumNote(groups, notes)],
  };
}

/** The whole time of a request with unknown set-up is under Processing, none of it under Connect. */
function sumNote(groups: readonly NamedGroup[], notes: TableTexts['notes']): string {
  const unknown = groups.reduce(
    (sum, { aggregate: { times, setupPerRequest } }) => sum + times.ttlb.n - setupPerRequest.n,
    0,
  );
  return unknown === 0 ? notes.meansAddUp : notes.meansDoNotAddUp(unknown);
}

function percentages(groups: readonly NamedGroup[], { titles, columns, notes }: TableTexts): TableDocument {
  return {
    title: titles.percentages,
    columns: [
      column('percentage', columns.partOfRequests, 'share'),
      ...groups.map(({ name }) => column(`group:${name}`, name, 'ms')),
    ],
    rows: PERCENTAGES.map((percentage) => ({
      percentage: percentage / 100,
      ...Object.fromEntries(
        groups.map(({ name, aggregate }) => [`group:${name}`, rung(aggregate.times.ttlb, percentage)]),
      ),
    })),
    notes: [notes.slowest],
  };
}

function rung(distribution: Distribution, percentage: number): number | null {
  const { n } = distribution;
  return n === 0 ? null : distribution.valueAtRank(quantileRank(percentage / 100, n)) / 1000;
}

function totals(groups: readonly NamedGroup[], { titles, columns, notes }: TableTexts): TableDocument {
  return {
    title: titles.totals,
    columns: [
      column('name', columns.group, 'text'),
      column('complete', columns.requests, 'count'),
      column('failed', columns.failedRequests, 'count'),
      column('otherStatus', columns.otherStatus, 'count'),
      column('keepAlive', columns.keepAlive, 'count'),
      column('duration', columns.timeTaken, 's'),
      column('seenPerSecond', columns.requestsSeen, 'per_second'),
      column('perRequest', columns.timeTakenPerRequest, 'ms'),
      column('underWay', columns.timeOfAllRequests, 's'),
      column('transferred', columns.totalTransferred, 'bytes'),
      column('body', columns.bodies, 'bytes'),
      column('transferRate', columns.transferRate, 'kb_per_second'),
    ],
    rows: groups.map((group) => {
      const { name, aggregate, durationSeconds } = group;
      const { ttlb } = aggregate.times;
      const { transferred, body } = group.facts;
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
    notes: [notes.requestsSeen, ...(groups.some(({ failed }) => failed === null) ? [notes.failedElsewhere] : [])],
  };
}
