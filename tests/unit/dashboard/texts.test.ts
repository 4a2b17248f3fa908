import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENGLISH_DASHBOARD } from '../../../collector/dashboard/text/english/english.ts';
import { SETTINGS as ENGLISH_SETTINGS } from '../../../collector/dashboard/text/english/settings.ts';
import { GERMAN_DASHBOARD } from '../../../collector/dashboard/text/german/german.ts';
import { SETTINGS as GERMAN_SETTINGS } from '../../../collector/dashboard/text/german/settings.ts';

const DASHBOARD = 'collector/dashboard';

/** Every text that takes no values, by its path. */
function textsIn(catalog: object, path = ''): [string, string][] {
  return Object.entries(catalog).flatMap(([key, value]): [string, string][] => {
    const at = `${path}${key}`;
    if (typeof value === 'string') return [[at, value]];
    return typeof value === 'object' && value !== null ? textsIn(value, `${at}.`) : [];
  });
}

test('no sentence is left untranslated', () => {
  const german = new Map(textsIn({ ...GERMAN_DASHBOARD, settings: GERMAN_SETTINGS }));
  const same = textsIn({ ...ENGLISH_DASHBOARD, settings: ENGLISH_SETTINGS }).filter(
    ([path, text]) => german.get(path) === text && / \S+ /.test(text),
  );
  expect(same).toEqual([]);
});

test('only text/ knows a language', async () => {
  const files = (await readdir(DASHBOARD, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const knowing = [];
  for (const name of files.filter((file) => !file.startsWith('text/'))) {
    const source = await readFile(join(DASHBOARD, name), 'utf8');
    if (/from '.*\/(?:english|german)[\w-]*\.ts'|numbersOf\('|toLocale|Intl\.\w+Format\('/.test(source))
      knowing.push(name);
  }
  expect(knowing).toEqual([]);
});
