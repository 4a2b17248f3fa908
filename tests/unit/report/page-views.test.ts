import { expect, test } from 'vitest';
import type { SummaryCell } from '../../../collector/analysis/summary/summary-document.ts';
import { countPageViews, listPageViews, sumPageViews } from '../../../collector/reports/document/page-views.ts';

const cell = (type: string, evidence: Partial<SummaryCell['evidence']>) =>
  ({ type, evidence: { usable: 0, opaque: 0, cache: 0, excluded: {}, ...evidence } }) as SummaryCell;

test('page views are the documents that users saw, however these came', () => {
  const excluded = {
    redirect: 5,
    worker: 7,
    prerender: 11,
    challenge: 1,
    failed: 100,
    abandoned: 100,
    status: 100,
    hidden: 100,
  };
  const views = countPageViews([
    cell('document', { usable: 20, cache: 3, opaque: 100, excluded }),
    cell('document', { usable: 2 }),
    cell('script', { usable: 100, cache: 100, excluded }),
  ]);
  expect(views).toEqual({ network: 23, cache: 3, redirect: 5, worker: 7, prerender: 11 });
  expect(sumPageViews(views)).toBe(49);
});

test('each kind that there was is said', () => {
  const names = { network: 'network', cache: 'cache', redirect: 'redirect', worker: 'worker', prerender: 'prerender' };
  const none = countPageViews([]);
  expect(listPageViews({ ...none, cache: 3, worker: 7 }, names, String)).toBe('3 cache, 7 worker');
  expect(listPageViews(none, names, String)).toBe('0 network');
});
