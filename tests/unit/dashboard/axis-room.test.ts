import { expect, test } from 'vitest';
import { ENGLISH } from '../../../collector/analysis/text/english.ts';
import { axisRoom } from '../../../collector/charts/marks.ts';

test('an axis has room for its longest label', () => {
  expect(axisRoom(800, ENGLISH.numbers.count)).toBe(46);
  expect(axisRoom(30_000, ENGLISH.numbers.count)).toBeGreaterThanOrEqual(6 * 7 + 10);
  // A rounded axis ends at 10,000.
  expect(axisRoom(9_700, ENGLISH.numbers.count)).toBe(axisRoom(10_000, ENGLISH.numbers.count));
});
