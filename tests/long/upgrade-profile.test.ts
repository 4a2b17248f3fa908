import { readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTemporaryProfile } from '../../collector/lab/browser/temporary-profile.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { until } from '../browser/fixture/until.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { readCompressed, unpackFolder } from '../upgrades/pack-folder.ts';
import { COLLECTOR, COLLECTOR_PORT, copyExtension, startOnProfile } from '../upgrades/profile-browser.ts';
import type { RecordedProfile } from '../upgrades/recorded.ts';
import { type Release, serveRelease } from '../upgrades/release.ts';

const RECORDED = 'tests/fixtures/upgrades';
const TODAY: Release = { root: '.', node: process.execPath };
/** Long after the last attempt, so that nothing waits for the next one. */
const LATER_MS = 3_600_000;

describe.each(ENGINES)('the extension in a profile of %s', (engine) => {
  const profiles = readdirSync(RECORDED).filter((name) => name.endsWith(`-${engine}`));
  test.each(profiles)('%s stays enrolled, and every sample that waited arrives once', async (name) => {
    const folder = await temporaryFolder();
    const place = join(RECORDED, name);
    await unpackFolder(join(place, 'data.tar.br'), folder);
    await unpackFolder(join(place, 'profile.tar.br'), folder);
    const recorded = await readCompressed<RecordedProfile>(join(place, 'recorded.json.br'));
    const now = Date.parse(recorded.now) + LATER_MS;
    const extension = join(folder, 'extension');
    await copyExtension(engine, `dist/extension/${engine}`, extension, {
      match: recorded.match,
      version: '0.1.0.2',
      aheadMs: now - Date.now(),
    });
    const profile = await createTemporaryProfile(engine);
    onTestFinished(() => profile.remove());
    await cp(join(folder, 'profile'), profile.dir, { recursive: true });

    const away = await startOnProfile(engine, profile, extension);
    onTestFinished(() => away.close());
    const { client, site, waiting, targets } = recorded.status;
    expect(await away.status()).toMatchObject({
      collector: COLLECTOR,
      enrolledBy: 'user',
      client,
      site,
      waiting,
      targets,
    });
    await away.close();

    const server = await serveRelease(TODAY, now, ['--data', join(folder, 'data'), '--port', String(COLLECTOR_PORT)]);
    onTestFinished(async () => void (await server.end()));
    const again = await startOnProfile(engine, profile, extension);
    onTestFinished(() => again.close());
    const emptied = await until('nothing waits any more', async () => {
      const status = await again.status();
      return status.waiting === 0 ? status : null;
    });
    expect(emptied).toMatchObject({
      state: 'collecting',
      collector: COLLECTOR,
      enrolledBy: 'user',
      client,
      site,
      targets,
    });
    const response = await fetch(`${server.url}/api/v1/export?format=ndjson&from=2026-11-01T00:00:00Z`, {
      headers: { authorization: `Bearer ${recorded.admin}` },
    });
    const lines = (await response.text()).trimEnd().split('\n');
    const arrived = lines.map((line) => JSON.parse(line) as { template: string; client: string; site: string });
    expect(arrived.map(({ template }) => template).sort()).toEqual([...recorded.templates].sort());
    expect(new Set(arrived.map((sample) => `${sample.client} ${sample.site}`))).toEqual(new Set([`${client} ${site}`]));
  });
});
