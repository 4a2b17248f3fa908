import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENGLISH_DASHBOARD } from '../../../collector/dashboard/text/english/english.ts';
import { GERMAN_DASHBOARD } from '../../../collector/dashboard/text/german/german.ts';

const DASHBOARD = 'collector/dashboard';

/** Every text that takes no values, by its path. */
function textsIn(catalog: object, path = ''): [string, string][] {
  return Object.entries(catalog).flatMap(([key, value]): [string, string][] => {
    const at = `${path}${key}`;
    if (typeof value === 'string') return [[at, value]];
    return typeof value === 'object' && value !== null ? textsIn(value, `${at}.`) : [];
  });
}

/** Of a first visit, and those that views load on demand, by file. */
async function allTexts(language: 'english' | 'german'): Promise<Map<string, string>> {
  const folder = join(DASHBOARD, 'text', language);
  const files = (await readdir(folder)).map(
    async (name) => [name, await import(/* @vite-ignore */ `../../../${folder}/${name}`)] as const,
  );
  const first = language === 'english' ? ENGLISH_DASHBOARD : GERMAN_DASHBOARD;
  return new Map(textsIn({ first, ...Object.fromEntries(await Promise.all(files)) }));
}

test('no sentence is left untranslated', async () => {
  const [english, german] = await Promise.all([allTexts('english'), allTexts('german')]);
  expect(english.get('probes.ts.PROBES.title')).toBe('Probes');
  const same = [...english].filter(([path, text]) => german.get(path) === text && / \S+ /.test(text));
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
