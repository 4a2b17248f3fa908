import { expect, test } from 'vitest';
import { typedNumber } from '../../../collector/dashboard/settings/fields.tsx';

test('a typed number has a decimal point or comma; anything else stays text', () => {
  expect(['14', ' 14 ', '0.5', '0,5', '.5', '1.05', '1,0'].map(typedNumber)).toEqual([14, 14, 0.5, 0.5, 0.5, 1.05, 1]);
  const texts = ['1.000', '12,500', '1,2,3', '2 weeks', '1e3', '0x10', '5.', '∞'];
  expect(texts.map(typedNumber)).toEqual(texts);
});
