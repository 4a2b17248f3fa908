import { evidenceClassOf } from '../../../shared/classify/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { TimeRange } from '../../../shared/summary/dimensions.ts';
import type { Asker } from '../../query/asker.ts';
import { StoreError } from '../../store/store-error.ts';
import type { OutlierRule } from '../accounting.ts';
import { rangesWithin } from '../business-hours.ts';
import type { MonthlyQuery } from '../report-request.ts';

/** Half a kilobyte each while they are added up: more would be too much for a small machine. */
const MAX_SAMPLES = 1_000_000;
/** https://en.wikipedia.org/wiki/Outlier#Tukey's_fences */
const FENCE = 1.5;

interface Selected {
  readonly sample: StoredSample;
  /** Left out by the outlier rule: it stays in the counts, as excluded by a rule. */
  readonly outlier: boolean;
}

/** The samples of a range in business hours, with what the outlier rule leaves out excluded. Throws a StoreError. */
export async function* selectSamples(
  asker: Asker,
  query: MonthlyQuery,
  range: TimeRange,
  zone: string,
): AsyncGenerator<Selected> {
  const { hours, outliers } = query.accounting;
  const ranges = hours === null ? [range] : rangesWithin(range, hours, zone);
  await refuseTooMany(asker, query, range);
  const longest = await limitOf(outliers, () => read(asker, query, ranges));
  for await (const sample of read(asker, query, ranges)) {
    const { ttlb } = sample.times;
    const outlier = ttlb !== null && evidenceClassOf(sample) === 'usable' && ttlb > longest(sample);
    yield { outlier, sample: outlier ? { ...sample, excluded: 'rule' } : sample };
  }
}

async function refuseTooMany(
  { store }: Pick<Asker, 'store'>,
  { filters }: MonthlyQuery,
  range: TimeRange,
): Promise<void> {
  // What the filters leave, not what the range holds: one app out of many may well be read.
  const { cells } = await store.samples.aggregate({ range, filters, by: [] });
  const samples = cells.reduce((sum, cell) => sum + cell.samples, 0);
  if (samples <= MAX_SAMPLES) return;
  throw new StoreError(
    'too_many_samples',
    `business hours and outlier rules are read sample by sample, and the period has ${samples} of them`,
    `Ask for a shorter range or, by filters, for fewer requests: at most ${MAX_SAMPLES}. Or leave business hours and outliers away: all others have no such limit.`,
  );
}

async function* read(
  { store, signal }: Asker,
  { filters }: MonthlyQuery,
  ranges: readonly TimeRange[],
): AsyncGenerator<StoredSample> {
  for (const range of ranges) {
    for await (const block of store.samples.scan({ range, filters })) {
      signal?.throwIfAborted();
      yield* block;
    }
  }
}

/** The longest that still counts, µs, by sample. */
async function limitOf(
  outliers: OutlierRule,
  samples: () => AsyncIterable<StoredSample>,
): Promise<(sample: StoredSample) => number> {
  if (outliers.rule === 'none') return () => Number.POSITIVE_INFINITY;
  if (outliers.rule === 'cap') return () => outliers.ms * 1000;
  const values = new Map<string, number[]>();
  for await (const sample of samples()) {
    const { ttlb } = sample.times;
    if (ttlb === null || evidenceClassOf(sample) !== 'usable') continue;
    const id = groupOf(sample);
    const group = values.get(id);
    if (group) group.push(ttlb);
    else values.set(id, [ttlb]);
  }
  const fences = new Map([...values].map(([id, group]) => [id, fenceOf(group)]));
  return (sample) => fences.get(groupOf(sample)) ?? Number.POSITIVE_INFINITY;
}

function groupOf({ host, type }: StoredSample): string {
  return `${type} ${host}`;
}

function fenceOf(values: readonly number[]): number {
  const distribution = exactDistribution(values);
  const at = (q: number) => distribution.valueAtRank(quantileRank(q, values.length));
  return at(0.75) + FENCE * (at(0.75) - at(0.25));
}
