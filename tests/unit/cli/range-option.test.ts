import { describe, expect, test } from 'vitest';
import { checkZone, momentText, rangeParameters } from '../../../collector/cli/range-option.ts';
import { UsageFailure } from '../../../collector/lib/failure.ts';

const NOW = Date.parse('2026-11-25T04:30:00Z');

describe('--last', () => {
  test.each([
    ['1h', '2026-11-25T03:30:00.000Z'],
    ['24h', '2026-11-24T04:30:00.000Z'],
    ['7d', '2026-11-18T04:30:00.000Z'],
    ['30d', '2026-10-26T04:30:00.000Z'],
  ])('%s begins at %s and ends now', (last, from) => {
    expect(rangeParameters({ last }, NOW)).toEqual({ from });
  });

  test.each(['7', 'd', '0d', '-1d', '7 d', '1w', '99999h', ''])(
    '%j is a usage error that says how to write it',
    (last) => {
      expect(() => rangeParameters({ last }, NOW)).toThrow(UsageFailure);
      expect(() => rangeParameters({ last }, NOW)).toThrow(/is not a duration/);
    },
  );

  test('contradicts the other two', () => {
    expect(() => rangeParameters({ last: '7d', from: '2026-11-01' }, NOW)).toThrow(/--last contradicts/);
    expect(() => rangeParameters({ last: '7d', to: '2026-11-01' }, NOW)).toThrow(/--last contradicts/);
  });
});

describe('a date without a time', () => {
  test.each([
    ['2026-11-01', undefined, '2026-11-01T00:00:00.000Z'],
    ['2026-11-01', 'Europe/Berlin', '2026-10-31T23:00:00.000Z'],
    ['2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  ])('%s in %s is its local midnight', (text, zone, moment) => {
    expect(momentText(text, zone)).toBe(moment);
  });

  test.each(['2026-02-30', '2026-13-01', 'yesterday', '2026-11-01T10:00:00Z'])(
    '%s is left to the parser of times',
    (text) => {
      expect(momentText(text, 'Europe/Berlin')).toBe(text);
    },
  );

  test('ends a range before it', () => {
    expect(rangeParameters({ from: '2026-11-01', to: '2026-11-02', zone: 'Europe/Berlin' }, NOW)).toEqual({
      from: '2026-10-31T23:00:00.000Z',
      to: '2026-11-01T23:00:00.000Z',
    });
  });
});

test('a zone that does not exist is a usage error', () => {
  expect(() => checkZone({ zone: 'Europe/Bonn' })).toThrow(/--zone Europe\/Bonn is not a time zone/);
  expect(() => checkZone({ zone: 'europe/berlin' })).not.toThrow();
  expect(() => checkZone({})).not.toThrow();
});
