import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const DOCS = new URL('../../docs/', import.meta.url);
const PAGE = readFileSync(new URL('architecture.md', DOCS), 'utf8');

interface Step {
  readonly file: string;
  readonly name: string;
}

/** The numbered rows below a heading. */
function stepsBelow(heading: string): Step[] {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  return [...section.matchAll(/^\| \d+ \| \[`[\w.-]+`\]\(([^)]+)\) `(\w+)` \|/gm)].map(([, file = '', name = '']) => ({
    file,
    name,
  }));
}

/** A function, method, property or call of that name; a word in a comment is none. */
function isIn(source: string, name: string): boolean {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
  return new RegExp(`\\b${name}\\b(?=\\s*(?:[(<:=,]|\\.addListener))`).test(code);
}

// The most steps and files that a reader has to follow.
test.each([
  ['The path of a sample', 60, 50],
  ['The path of a question', 15, 14],
])('%s leads through functions that are there, in at most %i steps and %i files', (heading, most, mostFiles) => {
  const steps = stepsBelow(heading);
  expect(steps.length).toBeGreaterThan(10);
  expect(steps.length).toBeLessThanOrEqual(most);
  expect(new Set(steps.map(({ file }) => file)).size).toBeLessThanOrEqual(mostFiles);
  const missing = steps.filter(({ file, name }) => !isIn(readFileSync(new URL(file, DOCS), 'utf8'), name));
  expect(missing).toEqual([]);
});

test('a word that only a comment has is no step', () => {
  expect(isIn('// take(\n/** gather( */\nconst send = () => 1;', 'take')).toBe(false);
  expect(isIn('function take(group: Group) {}', 'take')).toBe(true);
});
