import { expect, test } from 'vitest';
import { filterText, periodText, subtitleText } from '../../../collector/reports/language/period-text.ts';
import { pickReportTexts } from '../../../collector/reports/language/report-texts.ts';
import { parseReport } from '../../../collector/reports/parse-report.ts';
import { reportCommandLine } from '../../../collector/reports/write/report-command-line.ts';

const RANGE = { from: Date.UTC(2026, 2, 1), to: Date.UTC(2026, 2, 2) };
const [english, german] = [pickReportTexts('en'), pickReportTexts('de')];

test('filters in words name what they select, then what they exclude', () => {
  const filters = { 'not.type': ['font', 'image'], host: ['erp.example.com'] };
  expect(filterText(filters, english)).toBe('host erp.example.com; without type fonts, images');
  expect(filterText(filters, german)).toBe('Host erp.example.com; ohne Typ Schriften, Bilder');
  const users = { source: ['page'], 'not.site': ['Lyon'] };
  expect(filterText(users, english)).toBe('users’ own requests; without site Lyon');
  expect(filterText(users, german)).toBe('Anfragen der Nutzer; ohne Standort Lyon');
  const apps = new Map([['erp', 'Order system']]);
  expect(filterText({ target: ['erp', 'old'], connection: ['new'] }, german, apps)).toBe(
    'App Order system, old; Verbindung neue Verbindung',
  );
});

test('a subtitle does not say “only” before a mere exclusion', () => {
  const subtitle = (filters: string) => subtitleText(RANGE, 'UTC', filters, english);
  expect(subtitle('host erp.example.com')).toMatch(/\(UTC\)\. Only host erp\.example\.com$/);
  expect(subtitle('without type font')).toMatch(/\(UTC\)\. Without type font$/);
  expect(subtitle('')).toMatch(/\(UTC\)$/);
});

test.each([
  ['summary', { 'not.host': ['cdn.example.com'] }, '--filter not.host=cdn.example.com'],
  ['monthly', { 'not.site': 'Lyon' }, '--filter source=page --filter not.site=Lyon'],
  ['compare', { 'before.not.site': 'Lyon' }, '--filter before.not.site=Lyon'],
])('the command that reproduces the %s report excludes too', (view, filters, words) => {
  expect(reportCommandLine(parseReport({ view, ...filters }, RANGE.to))).toContain(words);
});

test('whole days have their dates, the last one included; a part of a day has its times', () => {
  const texts = pickReportTexts('en');
  const [from, to] = [Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1)];
  expect(periodText({ from, to }, 'UTC', texts)).toBe('2026-02-01 to 2026-02-28 (UTC)');
  expect(periodText({ from, to: from + 86_400_000 }, 'UTC', texts)).toBe('2026-02-01 (UTC)');
  expect(periodText({ from, to }, 'Europe/Berlin', texts)).toBe(
    '2026-02-01 01:00 to 2026-03-01 01:00 (Europe/Berlin, end excluded)',
  );
});
