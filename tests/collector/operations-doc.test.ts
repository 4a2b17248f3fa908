import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createProgram } from '../../collector/cli/program.ts';
import { buildApp } from '../../collector/http/app.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { SettingsSchema } from '../../shared/settings/settings-schema.ts';
import { validateSettings } from '../../shared/settings/validate-settings.ts';
import { DIMENSIONS } from '../../shared/vocabulary/dimensions.ts';
import { temporaryFolder } from './temporary-folder.ts';

const doc = await readFile('docs/operations.md', 'utf8');

/** Rows of the tables of one section, cell by cell. */
function table(heading: string): string[][] {
  const body = doc.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = body.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

test('every option of serve is documented with its default, and nothing else', () => {
  const serve = createProgram().commands.find((command) => command.name() === 'serve');
  const options =
    serve?.options.filter(({ hidden }) => !hidden).map(({ long, defaultValue }) => [long, defaultValue]) ?? [];
  const documented = table('Options of `lastbyte serve`').map(([name, value]) => [name, value]);
  const shown = options.map(([name, value]) => [
    name,
    value === undefined ? expect.stringMatching(/none|off/) : String(value),
  ]);
  expect(documented).toEqual(shown);
});

test('every setting is documented, and nothing else; the example is valid', () => {
  expect(table('Settings').map(([name]) => name)).toEqual(namesOf(SettingsSchema));
  const example = /```json\n([\s\S]*?)```/.exec(doc)?.[1] ?? '';
  expect(validateSettings(JSON.parse(example))).toMatchObject({ ok: true });
});

test('every address is documented with its method, and nothing else', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'server' });
  const app = await buildApp({
    store,
    clock: Date.now,
    version: '0',
    dashboardFolder: null,
    packagesFolder: 'packages',
    loopbackOnly: true,
    trustProxy: false,
    tls: null,
    log: null,
  });
  await app.ready();
  const routes = routesOf(app.printRoutes({ commonPrefix: false }));
  const documented = table('Addresses').flatMap(([url, method]) =>
    /^\/(api|install|healthz|readyz|metrics|openapi)/.test(url ?? '') ? [`${method} ${url}`] : [],
  );
  expect(documented.sort()).toEqual(routes.sort());
  await app.close();
  await store.close();
});

test('every dimension is documented', () => {
  const sentence = /Dimensions: ([^.]*)\./.exec(doc)?.[1] ?? '';
  expect([...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual([...DIMENSIONS]);
});

/** `GET /api/v1/summary` and the like, of the tree that Fastify prints: a route below another one has only its own part. */
function routesOf(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^(.*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    above.splice(indent.length / 4, above.length, part);
    const url = above.join('');
    return methods.split(', ').flatMap((method) => (method === '' || method === 'HEAD' ? [] : [`${method} ${url}`]));
  });
}

/** `targets[].id` and the like, of an object schema. */
function namesOf(schema: unknown, prefix = ''): string[] {
  const { properties, items } = schema as { properties?: Record<string, unknown>; items?: unknown };
  if (items !== undefined) return namesOf(items, `${prefix}[]`);
  return Object.entries(properties ?? {}).flatMap(([name, inner]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const below = namesOf(inner, path);
    const { type, additionalProperties } = inner as { type?: string; additionalProperties?: boolean };
    // An open object is a document of another format.
    if (type === 'object' && additionalProperties !== false) return [path];
    return type === 'object' ? below : [path, ...below];
  });
}
