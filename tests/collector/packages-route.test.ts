import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePackages } from '../../collector/rollout/package/make-packages.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SETTINGS = {
  version: 1,
  targets: [
    { id: 'erp', name: 'ERP', match: ['https://erp.example.com/app/*'], unlockTimings: ['cdn.example.net'] },
    { id: 'wiki', name: 'Wiki', match: ['*://wiki.example.com/*'] },
  ],
  probes: {
    enabled: true,
    schedule: [{ id: 'logo', target: 'erp', url: 'https://erp.example.com/logo.png', everyMinutes: 60 }],
  },
};

test('says which hosts of the settings the packages lack, and the command that makes them', async () => {
  const folder = join(await temporaryFolder(), 'my data', 'packages');
  const app = await testApp({ packagesFolder: folder });
  const admin = { authorization: `Bearer ${app.tokens.admin}` };
  const ask = async () => (await app.send({ method: 'GET', url: '/api/v1/packages', headers: admin })).json();
  expect(await ask()).toMatchObject({ packaged: null, missing: [] });
  await app.send({ method: 'PUT', url: '/api/v1/settings', headers: admin, payload: SETTINGS });
  const needed = [
    '*://wiki.example.com/*',
    'http://*.cdn.example.net/*',
    'http://erp.example.com/*',
    'https://*.cdn.example.net/*',
    'https://erp.example.com/*',
  ];
  expect(await ask()).toMatchObject({ packaged: null, missing: needed });
  const record = await makePackages({
    source: 'dist/extension',
    out: folder,
    targets: [{ match: ['*://erp.example.com/*', 'https://*.example.net/*', 'https://wiki.example.com/*'] }],
    collector: 'https://lb.example.com',
    enrolment: null,
    onlyTargets: false,
    network: false,
    key: privateKey,
    number: null,
    newId: false,
  });
  expect(await ask()).toEqual({
    packaged: { version: record.version, holdsKey: false },
    missing: ['*://wiki.example.com/*', 'http://*.cdn.example.net/*'],
    command: `lastbyte package --collector https://lb.example.com --data "${join(folder, '..')}"`,
  });
});
