import { expect, test } from 'vitest';
import { toSentences, toSiteTable } from '../../../collector/dashboard/host/sites.tsx';
import type { SiteHostsDocument } from '../../../collector/questions/site-hosts.ts';

const small = { effect: 1, interval: [-1, 2] as const, standsOut: false };
const large = (effect: number) => ({ effect, interval: [effect - 1, effect + 1] as const, standsOut: true });
const cell = (site: string, host: string, median: number, pair: SiteHostsDocument['cells'][number]['pair']) => ({
  site,
  host,
  median,
  n: 400,
  from: 'pages' as const,
  browsers: 40,
  pair,
});

const DIVIDED: Omit<SiteHostsDocument, 'method'> = {
  overall: 20,
  undivided: null,
  sites: [
    { site: 'Oslo', ...large(90) },
    { site: 'Lyon', ...small },
  ],
  hosts: [
    { host: 'erp.example.com', ...large(-12) },
    { host: 'crm.example.com', ...small },
  ],
  cells: [
    cell('Lyon', 'erp.example.com', 59, large(50)),
    cell('Oslo', 'erp.example.com', 99, small),
    cell('Oslo', 'crm.example.com', 112, small),
  ],
  leftOut: { tooFew: 1, beyond: 0, withoutSite: 3 },
};
const document = DIVIDED as SiteHostsDocument;

test('a sentence for the host, each site and each route that stands out', () => {
  expect(toSentences(document, 'erp.example.com')).toEqual([
    'From Oslo, connections to every host take 90 ms longer than usual. The cause is the site’s line.',
    'From Lyon, only connections to this host take 50 ms longer than usual. The cause is the route between the two.',
    'From every site, connections to this host take 12 ms less than usual. The cause is the host or its line.',
  ]);
  expect(toSentences(document, 'crm.example.com')).toHaveLength(1);
  const quiet = { ...document, sites: [], hosts: [], cells: [cell('Oslo', 'erp.example.com', 20, small)] };
  expect(toSentences(quiet, 'erp.example.com')).toEqual(['Neither a site nor this host stands out.']);
  expect(toSentences({ ...document, undivided: 'few_hosts' }, 'erp.example.com')[0]).toContain(
    'not yet possible to tell',
  );
});

test('the parts of this host only, the longest connect first, and what was left out', () => {
  const { rows, notes } = toSiteTable(document, 'erp.example.com');
  expect(
    rows.map(({ site, median, usual, ofSite, ofHost, ofPair }) => [site, median, usual, ofSite, ofHost, ofPair]),
  ).toEqual([
    ['Oslo', 99, 20, 90, -12, 1],
    ['Lyon', 59, 20, 1, -12, 50],
  ]);
  expect(notes.slice(1)).toEqual([
    '1 pair of site and host left out: fewer than 5 browsers or 30 connections.',
    '3 connections from browsers without a site left out.',
  ]);
});
