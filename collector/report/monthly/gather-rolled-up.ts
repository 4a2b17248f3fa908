import type { TimeRange } from '../../../shared/summary/dimensions.ts';
import type { SummaryDocument } from '../../../shared/summary/summary-document.ts';
import { DEFAULT_THRESHOLDS } from '../../../shared/summary/summary-extras.ts';
import type { Asker } from '../../query/asker.ts';
import type { SummaryQuery } from '../../query/parse-summary-query.ts';
import { runTimeline } from '../../query/run-questions.ts';
import { runSummary } from '../../query/run-summary.ts';
import type { TrendPoint } from '../chart-spec.ts';
import type { MonthlyQuery } from '../report-request.ts';
import type { MonthlyData } from './monthly-data.ts';
import { changeOf } from './period-change.ts';

const DAY_MS = 86_400_000;

/** Everything from rollups: as fast for a year as for a day. Throws a StoreError. */
export async function gatherRolledUp(asker: Asker, query: MonthlyQuery): Promise<MonthlyData> {
  const ask = (range: TimeRange, by: SummaryQuery['by'], include: SummaryQuery['include'] = []) =>
    summary(asker, query, range, by, include);
  const groups = await ask(query.range, ['host', 'type']);
  const whole = await ask(query.range, [], ['overheads']);
  const scenarios = await ask(query.range, ['scenario']);
  const hosts = await ask(query.range, ['host']);
  const wholeBefore = await ask(query.before, []);
  const hostsBefore = wholeBefore.cells.length === 0 ? wholeBefore : await ask(query.before, ['host']);
  const [now, then] = [whole.cells[0] ?? null, wholeBefore.cells[0] ?? null];
  return {
    query,
    method: groups.method,
    beforeHash: wholeBefore.method.dataHash,
    whole: now,
    wholeBefore: then,
    cells: groups.cells,
    scenarios: scenarios.cells,
    hosts: hosts.cells,
    hostsBefore: hostsBefore.cells,
    days: now === null ? [] : await daysOf(asker, query),
    change: now === null || then === null ? null : await changeOf(asker, query, now.phases.ttlb, then.phases.ttlb),
    outliers: null,
  };
}

function summary(
  { store, version, ...more }: Asker,
  { filters, exact }: MonthlyQuery,
  range: TimeRange,
  by: SummaryQuery['by'],
  include: SummaryQuery['include'],
): Promise<SummaryDocument> {
  return runSummary(store, { range, filters, by, exact, include, thresholds: DEFAULT_THRESHOLDS }, version, more);
}

async function daysOf(asker: Asker, { range, filters, exact }: MonthlyQuery): Promise<TrendPoint[]> {
  const { steps, cells } = await runTimeline(asker, { range, filters, by: [], time: 'ttlb', exact, stepMs: DAY_MS });
  const line = cells[0]?.steps ?? [];
  return steps.map((at, i) => ({
    at: Date.parse(at),
    median: line[i]?.median ?? null,
    mean: line[i]?.mean ?? null,
  }));
}
