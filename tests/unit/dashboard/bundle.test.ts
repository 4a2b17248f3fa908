import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../collector/analysis/text/language.ts';
import { buildDashboard } from '../../../collector/dashboard/build-dashboard.mjs';

/** All scripts of a first visit including charts, gzipped bytes. */
const MAX_SCRIPT = 160 * 1024;
/** Scripts that the table waits for, gzipped bytes. */
const MAX_ENTRY = 40 * 1024;

describe.each(LANGUAGES)('the dashboard built in %s', (language) => {
  let folder: string;
  const read = (name: string) => readFile(join(folder, name), 'utf8');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lastbyte-bundle-'));
    await buildDashboard(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** A script and all of its static imports. */
  async function withImports(name: string, seen = new Set<string>()): Promise<Set<string>> {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const [, imported] of (await read(name)).matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) {
      if (imported !== undefined) await withImports(imported, seen);
    }
    return seen;
  }

  /** A script that this language's scripts load on demand. */
  async function onDemand(start: string): Promise<string> {
    for (const name of await withImports(`dashboard.${language}.js`)) {
      const found = new RegExp(`import\\("\\./(${start}[\\w-]+\\.js)"\\)`).exec(await read(name));
      if (found?.[1] !== undefined) return found[1];
    }
    throw new Error(`nothing loads ${start}`);
  }

  it('is small, and shows its table before the chart library is loaded', async () => {
    const all = await readdir(folder);
    const entry = await withImports(`dashboard.${language}.js`);
    const first = new Set([
      ...entry,
      ...(await withImports(await onDemand('overview-'))),
      ...(await withImports(await onDemand('plot-charts-'))),
    ]);
    const size = async (names: Iterable<string>) =>
      (await Promise.all([...names].map(async (name) => gzipSync(await read(name)).length))).reduce((a, b) => a + b, 0);
    expect(await size(first)).toBeLessThanOrEqual(MAX_SCRIPT);
    expect(await size(entry)).toBeLessThanOrEqual(MAX_ENTRY);
    // The others are loaded when they are opened.
    expect(all.filter((name) => name.endsWith('.js') && !first.has(name)).length).toBeGreaterThan(3);
  });

  it('preloads every script that the first view waits for, and no other', async () => {
    const overview = await onDemand('overview-');
    const wanted = new Set([...(await withImports(`dashboard.${language}.js`)), ...(await withImports(overview))]);
    const named = [...(await read(`index.${language}.html`)).matchAll(/<link rel="modulepreload" href="([^"]+)">/g)];
    expect(named.map(([, name]) => name).sort()).toEqual([...wanted].sort());
  });

  it('has nothing inline and nothing from other origins', async () => {
    const page = await read(`index.${language}.html`);
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\son\w+=|https?:/i);
    expect(await read('dashboard.css')).not.toMatch(/@import|url\(|https?:/i);
  });
});
