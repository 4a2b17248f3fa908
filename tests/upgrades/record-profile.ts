/**
 * Records the storage of a release's extension: enrolled by its user, with samples in its queue, at a collector that went away.
 * `node tests/upgrades/record-profile.ts --release ../checkout --node /path/to/node --engine firefox --out FOLDER`
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTemporaryProfile } from '../../collector/lab/browser/temporary-profile.ts';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import { compress, packFolder } from './pack-folder.ts';
import { COLLECTOR, COLLECTOR_PORT, copyExtension, STORAGE, startOnProfile } from './profile-browser.ts';
import type { RecordedProfile } from './recorded.ts';
import { type Release, runRelease, serveRelease } from './release.ts';

const { values: options } = parseArgs({
  options: {
    release: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    engine: { type: 'string' },
    out: { type: 'string' },
  },
});
if (options.release === undefined || options.out === undefined) throw new Error('--release and --out are needed');
const engine = options.engine as BrowserEngine;
const release: Release = { root: options.release, node: options.node };
const out = options.out;

const MATCH = 'http://app.upgrade.test/*';
const SITE = 'Büro Wien';
/** Plain words: other names would be folded into one. */
const IMAGES = ['apple', 'bread', 'cloud', 'dance', 'eagle', 'flame', 'grape', 'house', 'island', 'jungle'];
const PAGES = ['earlier', 'orders', 'customers', 'invoices'];
const TARGET = { id: 'app', name: 'App für alle', match: [MATCH] };
const SETTINGS = { version: 1, targets: [TARGET], delivery: { intervalSeconds: 1 } };

const folder = await mkdtemp(join(tmpdir(), 'lastbyte-record-'));
const data = join(folder, 'data');
const server = () => serveRelease(release, Date.now(), ['--data', data, '--port', String(COLLECTOR_PORT)]);
const app = createServer(({ url = '/' }, response) => {
  const page = PAGES.find((name) => url === `/${name}`);
  response.setHeader('cache-control', 'no-store');
  response.setHeader('content-type', page === undefined ? 'image/svg+xml' : 'text/html');
  if (page === undefined) return void response.end('<svg xmlns="http://www.w3.org/2000/svg"/>');
  response.end(
    `<title>${page}</title><link rel="icon" href="data:,">${IMAGES.map((name) => `<img src="/${page}/${name}.svg">`).join('')}`,
  );
});
await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
const { port } = app.address() as AddressInfo;

const collector = await server();
const file = join(folder, 'settings.json');
await writeFile(file, JSON.stringify(SETTINGS));
await runRelease(release, Date.now(), ['settings', 'apply', file, '--data', data]);
const token = async (role: string): Promise<string> =>
  JSON.parse(await runRelease(release, Date.now(), ['token', 'create', '--role', role, '--json', '--data', data]))
    .token;
const [ingest, admin] = [await token('ingest'), await token('admin')];

const extension = join(folder, 'extension');
await copyExtension(engine, join(release.root, `dist/extension/${engine}`), extension, {
  match: MATCH,
  version: '0.1.0.1',
  aheadMs: 0,
});
const profile = await createTemporaryProfile(engine);
const browser = await startOnProfile(engine, profile, extension);
async function until(what: string, reached: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await reached()); tries++) {
    if (tries > 200) throw new Error(`not reached: ${what}`);
    await setTimeout(300);
  }
}

await browser.enrol(COLLECTOR, ingest, SITE);
await until('it collects', async () => (await browser.status()).state === 'collecting');
const visit = (page: string) => browser.open(`http://app.upgrade.test:${port}/${page}`);
const [earlier = '', ...later] = PAGES;
await visit(earlier);
const stored = async () => {
  const response = await fetch(`${collector.url}/api/v1/export?format=ndjson&from=2026-01-01T00:00:00Z`, {
    headers: { authorization: `Bearer ${admin}` },
  });
  return (await response.text()).split('\n').length - 1;
};
await until('its samples arrived', async () => (await stored()) === 1 + IMAGES.length);
await collector.end();
for (const page of later) await visit(page);
const waiting = later.length * (1 + IMAGES.length);
await until('the rest waits', async () => (await browser.status()).waiting === waiting);
const status = await browser.status();
await browser.close();
app.close();

for (const part of STORAGE[engine]) {
  await mkdir(dirname(join(folder, 'profile', part)), { recursive: true });
  await cp(join(profile.dir, part), join(folder, 'profile', part), { recursive: true });
}
await mkdir(out, { recursive: true });
await packFolder(join(folder, 'profile'), join(out, 'profile.tar.br'));
await packFolder(data, join(out, 'data.tar.br'));
const recorded: RecordedProfile = {
  now: new Date().toISOString(),
  match: MATCH,
  admin,
  status,
  templates: PAGES.flatMap((page) => [`/${page}`, ...IMAGES.map((name) => `/${page}/${name}.svg`)]),
};
await writeFile(join(out, 'recorded.json.br'), compress(Buffer.from(JSON.stringify(recorded))));
await rm(folder, { recursive: true });
await profile.remove();
