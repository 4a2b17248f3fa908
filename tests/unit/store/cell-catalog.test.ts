import { expect, test } from 'vitest';
import { createCellCatalog } from '../../../collector/storage/rollups/cell-catalog.ts';

test('a text has the number of what a database makes of it', () => {
  const before = createCellCatalog();
  const id = before.stringId('site', 'K\ud800ln');
  const { strings: words } = before.takeNew();
  expect(words).toEqual([{ id, kind: 'site', text: 'K\ufffdln' }]);

  const after = createCellCatalog();
  after.load(words, []);
  expect(after.stringId('site', 'K\ud800ln')).toBe(id);
  expect(after.stringId('site', 'K\udfffln')).toBe(id);
  expect(after.takeNew().strings).toEqual([]);
});
