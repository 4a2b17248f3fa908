import { expect, it } from 'vitest';
import { ANYWHERE, type Finding, type FindingPlace } from '../../../collector/analysis/findings/finding.ts';
import { findingWords } from '../../../collector/analysis/text/finding-words.ts';

const FOUND: Finding = {
  kind: 'slow_group',
  shape: 'tail',
  direction: 'slower',
  quantity: 'blocked',
  place: ANYWHERE,
  affectedRequests: 20,
  affectedShare: 0.001,
  affectedBrowsersShare: 0.08,
  savedMs: 100_000,
  savedInterval: [50_000, 150_000],
  savedShare: 0.029,
  perRequestMs: 5000,
  since: null,
  until: null,
  sinceInterval: null,
  facts: { nowMs: 200, usualMs: 90, share: 1, usualShare: 1, partOfPlace: 0.03, fromMs: 104 },
};

function wordsAbout(finding: Partial<Finding>, place: Partial<FindingPlace>) {
  return findingWords({ ...FOUND, ...finding, place: { ...ANYWHERE, ...place } }, (id) => id, 'en');
}

it('names a browser as it calls itself, and says once what the waiting costs', () => {
  const { title, saves } = wordsAbout({}, { host: 'api.test', engine: 'firefox' });
  expect(title).toBe(
    'api.test, in Firefox: 3 % of requests there take 104 ms or more, because of queueing in the browser',
  );
  expect(saves).toContain('2.9 % of the total time');
});

it('begins with the place, whatever is known of it', () => {
  const place = (known: Partial<FindingPlace>) => wordsAbout({}, known).title.split(':')[0];
  expect(place({ target: 'ERP', host: 'erp.test', template: '/orders', type: 'fetch' })).toBe('ERP, erp.test/orders');
  expect(place({ host: 'erp.test', type: 'document', site: 'Izmir' })).toBe('erp.test, documents, at site Izmir');
  expect(place({ site: 'Izmir', weekdays: [0, 1] })).toBe('At site Izmir, on Mondays');
  expect(place({})).toBe('Everywhere');
});

it('tells the day apart from the number after it', () => {
  expect(wordsAbout({ since: '2026-09-10' }, { host: 'api.test' }).title).toMatch(
    /^api\.test, since Sep 10, 2026: 3 % of requests/,
  );
});

it.each<[string, Partial<Finding>, Partial<FindingPlace>, RegExp]>([
  ['a browser that waits', {}, { host: 'api.test', engine: 'firefox' }, /^For user support/],
  ['slow requests of all browsers', {}, { host: 'api.test' }, /^For the server team/],
  ['a release', { kind: 'change', quantity: 'wait', since: '2026-08-26' }, { host: 'api.test' }, /what was released/],
  [
    'connections that open late since a day',
    { kind: 'change', quantity: 'tcp', since: '2026-08-26' },
    { host: 'api.test' },
    /^For the network team: see what changed that day/,
  ],
  [
    'a site since a day',
    { kind: 'far_site', quantity: 'receive', since: '2026-09-28' },
    { site: 'Izmir' },
    /^For the network team: see what changed at the site/,
  ],
  ['files that one site fetches', { kind: 'cold_cache', quantity: 'cached' }, { site: 'Lyon' }, /can keep files/],
  ['a site all the time', { kind: 'far_site', quantity: 'receive' }, { site: 'Izmir' }, /takes a detour/],
])('%s: the team that can act', (_, finding, place, action) => {
  expect(wordsAbout(finding, place).action).toMatch(action);
});
