import { expect, test } from 'vitest';
import { changeEvents } from '../../../collector/analysis/changes/change-events.ts';
import { changeFindings, ofCauses, toPlace } from '../../../collector/analysis/changes/change-findings.ts';
import type { GroupChange } from '../../../collector/analysis/changes/group-change.ts';

const WHOLE = { waitedMs: 1_000_000, requests: 10_000 };

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

test('two days apart are two events, unless the interval of the day holds both', () => {
  const later = change(
    { target: 'crm' },
    { since: '2026-03-12', sinceInterval: ['2026-03-12', '2026-03-13'], requests: 9 },
  );
  expect(changeEvents([APP, later])).toHaveLength(2);
  expect(changeEvents([APP, { ...later, sinceInterval: ['2026-03-09', '2026-03-13'] }])).toHaveLength(1);
});

test('an event is at the app, host and type that all of its groups have in common', () => {
  const [event] = changeEvents([APP, DOCUMENTS, SITE]);
  expect(event && toPlace(event)).toMatchObject({
    target: 'erp',
    host: 'erp.example.com',
    type: 'document',
    site: null,
  });
  const [two] = changeEvents([APP, DOCUMENTS, change({ host: 'api.example.com', type: 'fetch' })]);
  expect(two && toPlace(two)).toMatchObject({ target: 'erp', host: null, type: null, site: null });
  const [site] = changeEvents([SITE]);
  expect(site && toPlace(site)).toMatchObject({ target: null, host: null, site: 'Berlin' });
});

test('what got slower is a finding that would save the difference; what got faster is none', () => {
  expect(changeFindings(changeEvents([APP, FASTER]), WHOLE)).toMatchObject([
    {
      kind: 'change',
      since: '2026-03-10',
      savedMs: 50_000,
      savedInterval: [40_000, 60_000],
      savedShare: 0.05,
      perRequestMs: 50,
      affectedRequests: 1000,
      affectedShare: 0.1,
      affectedBrowsersShare: null,
      facts: { beforeMs: 100, afterMs: 150 },
    },
  ]);
  expect(changeFindings(changeEvents([change({ target: 'erp' }, { requests: 99 })]), WHOLE)).toEqual([]);
});

test('a cause that explains it, or an app behind a site, leaves it out', () => {
  const [event] = changeEvents([APP, DOCUMENTS]);
  const cause = (host: string, since: string | null) => ({
    place: { ...(event && toPlace(event)), host } as never,
    since,
  });
  const found = (causes: Parameters<typeof changeFindings>[2]) =>
    changeFindings(changeEvents([APP, DOCUMENTS]), WHOLE, causes).length;
  expect(found([cause('erp.example.com', '2026-03-11')])).toBe(0);
  expect(found([cause('erp.example.com', '2026-03-12')])).toBe(0);
  expect(found([cause('erp.example.com', '2026-03-13')])).toBe(1);
  expect(found([cause('erp.example.com', null), cause('erp.example.com', '2026-03-20')])).toBe(1);
  expect(found([cause('api.example.com', '2026-03-11')])).toBe(1);
  // Documents tell their day badly: the app that changed with them does.
  const early = {
    ...DOCUMENTS,
    requests: 2000,
    since: '2026-03-09',
    sinceInterval: ['2026-03-09', '2026-03-09'] as const,
  };
  expect(changeFindings(changeEvents([early, APP]), WHOLE, [cause('erp.example.com', '2026-03-12')])).toEqual([]);
  const later = { ...SITE, since: '2026-03-20', sinceInterval: ['2026-03-20', '2026-03-20'] as const };
  expect(ofCauses(changeEvents([APP, later])).map(({ lead }) => lead)).toEqual([APP]);
  expect(ofCauses(changeEvents([FASTER, later]))).toHaveLength(2);
});
