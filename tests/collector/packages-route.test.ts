import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePackages } from '../../collector/rollout/package/make-packages.ts';
import { readPackagesRecord } from '../../collector/rollout/package/packages-record.ts';
import { run } from './command.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ERP = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/app/*'], unlockTimings: ['cdn.example.net'] };
const SETTINGS = {
  version: 1,
  targets: [ERP, { id: 'wiki', name: 'Wiki', match: ['*://wiki.example.com/*'] }],
  probes: {
    enabled: true,
    schedule: [{ id: 'logo', target: 'erp', url: 'https://erp.example.com/logo.png', everyMinutes: 60 }],
  },
};
const COLLECTOR = 'https://lb.example.com';

async function packager() {
  const data = join(await temporaryFolder(), 'data');
  const folder = join(data, 'packages');
  const app = await testApp({ packagesFolder: folder, extensionFolder: 'dist/extension' });
  const send = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
    app.send({ method, url: `/api/v1/${url}`, as: 'admin', ...(payload === undefined ? {} : { payload }) });
  return {
    ...app,
    data,
    folder,
    ask: async () => (await send('GET', 'packages')).json(),
    save: (settings: object) => send('PUT', 'settings', settings),
    make: (collector: string, more: object = {}) => send('POST', 'packages', { collector, ...more }),
    policy: (more: object) => send('POST', 'policies', { browser: 'chrome', format: 'json', ...more }),
  };
}

test('says which hosts of the settings the packages lack', async () => {
  const { ask, save, folder } = await packager();
  expect(await ask()).toMatchObject({ packaged: null, missing: [] });
  await save(SETTINGS);
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
    collector: COLLECTOR,
    enrolment: null,
    onlyTargets: false,
    network: false,
    key: privateKey,
    number: null,
    newId: false,
  });
  expect(await ask()).toEqual({
    packaged: { version: record.version, collector: COLLECTOR, signingKey: join(folder, '../signing-key.pem') },
    missing: ['*://wiki.example.com/*', 'http://*.cdn.example.net/*'],
  });
});

