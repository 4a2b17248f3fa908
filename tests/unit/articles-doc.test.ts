import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const doc = readFileSync('docs/articles.md', 'utf8');

test('each row names tests that are there', () => {
  const rows = doc.split('\n').filter((line) => /^\|(?! in the article| ---)/.test(line));
  expect(rows.length).toBeGreaterThan(30);
  const named = rows.map((row) =>
    [...(row.split('|').at(-2) ?? '').matchAll(/`(tests\/[^`]+)`/g)].map(([, path = '']) => path),
  );
  expect(rows.filter((_, index) => named[index]?.length === 0)).toEqual([]);
  expect(named.flat().filter((path) => !existsSync(path))).toEqual([]);
});
