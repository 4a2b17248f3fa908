import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { texts as GERMAN } from '../../../collector/dashboard/text/settings.de.ts';
import { texts as ENGLISH } from '../../../collector/dashboard/text/settings.ts';

const FOLDER = 'shared/settings';
/** Problems that any document can have. */
const COMMON = ['shared/vocabulary/document-problem.ts', 'shared/vocabulary/explain-mismatch.ts'];
/** Of documents that no form makes: the JSON of somebody who knows the names. */
const WITHOUT_WORDS = [
  'availability_alone',
  'more',
  'not_allowed',
  'not_settings',
  'time_or_availability',
  'unknown_name',
  'url_or_steps',
];

test('the dashboard has words for every problem that its forms can make, in both languages', async () => {
  const files = [...(await readdir(FOLDER)).map((name) => join(FOLDER, name)), ...COMMON];
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const all = sources.join('\n');
  const given = [...all.matchAll(/code: '(\w+)'|problem\('[^']+', '(\w+)'\)|\?\? '(not_allowed)'/g)].map(
    ([, code, cron, other]) => code ?? cron ?? other,
  );
  const keywords = /const CODES[^{]*\{([^}]*)\}/.exec(all)?.[1] ?? '';
  const byKeyword = [...keywords.matchAll(/: '(\w+)'/g)].map(([, code]) => code);
  const codes = [...new Set([...given, ...byKeyword])].sort();
  expect([...Object.keys(ENGLISH.problems), ...WITHOUT_WORDS].sort()).toEqual(expect.arrayContaining(codes));
  expect(Object.keys(GERMAN.problems)).toEqual(Object.keys(ENGLISH.problems));
  expect(Object.keys(ENGLISH.problems).filter((code) => !codes.includes(code))).toEqual([]);
});
