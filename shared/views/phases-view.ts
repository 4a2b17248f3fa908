import type { StoredSample } from '../sample/sample.ts';
import type { Distribution } from '../statistics/distribution.ts';
import { quantileRank } from '../statistics/quantile-rank.ts';
import { timeStatistics } from '../statistics/time-statistics.ts';
import { cacheTable } from './cache-table.ts';
import type { ScenarioGroup } from './scenario-groups.ts';
import { column, type TableDocument, type TableRow, type ViewDocument } from './table-document.ts';

export const LADDER = [50, 66, 75, 80, 90, 95, 98, 99, 100] as const;

/** One run or group, under the name that the reader gave it. */
export type NamedGroup = Pick<ScenarioGroup, 'aggregate' | 'samples'> & { readonly name: string };

export interface PhasesOptions {
  readonly durationSeconds: number | null;
}

/** The tables that ApacheBench prints, on users' own requests. */
export function phasesView(groups: readonly NamedGroup[], options: PhasesOptions): ViewDocument {
  const samples = groups.flatMap((group): readonly StoredSample[] => group.samples);
  return {
    view: 'phases',
    title: 'Phases: connect, processing, waiting, total',
    tables: [connectionTimes(groups), ladder(groups), totals(groups, options), cacheTable(samples)],
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
      'Means add up (connect + processing = total); medians and largest values do not.',
    ],
  };
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

function totals(groups: readonly NamedGroup[], { durationSeconds }: PhasesOptions): TableDocument {
  return {
    title: 'Totals',
    columns: [
      column('name', 'Group', 'text'),
      column('complete', 'Requests', 'count'),
      column('failed', 'Failed requests', 'count'),
      column('otherStatus', 'Neither 2xx nor 3xx', 'count'),
      column('keepAlive', 'Keep-alive requests', 'count'),
      column('time', 'Time of all requests', 's'),
      column('perRequest', 'Time per request', 'ms'),
      column('seenPerSecond', 'Requests seen', 'per_second'),
      column('transferred', 'Total transferred', 'bytes'),
      column('body', 'Bodies', 'bytes'),
    ],
    rows: groups.map(({ name, aggregate, samples }) => {
      const { ttlb } = aggregate.times;
      return {
        name,
        complete: ttlb.n,
        failed: aggregate.evidence.excluded.failed ?? 0,
        otherStatus: aggregate.evidence.excluded.status ?? 0,
        keepAlive: aggregate.setupPerRequest.n - aggregate.setupPerConnection.n,
        time: ttlb.sum / 1_000_000,
        perRequest: ttlb.n === 0 ? null : ttlb.sum / (1000 * ttlb.n),
        seenPerSecond: durationSeconds === null || durationSeconds <= 0 ? null : ttlb.n / durationSeconds,
        transferred: sumKnown(samples.map(({ transferSize }) => transferSize)),
        body: sumKnown(samples.map(({ encodedBodySize }) => encodedBodySize)),
      };
    }),
    notes: ['Time of all requests is their sum; with one request at a time it is the length of the test.'],
  };
}

/** null where no size is known at all: 0 bytes would be a claim. */
function sumKnown(sizes: readonly (number | null)[]): number | null {
  const known = sizes.filter((size) => size !== null);
  return known.length === 0 ? null : known.reduce((sum, size) => sum + size, 0);
}
