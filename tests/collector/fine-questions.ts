import { compare } from '../../collector/questions/compare.ts';
import { evidence } from '../../collector/questions/evidence.ts';
import { histogram } from '../../collector/questions/histogram.ts';
import { monthly } from '../../collector/questions/monthly.ts';
import { pages } from '../../collector/questions/pages.ts';
import { probes } from '../../collector/questions/probes.ts';
import { samples } from '../../collector/questions/samples.ts';
import { summary } from '../../collector/questions/summary.ts';
import { timeline } from '../../collector/questions/timeline.ts';
import { tls } from '../../collector/questions/tls.ts';
import { view } from '../../collector/questions/view.ts';
import type { Reading } from '../../collector/storage/passes/reading-source.ts';
import type { Filters, TimeRange } from '../../shared/vocabulary/dimensions.ts';

type Asked = readonly [reading: Reading<never, unknown>, question: object];

/** Holds both together. */
function ask<Q>(reading: Reading<Q, unknown>, question: Omit<Q, 'minGroupSize'>): Asked {
  return [reading, question];
}

const HOUR = 3_600_000;

/** Every question that reads samples one by one, once. */
export function fineQuestions(range: TimeRange, filters: Filters): readonly Asked[] {
  const time = 'ttlb' as const;
  const cells = {
    range,
    filters,
    by: ['host'],
    exact: false,
    include: [],
    above: [],
    nameBrowsers: true,
  } as const;
  const middle = Math.floor((range.from + range.to) / 2);
  const before = { range: { from: range.from, to: middle }, filters };
  return [
    ask(summary, cells),
    ask(summary, { ...cells, include: ['overheads', 'gapCuts', 'slowGroup', 'abandoned'] }),
    ask(histogram, { range, filters, by: ['connection'], exact: false, time: 'idle' }),
    ask(timeline, { range, filters, by: ['type'], exact: false, time: 'idle', stepMs: HOUR, zone: null }),
    ask(compare, { before, after: { range, filters }, by: ['type'], time, seed: 1 }),
    ask(monthly, {
      now: range,
      before: range,
      hours: null,
      zone: 'UTC',
      filters,
      exact: false,
      outliers: { rule: 'tukey' },
    }),
    ask(pages, { range, filters, limit: 10 }),
    ask(samples, {
      range,
      filters,
      metric: time,
      min: null,
      max: null,
      order: 'median',
      limit: 10,
      nameBrowsers: true,
    }),
    ask(evidence, { range, filters, by: ['host'], matches: new Map() }),
    ask(view, { range, filters, view: 'scenarios' }),
    ask(view, { range, filters, view: 'phases' }),
    ask(view, { range, filters, view: 'pages' }),
    ask(tls, { range, filters }),
    ask(probes, { range, filters, hosts: {}, thresholds: {}, recorded: [], off: [], language: 'en' }),
  ];
}
