import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The table is in the document, so that what people read is what is enforced. */
const PAGE = readFileSync(`${ROOT}docs/architecture.md`, 'utf8');
const MODULES = modulesOf(PAGE);
const FILES = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'shared', 'extension', 'collector'],
  {
    cwd: ROOT,
    encoding: 'utf8',
  },
)
  .split('\n')
  // Build scripts are not part of any product.
  .filter((file) => /\.(ts|mts|mjs)$/.test(file) && !file.includes('/build-') && existsSync(ROOT + file));

interface Import {
  readonly from: string;
  readonly to: string;
}

function modulesOf(page: string): ReadonlyMap<string, readonly string[]> {
  const rows = [...page.matchAll(/^\| `((?:shared|extension|collector)[\w/]*)` \|[^|]*\|([^|]*)\|$/gm)];
  return new Map(
    rows.map(([, module = '', names = '']) => [
      module,
      names
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ]),
  );
}

function moduleOf(file: string): string | undefined {
  const parts = file.split('/');
  return [parts.slice(0, 2).join('/'), parts[0] ?? ''].find((module) => MODULES.has(module));
}

/** Types too: using a type of another module depends on that module. */
function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)].map(([, specifier = '']) => ({
    from: file,
    to: posix.join(posix.dirname(file), specifier),
  }));
}

/** A line may name a module, one of its folders, or with `/*` the files right in one. */
function mayImport(from: string, to: string, file: string): boolean {
  const allowed = MODULES.get(from) ?? [];
  if (allowed.some((name) => name.startsWith('everything'))) return to !== 'extension';
  const folder = posix.dirname(file);
  return allowed.some((name) => {
    if (name === 'shared') return to.startsWith('shared/');
    if (name.endsWith('/*')) return folder === `collector/${name.slice(0, -2)}`;
    if (name.includes('/')) return `${folder}/`.startsWith(`collector/${name}/`);
    return to === name || to === `shared/${name}` || to === `collector/${name}`;
  });
}

const imports = FILES.flatMap((file) => importsOf(file, readFileSync(ROOT + file, 'utf8')));
const between = imports.flatMap(({ from, to }) => {
  const [a, b] = [moduleOf(from), moduleOf(to)];
  return a === undefined || b === undefined || a === b ? [] : [{ a, b, to, text: `${from} imports ${to}` }];
});

test('every file is in a module of docs/architecture.md', () => {
  expect(MODULES.size).toBeGreaterThan(20);
  expect(FILES.filter((file) => moduleOf(file) === undefined)).toEqual([]);
});

test('a module imports only what its row in docs/architecture.md lists', () => {
  expect(between.length).toBeGreaterThan(500);
  expect(between.filter(({ a, b, to }) => !mayImport(a, b, to)).map(({ text }) => text)).toEqual([]);
});

test('of a module that is listed by its folders, no other folder may be imported', () => {
  const allows = (file: string) => mayImport('collector/questions', 'collector/storage', `collector/storage/${file}`);
  expect(['store.ts', 'passes/range-pass.ts', 'rollups/roll-up.ts', 'sqlite/prune.ts'].map(allows)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('no two modules import each other', () => {
  const arrows = new Set(between.map(({ a, b }) => `${a} → ${b}`));
  expect(between.filter(({ a, b }) => arrows.has(`${b} → ${a}`)).map(({ text }) => text)).toEqual([]);
});

/** The imports that remain once files are taken away that no other imports, or that import no other. */
function ringsIn(arrows: readonly Import[]): readonly Import[] {
  const sources = new Set(arrows.map(({ from }) => from));
  const targets = new Set(arrows.map(({ to }) => to));
  const left = arrows.filter(({ from, to }) => targets.has(from) && sources.has(to));
  return left.length === arrows.length ? left : ringsIn(left);
}

test('no files import each other in a ring, not even for their types', () => {
  // A script and its declarations have one name.
  const arrows = imports.filter(({ from, to }) => from !== to);
  expect(ringsIn(arrows).map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('a ring is found, and what only leads into it or out of it is no part of it', () => {
  const arrows = ['ab', 'bc', 'ca', 'xa', 'cy'].map(([from = '', to = '']) => ({ from, to }));
  expect(ringsIn(arrows).map(({ from, to }) => from + to)).toEqual(['ab', 'bc', 'ca']);
});

test('the reader of imports sees types, re-exports and imports on demand', () => {
  const source =
    "import type { A } from '../b/a.ts';\nexport { c } from './c.ts';\nconst d = import('../d.ts');\nimport './e.ts';";
  expect(importsOf('x/y/z.ts', source).map(({ to }) => to)).toEqual(['x/b/a.ts', 'x/y/c.ts', 'x/d.ts', 'x/y/e.ts']);
});
