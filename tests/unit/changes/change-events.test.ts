import { expect, test } from 'vitest';
import { changeEvents } from '../../../collector/analysis/changes/change-events.ts';
import type { GroupChange } from '../../../collector/analysis/changes/group-change.ts';

function change(key: object, more: Partial<GroupChange> = {}): GroupChange {
  return {
    ...key,
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
    ...more,
  };
}

const APP = change({ target: 'erp' });
const DOCUMENTS = change({ host: 'erp.example.com', type: 'document' }, { requests: 300, since: '2026-03-11' });
const SITE = change({ site: 'Berlin' }, { requests: 800 });
const FASTER = change(
  { target: 'crm' },
  { direction: 'faster', difference: -50, interval: [-60, -40], requests: 2000 },
);

test('an app, its hosts and sites that change together are one event; what changed most waiting leads', () => {
  const events = changeEvents([SITE, DOCUMENTS, FASTER, APP, change({ target: 'erp' }, { statistic: 'median' })]);
  expect(events).toEqual([
    { lead: FASTER, others: [] },
    { lead: APP, others: [SITE, DOCUMENTS] },
  ]);
});

test('two days apart are two events, unless the days on which the other may have begun are next to it', () => {
  const later = change(
    { target: 'crm' },
    { since: '2026-03-12', sinceInterval: ['2026-03-12', '2026-03-14'], requests: 9 },
  );
  expect(changeEvents([APP, later])).toHaveLength(2);
  expect(changeEvents([APP, { ...later, sinceInterval: ['2026-03-11', '2026-03-14'] }])).toHaveLength(1);
});
