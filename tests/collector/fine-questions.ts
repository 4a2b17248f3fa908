import type { ComputationName, Question } from '../../collector/questions/computations.ts';
import type { Filters, TimeRange } from '../../shared/vocabulary/dimensions.ts';

type Asked = { [K in ComputationName]: readonly [K, Omit<Question<K>, 'foldBelow'>] }[ComputationName];

const HOUR = 3_600_000;

/** Every question that reads samples one by one, once. */
export function fineQuestions(range: TimeRange, filters: Filters): readonly Asked[] {
  const time = 'ttlb' as const;
  const summary = {
    range,
    filters,
    by: ['host'],
    exact: false,
    include: [],
    thresholds: [],
    nameBrowsers: true,
  } as const;
  const middle = Math.floor((range.from + range.to) / 2);
  return [
    ['summary', summary],
    ['summary', { ...summary, include: ['overheads', 'gapCuts'] }],
    ['histogram', { range, filters, by: ['connection'], exact: false, time: 'idle' }],
    ['timeline', { range, filters, by: ['type'], exact: false, time: 'idle', stepMs: HOUR, zone: null }],
    [
      'compare',
      {
        before: { range: { from: range.from, to: middle }, filters },
        after: { range, filters },
        by: ['type'],
        time,
        seed: 1,
      },
    ],
    [
      'monthly',
      {
        now: range,
        before: range,
        hours: null,
        zone: 'UTC',
        filters,
        exact: false,
        outliers: { rule: 'tukey' },
      },
    ],
    ['pages', { range, filters, limit: 10 }],
    ['evidence', { range, filters, by: ['host'], matches: new Map() }],
    ['view', { range, filters, view: 'scenarios' }],
    ['view', { range, filters, view: 'phases' }],
    ['view', { range, filters, view: 'pages' }],
    ['view', { range, filters, view: 'probes' }],
    ['tls', { range, filters }],
    ['probes', { range, filters, hosts: {}, thresholds: {} }],
  ];
}
