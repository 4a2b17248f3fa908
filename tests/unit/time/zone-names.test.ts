import { expect, onTestFinished, test } from 'vitest';
import { wallTime } from '../../../collector/analysis/time/zoned-time.ts';
import { timeline } from '../../../collector/questions/timeline.ts';
import { parseReport } from '../../../collector/reports/parse-report.ts';
import { zoneNamed } from '../../../shared/settings/time-zones.ts';
import { rounds } from '../../rounds.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const LETTERS = 'america/argentina/buenos_aires';

/** Each number another mixture of cases. */
function spelling(number: number): string {
  return [...LETTERS].map((letter, place) => ((number >> place) & 1 ? letter.toUpperCase() : letter)).join('');
}

test('a zone is found in any case, and called as IANA calls it', () => {
  expect(zoneNamed('europe/BERLIN')).toBe('Europe/Berlin');
  expect(zoneNamed('asia/kolkata')).toBe('Asia/Kolkata');
  expect(zoneNamed('utc')).toBe('UTC');
  expect(zoneNamed('us/pacific')).toBe('US/Pacific');
  for (const stranger of ['', 'Europe', '+01:00', 'Europe/Berlin ', 'constructor', 'none/UTC']) {
    expect(zoneNamed(stranger)).toBeNull();
  }
});

test('every name of the list is one this engine knows', () => {
  for (const zone of ['Africa/Asmara', 'Etc/GMT-14', 'GB-Eire', ...Intl.supportedValuesOf('timeZone')]) {
    expect(zoneNamed(zone)).toBe(zone);
    expect(() => wallTime(NOW, zone)).not.toThrow();
  }
});

test('thousands of spellings of a zone make one formatter, in questions that are answered and that are refused', () => {
  const { DateTimeFormat } = Intl;
  let made = 0;
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct(target, parameters: ConstructorParameters<typeof DateTimeFormat>) {
      made++;
      return new target(...parameters);
    },
  });
  onTestFinished(() => {
    Intl.DateTimeFormat = DateTimeFormat;
  });
  for (let number = 0; number < rounds(1000, 10_000); number++) {
    const zone = spelling(number);
    expect(parseReport({ zone, view: 'monthly' }, NOW).zone).toBe('America/Argentina/Buenos_Aires');
    expect(() => timeline.parse({ zone: `${zone}x` }, NOW)).toThrow('zone is');
    expect(() => parseReport({ zone, view: 'nonsense' }, NOW)).toThrow();
  }
  expect(made).toBeLessThanOrEqual(1);
});
