import { evidenceClassOf } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';

const HOUR_MS = 3_600_000;

/** One group's part of mean − median, ms: positive where its requests lie above the median of all. */
interface GapCutPart {
  /** Host, browser id, or the hour's beginning in epoch milliseconds. */
  readonly name: string;
  readonly n: number;
  readonly part: number;
}

/**
 * The gap cut three other ways, each summing to the whole gap by itself. They answer "where, who, when", overlap, and
 * are never added to each other or to set-up, tail and spread.
 */
export interface GapCuts {
  readonly hosts: readonly GapCutPart[];
  readonly browsers: readonly GapCutPart[];
  readonly hours: readonly GapCutPart[];
}

/** Σ(xᵢ − M)/n per host, browser and hour over the usable samples with a `ttlb`; the largest part first. */
export function gapCuts(samples: Iterable<StoredSample>): GapCuts {
  const times: number[] = [];
  const hosts: Groups = new Map();
  const browsers: Groups = new Map();
  const hours: Groups = new Map();
  for (const sample of samples) {
    const { ttlb } = sample.times;
    if (ttlb === null || evidenceClassOf(sample) !== 'usable') continue;
    times.push(ttlb);
    note(hosts, sample.host, ttlb);
    note(browsers, sample.origin.client, ttlb);
    note(hours, String(Math.floor(sample.at / HOUR_MS) * HOUR_MS), ttlb);
  }
  const n = times.length;
  if (n === 0) return { hosts: [], browsers: [], hours: [] };
  const median = exactDistribution(times).valueAtRank(quantileRank(0.5, n));
  const parts = (groups: Groups) => gapCut({ n, median }, groups);
  return { hosts: parts(hosts), browsers: parts(browsers), hours: parts(hours) };
}

/** Sums and counts of a group, µs; what a rollup by host already holds. */
interface GroupSum {
  readonly n: number;
  readonly sum: number;
}

/** @param whole count and median (µs) of all groups together */
export function gapCut(
  whole: { readonly n: number; readonly median: number },
  groups: Iterable<readonly [string, GroupSum]>,
): GapCutPart[] {
  return [...groups]
    .map(([name, { n, sum }]) => ({ name, n, part: (sum - n * whole.median) / whole.n / 1000 }))
    .sort((a, b) => b.part - a.part || (a.name < b.name ? -1 : 1));
}

type Groups = Map<string, { n: number; sum: number }>;

function note(groups: Groups, name: string, time: number): void {
  const group = groups.get(name);
  if (group) {
    group.n++;
    group.sum += time;
  } else groups.set(name, { n: 1, sum: time });
}
