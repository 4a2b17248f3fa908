import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { EXPORT_COLUMNS, forViewers } from '../../../collector/exchange/export/export-columns.ts';
import { EXPORT_FORMAT_NAMES } from '../../../collector/exchange/export/export-formats.ts';

const KINDS = {
  time: 'timestamp, UTC',
  text: 'text',
  whole: 'whole number',
  ms: 'milliseconds',
  json: 'JSON object',
} as const;

const doc = await readFile('docs/export.md', 'utf8');

test('every column is documented as it is written, in its order', () => {
  const rows = (doc.split('\n### Columns\n')[1]?.split('\n### ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const expected = EXPORT_COLUMNS.map(
    ({ name, kind, nullable, meaning }) =>
      `| \`${name}\` | ${KINDS[kind]}${nullable ? '' : ', never null'} | ${meaning} |`,
  );
  expect(rows).toEqual(expected);
});

test('every format is documented', () => {
  const rows = [...(doc.split('\n### Columns\n')[0] ?? '').matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
  expect(rows).toEqual(EXPORT_FORMAT_NAMES);
});

test('what is for admins only says so', () => {
  for (const column of EXPORT_COLUMNS) expect(column.meaning.includes('for admins only')).toBe(!forViewers(column));
});
