import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard } from '../../../collector/dashboard/build-dashboard.mjs';

/** All script a first visit loads, charts included, bytes gzipped. */
const MAX_SCRIPT = 150 * 1024;
/** What the table waits for, bytes gzipped. */
const MAX_ENTRY = 40 * 1024;

describe('the built dashboard', () => {
  let folder: string;
  const read = (name: string) => readFile(join(folder, name), 'utf8');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lastbyte-bundle-'));
    await buildDashboard(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** A script and all that it imports before it runs. */
  async function withImports(name: string, seen = new Set<string>()): Promise<Set<string>> {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const [, imported] of (await read(name)).matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) {
      if (imported !== undefined) await withImports(imported, seen);
    }
    return seen;
  }

  it('is small at first, and shows its table before the chart library is there', async () => {
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
    // The others come when they are opened.
    expect(all.filter((name) => name.endsWith('.js') && !first.has(name)).length).toBeGreaterThan(3);
  });

  it('names on its page every script that the first view waits for, and no other', async () => {
    const overview = (await readdir(folder)).find((name) => /^overview-.*\.js$/.test(name)) ?? '';
    const wanted = new Set([...(await withImports('dashboard.js')), ...(await withImports(overview))]);
    const named = [...(await read('index.html')).matchAll(/<link rel="modulepreload" href="([^"]+)">/g)];
    expect(named.map(([, name]) => name).sort()).toEqual([...wanted].sort());
  });

  it('has nothing inline and nothing from elsewhere', async () => {
    const page = await read('index.html');
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\son\w+=|https?:/i);
    expect(await read('dashboard.css')).not.toMatch(/@import|url\(|https?:/i);
  });
});
