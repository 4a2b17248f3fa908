import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProgram } from '../../collector/cli/program.ts';

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

test('each command in it exists with its options', () => {
  const load = createProgram().commands.find((command) => command.name() === 'load');
  const options = load?.options.map(({ long }) => long) ?? [];
  const asked = [...doc.matchAll(/`lastbyte load ([^`]*)`/g)].flatMap(
    ([, rest = '']) => rest.match(/--[a-z-]+/g) ?? [],
  );
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((option) => !options.includes(option))).toEqual([]);
});
