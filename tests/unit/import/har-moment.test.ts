import { expect, test } from 'vitest';
import { momentAt } from '../../../collector/exchange/import/har-moment.ts';

const AT = Date.UTC(2026, 0, 13, 14, 41, 11, 497);

test.each([
  '2026-01-13T14:41:11.497Z',
  '2026-01-13T14:41:11.497000z',
  '2026-01-13 14:41:11,497 UTC',
  '2026-01-13T15:41:11.497+01:00',
  '2026-01-13T15:41:11.4970000+0100',
  '2026-01-13T15:41:11,497+01',
  '2026-01-13T20:11:11.497+05:30',
  '2026-01-12T23:41:11.497-15:00',
])('%s is one instant', (text) => {
  expect(momentAt(text, 'Asia/Tokyo')).toBeCloseTo(AT, 6);
});

test.each([
  'Tue, 13 Jan 2026 14:41:11 GMT',
  'Tue, 13 Jan 2026 15:41:11 GMT+0100',
  'Tue Jan 13 2026 15:41:11 GMT+0100 (Central European Standard Time)',
])('%s names its offset, whatever this machine’s zone', (text) => {
  expect(momentAt(text, null)).toBe(AT - 497);
});

test('a time without a zone is refused, or is in the zone that was given', () => {
  const text = '2026-01-13T15:41:11.497000';
  expect(momentAt(text, null)).toBe('no_zone');
  expect(momentAt(text, 'Europe/Berlin')).toBeCloseTo(AT, 6);
  expect(momentAt('2026-07-13T16:41:11.5', 'Europe/Berlin')).toBe(Date.UTC(2026, 6, 13, 14, 41, 11, 500));
});

test.each([
  '',
  '1',
  '200000',
  '2026-01-13',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-13T24:00:00Z',
  '2026-01-13T15:61:00Z',
  '2026-01-13T15:41:11+1',
  '2026-01-13T15:41:11+24:00',
  '+200000-01-01T00:00:00Z',
  'Tue Jan 13 2026 15:41:11',
  'Mon, 30 Feb 2026 10:00:00 GMT',
  'Mon Feb 30 2026 10:00:00 GMT+0100 (CET)',
  'Wed, 29 Feb 2023 10:00:00 GMT',
  'Fri, 31 Apr 2026 10:00:00 GMT',
  'Fri, 0 May 2026 10:00:00 GMT',
  'Tue, 13 Jan 2026 24:00:00 GMT',
  'Tue, 13 Jan 2026 15:61:11 GMT',
  'Tue, 13 Jan 2026 15:41:60 GMT',
  'Tue, 13 Jan 2026 15:41:11 GMT+2400',
  'Tue, 13 Jan 2026 15:41:11 GMT+0160',
  'Tue, 13 Foo 2026 15:41:11 GMT',
  'Tue, 13 Jan 26 15:41:11 GMT',
  'Tue, 13 14 Jan 2026 15:41:11 GMT',
  'Tue Jan 13 2026 15:41:11 CET',
])('%j is no date and time that every machine reads alike', (text) => {
  expect(momentAt(text, null)).toBe('bad_time');
  expect(momentAt(text, 'UTC')).toBe('bad_time');
});

test('years are bounded', () => {
  const of = (year: string) => momentAt(`${year}-06-01T00:00:00Z`, null);
  expect(['1970', '1999', '2100', '9999'].map(of)).toEqual(Array(4).fill('bad_year'));
  expect(['2000', '2099'].map(of).every(Number.isFinite)).toBe(true);
  expect(momentAt('Thu, 01 Jan 1970 00:00:00 GMT', null)).toBe('bad_year');
});