test('packages as the command does, one after the other', async () => {
  const { ask, save, make, data, folder } = await packager();
  await save(SETTINGS);
  const answers = await Promise.all(['https://other.example.com', COLLECTOR, COLLECTOR].map((one) => make(one)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  const { packaged, missing } = answers[2]?.json() ?? {};
  expect(packaged).toMatchObject({ collector: COLLECTOR, version: expect.stringMatching(/\.2$/) });
  expect([missing, await ask()]).toEqual([[], answers[2]?.json()]);

  const made = await readPackagesRecord(folder);
  const settings = join(data, 'settings.json');
  await writeFile(settings, JSON.stringify(SETTINGS));
  const { code } = await run(['package', '--targets', settings, '--collector', COLLECTOR, '--data', data]);
  expect([code, await readPackagesRecord(folder)]).toEqual([0, made]);
});

test('packaging again keeps what the command was told: the key, the limit to the targets, why requests fail', async () => {
  const { save, make, data, folder } = await packager();
  const settings = join(await temporaryFolder(), 'settings.json');
  await writeFile(settings, JSON.stringify({ version: 1, targets: [{ ...ERP, unlockTimings: undefined }] }));
  const told = ['--only-targets', '--failures', '--key', 'lb_ingest_x', '--site', 'Berlin'];
  await run(['package', '--targets', settings, '--collector', COLLECTOR, '--data', data, ...told]);
  await save({ version: 1, targets: [SETTINGS.targets[1]] });
  expect((await make('https://other.example.com')).statusCode).toBe(200);
  const [record, manifest, enrolment] = [
    await readPackagesRecord(folder),
    await import(join(folder, 'chromium/manifest.json'), { with: { type: 'json' } }),
    await import(join(folder, 'chromium/enrolment.json'), { with: { type: 'json' } }),
  ];
  expect(record).toMatchObject({ holdsKey: true, onlyTargets: true, failures: true });
  expect(manifest.default).not.toHaveProperty('optional_host_permissions');
  expect(manifest.default.permissions).toContain('webRequest');
  expect(enrolment.default).toEqual({ collector: 'https://other.example.com', key: 'lb_ingest_x', site: 'Berlin' });
});

test('refuses what cannot be packaged, each for its own reason', async () => {
  const { save, make, send } = await packager();
  const codeOf = async (answer: ReturnType<typeof make>) => {
    const { statusCode, json } = await answer;
    return [statusCode, json().error?.code];
  };
  expect(await codeOf(make(COLLECTOR))).toEqual([409, 'nothing_to_package']);
  await save(SETTINGS);
  expect(await codeOf(make('lb.example.com'))).toEqual([400, 'invalid_address']);
  expect(await codeOf(make('https://lb.example.com/?a=1'))).toEqual([400, 'invalid_address']);
  expect(await codeOf(make('http://lb.example.com'))).toEqual([400, 'invalid_address']);
  expect((await make('http://lb.example.com', { allowHttp: true })).statusCode).toBe(200);
  for (const as of ['read', 'ingest'] as const) {
    for (const url of ['/api/v1/packages', '/api/v1/policies']) {
      expect((await send({ method: 'POST', url, as, payload: {} })).statusCode).toBe(403);
    }
  }
});

test('what fails on disk is said, and the next attempt is not affected', async () => {
  const { save, make, data, folder } = await packager();
  await save(SETTINGS);
  await make(COLLECTOR);
  const before = await readFile(join(data, 'signing-key.pem'));
  await writeFile(join(data, 'signing-key.pem'), 'no key');
  const failed = await make(COLLECTOR);
  expect([failed.statusCode, failed.json().error]).toEqual([
    500,
    { code: 'packaging_failed', message: expect.stringMatching(/signing-key\.pem holds no/), hint: expect.any(String) },
  ]);
  await writeFile(join(data, 'signing-key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  expect((await make(COLLECTOR)).json().error.message).toContain('does not belong to this signing key');

  await writeFile(join(data, 'signing-key.pem'), before);
  await rm(join(folder, 'chromium.zip'));
  await mkdir(join(folder, 'chromium.zip'));
  const [killed, running] = ['.making-killed', '.making-running'].map((name) => join(folder, name));
  for (const made of [killed, running]) await mkdir(made ?? '');
  await utimes(killed ?? '', 0, 0);
  expect((await make(COLLECTOR)).json().error).toMatchObject({
    code: 'packaging_failed',
    message: expect.stringMatching(/^packaging failed: (EISDIR|ENOTEMPTY)/),
  });
  await rm(join(folder, 'chromium.zip'), { recursive: true });
  expect((await make(COLLECTOR)).statusCode).toBe(200);
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual(['.making-running']);
});

test('policies are those of the command, with the key filled in, which is stored nowhere', async () => {
  const { save, make, policy, tokens, data, log, store } = await packager();
  await save(SETTINGS);
  const ask = { key: tokens.ingest, site: 'Berlin', share: 10 };
  expect((await policy(ask)).json().error.code).toBe('not_packaged');
  await make(COLLECTOR);
  for (const key of [tokens.admin, tokens.read, 'lb_ingest_other']) {
    expect((await policy({ key })).json().error.code).toBe('invalid_key');
  }
  expect((await policy({ ...ask, browser: 'chromium', format: 'intune' })).statusCode).toBe(400);
  for (const [browser, format] of [
    ['chrome', 'json'],
    ['edge', 'reg'],
    ['firefox', 'plist'],
  ] as const) {
    const answer = await policy({ ...ask, browser, format });
    const options = [
      '--format',
      format,
      '--key',
      tokens.ingest,
      '--site',
      'Berlin',
      '--share',
      '10',
      '--data',
      data,
      '--json',
    ];
    const printed = JSON.parse((await run(['policy', browser, ...options])).stdout);
    expect(answer.json()).toMatchObject({ text: printed.policy, places: printed.places });
    expect([answer.json().text.includes(tokens.ingest), answer.headers['cache-control']]).toEqual([true, 'no-store']);
  }
  expect(log.join()).not.toContain(tokens.ingest);
  expect(JSON.stringify(await store.tokens.list())).not.toContain(tokens.ingest);
});
