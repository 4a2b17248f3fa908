import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DASHBOARD = 'collector/dashboard';

/** Every text that takes no values, by its path. */
function textsIn(catalog: object, path = ''): [string, string][] {
  return Object.entries(catalog).flatMap(([key, value]): [string, string][] => {
    const at = `${path}${key}`;
    if (typeof value === 'string') return [[at, value]];
    return typeof value === 'object' && value !== null ? textsIn(value, `${at}.`) : [];
  });
}

/** Those of a first visit and those that views load on demand, by file. */
async function allTexts(ending: '.ts' | '.de.ts'): Promise<Map<string, string>> {
  const folder = join(DASHBOARD, 'text');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.de.ts')).map((name) => name.slice(0, -6));
  const catalogs = names.map(
    async (name) => [name, await import(/* @vite-ignore */ `../../../${folder}/${name}${ending}`)] as const,
  );
  return new Map(textsIn(Object.fromEntries(await Promise.all(catalogs))));
}

test('no sentence is left untranslated', async () => {
  const [english, german] = await Promise.all([allTexts('.ts'), allTexts('.de.ts')]);
  expect(english.get('probes.PROBES.title')).toBe('Probes');
  const same = [...english].filter(([path, text]) => german.get(path) === text && / \S+ /.test(text));
  expect(same).toEqual([]);
});

test('only text/ knows a language', async () => {
  const files = (await readdir(DASHBOARD, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const knowing = [];
  for (const name of files.filter((file) => !file.startsWith('text/'))) {
    const source = await readFile(join(DASHBOARD, name), 'utf8');
    if (/from '.*\/(?:(?:english|german)[\w-]*|[\w-]+\.de)\.ts'|numbersOf\('|toLocale|Intl\.\w+Format\('/.test(source))
      knowing.push(name);
  }
  expect(knowing).toEqual([]);
});

test('headings of columns are in the same order in both languages: tables take it from them', async () => {
  const [english, german] = await Promise.all([allTexts('.ts'), allTexts('.de.ts')]);
  const headings = (texts: Map<string, string>) => [...texts.keys()].filter((path) => /columns\./i.test(path));
  expect(headings(english).length).toBeGreaterThan(80);
  expect(headings(german)).toEqual(headings(english));
});
