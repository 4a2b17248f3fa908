import { expect, test } from 'vitest';
import { changeText } from '../../../collector/analysis/text/change-text.ts';
import { ENGLISH } from '../../../collector/analysis/text/english.ts';
import { GERMAN } from '../../../collector/analysis/text/german.ts';
import { groupName } from '../../../collector/dashboard/model/compare-words.ts';
import type { CellKey } from '../../../shared/vocabulary/dimensions.ts';

const NOTHING = { before: null, after: null, change: null };

function leads(key: CellKey): string[] {
  const text = changeText(key, 'ttlb', NOTHING, ENGLISH);
  return [groupName({ ...key, ...NOTHING, text }), text, changeText(key, 'ttlb', NOTHING, GERMAN)].map(
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
