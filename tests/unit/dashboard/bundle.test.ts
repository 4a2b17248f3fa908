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

  it('is small, and shows its table before the chart library is there', async () => {
    const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'));
    const sizes = await Promise.all(scripts.map(async (name) => gzipSync(await read(name)).length));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_SCRIPT);
    expect(gzipSync(await read('dashboard.js')).length).toBeLessThanOrEqual(MAX_ENTRY);
  });

  it('has nothing inline and nothing from elsewhere', async () => {
    const page = await read('index.html');
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\son\w+=|https?:/i);
    expect(await read('dashboard.css')).not.toMatch(/@import|url\(|https?:/i);
  });
});
