import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard } from '../../../collector/dashboard/build-dashboard.mjs';

/** All scripts of a first visit including charts, gzipped bytes. */
const MAX_SCRIPT = 150 * 1024;
/** Scripts that the table waits for, gzipped bytes. */
const MAX_ENTRY = 40 * 1024;

describe('the built dashboard', () => {
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

  it('is small, and shows its table before the chart library is loaded', async () => {
    const all = await readdir(folder);
    const chunk = (start: string) => all.find((name) => name.startsWith(start) && name.endsWith('.js')) ?? start;
    const entry = await withImports('dashboard.js');
    const first = new Set([
      ...entry,
      ...(await withImports(chunk('overview-'))),
      ...(await withImports(chunk('plot-charts-'))),
    ]);
    const size = async (names: Iterable<string>) =>
      (await Promise.all([...names].map(async (name) => gzipSync(await read(name)).length))).reduce((a, b) => a + b, 0);
    expect(await size(first)).toBeLessThanOrEqual(MAX_SCRIPT);
    expect(await size(entry)).toBeLessThanOrEqual(MAX_ENTRY);
    // The others are loaded when they are opened.
    expect(all.filter((name) => name.endsWith('.js') && !first.has(name)).length).toBeGreaterThan(3);
  });

  it('preloads every script that the first view waits for, and no other', async () => {
    const overview = (await readdir(folder)).find((name) => /^overview-.*\.js$/.test(name)) ?? '';
    const wanted = new Set([...(await withImports('dashboard.js')), ...(await withImports(overview))]);
    const named = [...(await read('index.html')).matchAll(/<link rel="modulepreload" href="([^"]+)">/g)];
    expect(named.map(([, name]) => name).sort()).toEqual([...wanted].sort());
  });

  it('has nothing inline and nothing from other origins', async () => {
    const page = await read('index.html');
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\son\w+=|https?:/i);
    expect(await read('dashboard.css')).not.toMatch(/@import|url\(|https?:/i);
  });
});
