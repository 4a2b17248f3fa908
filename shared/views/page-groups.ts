import { evidenceClassOf } from '../classify/evidence.ts';
import type { StoredSample } from '../sample/sample.ts';
import type { ResourceType } from '../sample/vocabulary.ts';
import { exactDistribution } from '../statistics/exact-distribution.ts';
import { type TimeStatistics, timeStatistics } from '../statistics/time-statistics.ts';

/** All samples of one page template, and the statistics of the usable ones. */
export interface PageGroup {
  readonly host: string;
  readonly template: string;
  readonly type: ResourceType;
  readonly samples: readonly StoredSample[];
  readonly usable: readonly StoredSample[];
  readonly ttfb: TimeStatistics | null;
  readonly ttlb: TimeStatistics | null;
  readonly wait: TimeStatistics | null;
  /** Body sizes in bytes, in the place of milliseconds. */
  readonly length: TimeStatistics | null;
}

export function pageGroups(samples: readonly StoredSample[]): PageGroup[] {
  const groups = new Map<string, StoredSample[]>();
  for (const sample of samples) {
    const id = JSON.stringify([sample.host, sample.template, sample.type]);
    const group = groups.get(id);
    if (group) group.push(sample);
    else groups.set(id, [sample]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, members]) => pageGroup(members));
}

function pageGroup(samples: readonly StoredSample[]): PageGroup {
  const usable = samples.filter((sample) => evidenceClassOf(sample) === 'usable');
  const clockStep = usable.reduce((step, { origin }) => Math.max(step, origin.clockStep), 0);
  const times = (name: 'ttfb' | 'ttlb' | 'wait') =>
    timeStatistics(exactDistribution(known(usable.map((sample) => sample.times[name]))), clockStep);
  const [{ host, template, type }] = samples as [StoredSample];
  const bytes = known(usable.map(({ encodedBodySize }) => encodedBodySize));
  return {
    host,
    template,
    type,
    samples,
    usable,
    ttfb: times('ttfb'),
    ttlb: times('ttlb'),
    wait: times('wait'),
    // Statistics come in thousandths: bytes go in as thousands of them.
    length: timeStatistics(exactDistribution(bytes.map((size) => size * 1000)), null),
  };
}

export function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}
