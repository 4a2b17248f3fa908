import { expect, test } from 'vitest';
import type { AnnotationDocument } from '../../../collector/analysis/changes/annotation-document.ts';
import type { ChangeEvent } from '../../../collector/analysis/changes/change-events.ts';
import { explainingAnnotation } from '../../../collector/analysis/changes/explaining-annotation.ts';
import type { GroupChange } from '../../../collector/analysis/changes/group-change.ts';
import { changeEventText } from '../../../collector/analysis/text/change-event-text.ts';
import { ENGLISH_CHANGES } from '../../../collector/analysis/text/english-changes.ts';
import { GERMAN_CHANGES } from '../../../collector/analysis/text/german-changes.ts';

const APP: GroupChange = {
  target: 'erp',
  statistic: 'mean',
  since: '2026-03-10',
  sinceInterval: ['2026-03-10', '2026-03-11'],
  direction: 'slower',
  before: 100,
  after: 150,
  difference: 50,
  interval: [40, 60],
  pValue: 0.0001,
  requests: 1000,
};
const HOST: GroupChange = { ...APP, target: null, host: 'erp.example.com', type: 'document' };
const SITE: GroupChange = { ...APP, target: null, site: 'Berlin' };
const EVENT: ChangeEvent = { lead: APP, others: [HOST, SITE] };
const NAMES = { apps: new Map([['erp', 'The ERP']]), types: { document: 'documents' }, day: (date: string) => date };

const RELEASE: AnnotationDocument = {
  id: 'a1',
  at: '2026-03-09T23:30:00Z',
  until: null,
  text: 'release 4.2',
  target: 'erp',
  host: null,
  author: 'ops',
  createdAt: '2026-03-09T23:31:00Z',
};

test('a change is a sentence with its numbers, its days, what explains it and what changed with it', () => {
  expect(changeEventText(EVENT, { text: 'release 4.2', daysBefore: 1 }, ENGLISH_CHANGES, NAMES)).toEqual({
    subject: 'The ERP',
    title: 'The ERP: 50 ms slower on average since 2026-03-10',
    detail:
      '1 day after “release 4.2”. From 100 to 150 ms; the difference is 40 to 60 ms (95 %). It began between 2026-03-10 and 2026-03-11. With it: erp.example.com, documents; Site Berlin.',
  });
  const faster: GroupChange = {
    ...HOST,
    statistic: 'median',
    direction: 'faster',
    difference: -50,
    interval: [-60, -40],
    sinceInterval: ['2026-03-10', '2026-03-10'],
  };
  expect(changeEventText({ lead: faster, others: [] }, null, GERMAN_CHANGES, NAMES)).toEqual({
    subject: 'erp.example.com, documents',
    title: 'erp.example.com, documents: seit 2026-03-10 im Median 50 ms schneller',
    detail: 'Von 100 auf 150 ms; der Unterschied beträgt 40 bis 60 ms (95 %).',
  });
});

test('what else changed is counted beyond four', () => {
  const others = Array.from({ length: 6 }, (_, i) => ({ ...SITE, site: `S${i}` }));
  expect(changeEventText({ lead: APP, others }, null, ENGLISH_CHANGES, NAMES).detail).toMatch(
    /With it: Site S0; Site S1; Site S2; Site S3; 2 more\.$/,
  );
});

test('a change is explained by the last annotation about the same, up to three days before', () => {
  const explained = (more: Partial<AnnotationDocument>, zone = 'UTC', event = EVENT) =>
    explainingAnnotation(event, [{ ...RELEASE, ...more }], zone)?.daysBefore ?? null;
  expect(explained({})).toBe(1);
  // Half past midnight of the next day there.
  expect(explained({}, 'Europe/Berlin')).toBe(0);
  expect([explained({ at: '2026-03-07T01:00:00Z' }), explained({ at: '2026-03-06T23:00:00Z' })]).toEqual([3, null]);
  expect([explained({ at: '2026-03-10T23:00:00Z' }), explained({ at: '2026-03-11T00:00:00Z' })]).toEqual([0, null]);
  expect([explained({ target: 'crm' }), explained({ target: null }), explained({ host: 'other.example.com' })]).toEqual(
    [null, 1, null],
  );
  const earlier = { ...RELEASE, at: '2026-03-08T10:00:00Z', text: 'earlier' };
  expect(explainingAnnotation(EVENT, [earlier, RELEASE], 'UTC')?.text).toBe('release 4.2');
});
