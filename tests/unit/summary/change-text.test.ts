import { expect, test } from 'vitest';
import { changeText } from '../../../collector/analysis/text/change-text.ts';
import { ENGLISH } from '../../../collector/analysis/text/english.ts';
import { GERMAN } from '../../../collector/analysis/text/german.ts';
import { groupName } from '../../../collector/dashboard/compare/compare-words.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { CellKey } from '../../../shared/vocabulary/dimensions.ts';

const NOTHING = { before: null, after: null, change: null, notCompared: 'not_measured' } as const;

function leads(key: CellKey): string[] {
  const text = changeText(key, 'ttlb', NOTHING, ENGLISH);
  return [groupName({ ...key, ...NOTHING, text }, null), text, changeText(key, 'ttlb', NOTHING, GERMAN)].map(
    (text) => text.split(': ')[0] ?? '',
  );
}

test('an app is called by its name', () => {
  const apps = new Map([['erp', 'Order system']]);
  const say = (target: string) => changeText({ target }, 'ttlb', NOTHING, ENGLISH, apps).split(': ')[0];
  expect([say('erp'), say('gone')]).toEqual(['Order system, ttlb', 'gone, ttlb']);
});

test.each<[CellKey, string[]]>([
  [{}, ['All requests', 'All requests, ttlb', 'Alle Anfragen, ttlb']],
  [{ site: 'berlin' }, ['berlin', 'berlin, ttlb', 'berlin, ttlb']],
  [{ site: null }, ['no site', 'site (none), ttlb', 'Standort (keine), ttlb']],
  [
    { protocol: null, browser: 'firefox' },
    ['no protocol · Firefox', 'protocol (none), firefox, ttlb', 'Protokoll (keine), firefox, ttlb'],
  ],
])('%j is called by what it was cut by, also where it has none of it', (key, names) => {
  expect(leads(key)).toEqual(names);
});

const side = (ms: number) => timeStatistics(exactDistribution(Array.from({ length: 40 }, () => ms * 1000)), 100);
const found = (interval: readonly [number, number], changed: boolean, because: 'chosen_browsers' | null = null) => ({
  before: side(100),
  after: side(109),
  change: {
    before: 100,
    after: 109,
    difference: 9,
    interval,
    changed,
    over: because === null ? ('browsers' as const) : ('samples' as const),
    because,
    sharedBrowsers: 0,
    drawnFrom: [40, 40] as const,
  },
  notCompared: null,
});

test.each([
  [found([4, 12], true), 'It became 9 ms slower (+9.0 ms; 95 %: +4.0 to +12 ms).'],
  [found([-0.7, 19], false), 'No certain change (+9.0 ms; 95 %: −0.7 to +19 ms).'],
  [{ ...found([4, 12], true), change: null, notCompared: 'few_samples' as const }, 'at least 30 requests.'],
  [found([4, 12], true, 'chosen_browsers'), 'the result holds for these machines only.'],
])('a comparison in words: %#', (sides, words) => {
  const text = changeText({}, 'ttlb', sides, ENGLISH);
  expect(text).toMatch(/^All requests, ttlb: median 100 ms before, 109 ms after\. /);
  expect(text.endsWith(words)).toBe(true);
});
