import { describe, expect, it } from 'vitest';
import { scanScore } from '../../../collector/analysis/findings/scan.ts';

describe('the score of a place', () => {
  it('is A·ln(A/E) − (A − E)', () => {
    expect(scanScore(200, 100)).toBeCloseTo(200 * Math.log(2) - 100, 9);
  });

  it('is 0 where no more is waited than usual', () => {
    expect(scanScore(100, 100)).toBe(0);
    expect(scanScore(50, 100)).toBe(0);
  });

  it('is smaller with requests that have no excess, and without some of those that have', () => {
    const exact = scanScore(300, 100);
    expect(scanScore(300 + 100, 100 + 100)).toBeLessThan(exact);
    expect(scanScore(300 / 2, 100 / 2)).toBeLessThan(exact);
  });

  it('is finite where nothing is usual', () => {
    expect(scanScore(100, 0)).toBeGreaterThan(0);
    expect(Number.isFinite(scanScore(100, 0))).toBe(true);
  });
});
