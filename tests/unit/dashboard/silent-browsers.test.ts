import { expect, test } from 'vitest';
import { silentBrowsers } from '../../../collector/dashboard/evidence/fleet-tables.ts';
import { browserName } from '../../../collector/dashboard/model/value-label.ts';

test('a browser is silent after a day without a report, but not if its id is of an earlier month', () => {
  const named = ['2026-10-31T23:00:00Z', '2026-11-20T12:00:00Z', '2026-11-24T13:00:00Z'].map((lastAt) => ({ lastAt }));
  expect(silentBrowsers(named, Date.UTC(2026, 10, 25, 12))).toBe(1);
  expect(silentBrowsers(named, Date.UTC(2026, 10, 25, 14))).toBe(2);
});

test('a browser has the name that it calls itself', () => {
  expect(browserName('chromium 128')).toBe('Chromium 128');
});
