import { type GapCuts, gapCut } from '../../../collector/analysis/summary/gap-cuts.ts';
import { toEvidenceClass } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';

const HOUR_MS = 3_600_000;

/** Σ(xᵢ − M)/n per host, browser and hour over the usable samples with a `ttlb`; the largest part first. */
export function gapCuts(samples: Iterable<StoredSample>): GapCuts {
  const times: number[] = [];
  const hosts: Groups = new Map();
  const browsers: Groups = new Map();
  const hours: Groups = new Map();
  for (const sample of samples) {
    const { ttlb } = sample.times;
    if (ttlb === null || toEvidenceClass(sample) !== 'usable') continue;
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

type Groups = Map<string, { n: number; sum: number }>;

function note(groups: Groups, name: string, time: number): void {
  const group = groups.get(name);
  if (group) {
    group.n++;
    group.sum += time;
  } else groups.set(name, { n: 1, sum: time });
}
