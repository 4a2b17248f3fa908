import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type TestApp, testApp } from './test-app.ts';

const SITES = [
  { site: 'Berlin', networks: ['10.11.0.0/16'] },
  { site: 'VPN', networks: ['10.99.0.0/16'] },
];
const ADDRESS = '10.11.77.5';

async function post(app: TestApp, browser: number, site: string, remoteAddress: string) {
  const origin = { ...ORIGIN, client: browserId(browser), site };
  const payload = JSON.stringify(encodeBatch(origin, randomUUID(), NOW, [PLAIN_SAMPLE]));
  const headers = { 'content-type': 'application/json' };
  const answer = await app.send({
    method: 'POST',
    url: '/api/v1/batches',
    as: 'ingest',
    payload,
    headers,
    remoteAddress,
  });
  expect(answer.statusCode).toBe(200);
}

async function sites(app: TestApp): Promise<Record<string, number>> {
  const range = `from=${new Date(NOW - 60_000).toISOString()}&to=${new Date(NOW).toISOString()}`;
  const answer = await app.send({ url: `/api/v1/summary?by=site&${range}`, as: 'admin' });
  const { cells } = answer.json<{ cells: { site: string; samples: number }[] }>();
  return Object.fromEntries(cells.map(({ site, samples }) => [site, samples]));
}

test('browsers without a label get the site of their network, as set at the time; others keep their label', async () => {
  const app = await testApp();
  await post(app, 1, '', ADDRESS);
  expect(await sites(app)).toEqual({ null: 1 });
  await app.store.settings.write({ version: 1, targets: [], sites: SITES }, null, NOW);
  await post(app, 1, '', ADDRESS);
  await post(app, 1, '', '10.99.0.1');
  await post(app, 2, 'Home', ADDRESS);
  await post(app, 3, '', '192.0.2.7');
  expect(await sites(app)).toEqual({ null: 2, Berlin: 1, VPN: 1, Home: 1 });
  const moved = [{ site: 'Potsdam', networks: ['10.11.0.0/16'] }];
  await app.store.settings.write({ version: 1, targets: [], sites: moved }, 1, NOW);
  await post(app, 1, '', ADDRESS);
  expect(await sites(app)).toEqual({ null: 2, Berlin: 1, VPN: 1, Home: 1, Potsdam: 1 });
});

test('the address is in no file of the data folder', async () => {
  const folder = await temporaryFolder();
  const app = await testApp({ store: await openStore({ folder, as: 'server', clock: () => NOW }) });
  await app.store.settings.write({ version: 1, targets: [], sites: SITES }, null, NOW);
  await post(app, 1, '', ADDRESS);
  await app.store.maintenance.rollUp();
  const files = await readdir(folder);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect((await readFile(join(folder, file))).includes(ADDRESS)).toBe(false);
  expect(await sites(app)).toEqual({ Berlin: 1 });
});
