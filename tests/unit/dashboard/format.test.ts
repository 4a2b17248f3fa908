import { describe, expect, it } from 'vitest';
import { formatAge, formatDifference, formatMs, formatShare } from '../../../collector/dashboard/text/format.ts';

describe('number formats', () => {
  it.each([
    [0, '0'],
    [0.04, '<0.1'],
    [0.1, '0.1'],
    [9.94, '9.9'],
    [9.96, '10'],
    [83.4, '83'],
    [12_345.6, '12,346'],
    [-4.2, '−4.2'],
  ])('%f ms', (value, text) => expect(formatMs(value)).toBe(text));

  it('sign differences', () => {
    expect([formatDifference(3), formatDifference(-3), formatDifference(0)]).toEqual(['+3.0', '−3.0', '0']);
  });

  it.each([
    [0, '0 %'],
    [0.001, '<1 %'],
    [0.5, '50 %'],
    [0.999, '>99 %'],
    [1, '100 %'],
  ])('share %f', (share, text) => expect(formatShare(share)).toBe(text));

  it.each([
    [2_000, 'just now'],
    [40_000, '40 s ago'],
    [180_000, '3 min ago'],
    [7_200_000, '2 h ago'],
    [3 * 86_400_000, '3 days ago'],
  ])('age %i', (age, text) => expect(formatAge(age)).toBe(text));
});
