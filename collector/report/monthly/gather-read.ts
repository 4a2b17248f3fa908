import { evidenceClassOf } from '../../../shared/classify/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { change, inMilliseconds, type Observation } from '../../../shared/statistics/change.ts';
import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { createAggregator } from '../../../shared/summary/aggregate-samples.ts';
import type { CellAggregate } from '../../../shared/summary/cell-aggregate.ts';
import type { AnyDimension, TimeRange } from '../../../shared/summary/dimensions.ts';
import { overheads } from '../../../shared/summary/overhead.ts';
import { summarizeCell } from '../../../shared/summary/summarize-cell.ts';
import type { SummaryCell } from '../../../shared/summary/summary-document.ts';
import { type Asker, prepare } from '../../query/asker.ts';
import type { TrendPoint } from '../chart-spec.ts';
import type { MonthlyQuery } from '../report-request.ts';
import { momentOf, wallTime } from '../zoned-time.ts';
import type { MonthlyData, PeriodChange } from './monthly-data.ts';
import { selectSamples } from './select-samples.ts';

const SEED = 1;
/** Each draw of the bootstrap looks at all of them. */
const MAX_OBSERVATIONS = 20_000;

/** Everything sample by sample: what business hours and outlier rules are asked of. Throws a StoreError. */
export async function gatherRead(asker: Asker, query: MonthlyQuery, zone: string): Promise<MonthlyData> {
  const { foldBelow, method } = await prepare(asker, query.range);
  const side = (range: TimeRange) => readSide(asker, query, range, zone);
  const now = await side(query.range);
  const before = await side(query.before);
  const shown = (cells: readonly CellAggregate[]) => cells.filter(({ browsers }) => (browsers ?? 0) >= foldBelow);
  const groups = now.by('host', 'type');
  const left = groups.filter((cell) => !shown([cell]).length);
  const whole = shown(now.by())[0];
  const wholeBefore = shown(before.by())[0];
  const folded =
    left.length === 0
      ? null
      : {
          below: foldBelow,
          cells: left.length,
          samples: left.reduce((sum, { samples }) => sum + samples, 0),
          shownTogether: false,
        };
  const summaries = (cells: readonly CellAggregate[]) => shown(cells).map((cell): SummaryCell => summarizeCell(cell));
  const scenarios = shown(now.by('scenario'));
  const measured = Object.fromEntries(
    scenarios.flatMap(({ key: { scenario }, times }): [string, Distribution][] =>
      scenario == null ? [] : [[scenario, times.ttlb]],
    ),
  );
  return {
    query,
    method: method(
      { range: query.range, filters: query.filters, by: ['host', 'type'] },
      { exact: true, bound: 0, dataHash: await hashOf(asker, query, query.range), folded },
    ),
    beforeHash: await hashOf(asker, query, query.before),
    whole: whole === undefined ? null : { ...summarizeCell(whole), overheads: overheads(measured) },
    wholeBefore: wholeBefore === undefined ? null : summarizeCell(wholeBefore),
    cells: summaries(groups),
    scenarios: summaries(now.by('scenario')),
    hosts: summaries(now.by('host')),
    hostsBefore: summaries(before.by('host')),
    days: now.days(foldBelow),
    change: whole === undefined || wholeBefore === undefined ? null : changeBetween(before, now),
    outliers: query.accounting.outliers.rule === 'none' ? null : now.outliers(),
  };
}

interface ReadSide {
  by(...dimensions: AnyDimension[]): readonly CellAggregate[];
  days(foldBelow: number): TrendPoint[];
  outliers(): number;
  readonly observations: readonly Observation[];
  readonly clockStep: number;
}

const GROUPINGS: readonly (readonly AnyDimension[])[] = [[], ['host', 'type'], ['scenario'], ['host']];

async function readSide(asker: Asker, query: MonthlyQuery, range: TimeRange, zone: string): Promise<ReadSide> {
  const aggregators = GROUPINGS.map((by) => ({ by, aggregator: createAggregator(by) }));
  const days = new Map<number, { values: number[]; clients: Set<string> }>();
  const observations: Observation[] = [];
  const dayOf = dayFinder(zone);
  let clockStep = 0;
  let outliers = 0;
  for await (const { sample, outlier } of selectSamples(asker, query, range, zone)) {
    if (outlier) outliers++;
    for (const { aggregator } of aggregators) aggregator.add(sample);
    const { ttlb } = sample.times;
    if (ttlb === null || evidenceClassOf(sample) !== 'usable') continue;
    clockStep = Math.max(clockStep, sample.origin.clockStep);
    observations.push({ value: ttlb, browser: sample.origin.client });
    noteDay(days, dayOf(sample.at), sample, ttlb);
  }
  return {
    by: (...dimensions) => aggregators.find(({ by }) => by.join() === dimensions.join())?.aggregator.cells() ?? [],
    days: (foldBelow) =>
      [...days]
        .sort(([a], [b]) => a - b)
        .map(([at, { values, clients }]) => {
          const few = clients.size < foldBelow;
          const statistics = few ? null : timeStatistics(exactDistribution(values), null);
          return { at, median: statistics?.median ?? null, mean: statistics?.mean ?? null };
        }),
    outliers: () => outliers,
    observations,
    clockStep,
  };
}

function noteDay(
  days: Map<number, { values: number[]; clients: Set<string> }>,
  at: number,
  { origin }: StoredSample,
  ttlb: number,
): void {
  const day = days.get(at) ?? { values: [], clients: new Set() };
  days.set(at, day);
  day.values.push(ttlb);
  day.clients.add(origin.client);
}

/** Samples come in order of time, more or less: the last day is nearly always the day. Noon of it, so that its date is the zone's. */
function dayFinder(zone: string): (at: number) => number {
  let from = 0;
  let to = 0;
  let name = 0;
  return (at) => {
    if (at < from || at >= to) {
      const { year, month, day } = wallTime(at, zone);
      from = momentOf(zone, year, month, day);
      to = momentOf(zone, year, month, day + 1);
      name = Date.UTC(year, month - 1, day);
    }
    return name;
  };
}

function changeBetween(before: ReadSide, now: ReadSide): PeriodChange | null {
  const [earlier, later] = [chosen(before.observations), chosen(now.observations)];
  const found = change(earlier, later, Math.max(before.clockStep, now.clockStep), seededRandom(SEED));
  return found === null
    ? null
    : { ...inMilliseconds(found), drawnFrom: [earlier.length, later.length], from: 'samples' };
}

/** Evenly chosen in order of value and browser: the same data give the same, in whatever order they lie. */
function chosen(observations: readonly Observation[]): Observation[] {
  const sorted = [...observations].sort(
    (a, b) => a.value - b.value || ((a.browser ?? '') < (b.browser ?? '') ? -1 : 1),
  );
  const n = Math.min(MAX_OBSERVATIONS, sorted.length);
  return Array.from({ length: n }, (_, i) => sorted[Math.floor(((i + 0.5) * sorted.length) / n)] as Observation);
}

async function hashOf({ store }: Asker, { filters }: MonthlyQuery, range: TimeRange): Promise<string> {
  return (await store.samples.distributions({ range, filters, by: [], time: 'ttlb' })).dataHash;
}
