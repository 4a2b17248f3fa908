import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../../collector/cli/program.ts';
import { explain, toExitCode } from '../../collector/cli/run-command.ts';
import { makePackages, type PackagesPlan } from '../../collector/rollout/package/make-packages.ts';
import { extensionId } from '../../collector/rollout/package/pack-crx.ts';
import { run } from './command.ts';
import { temporaryFolder } from './temporary-folder.ts';

const COLLECTOR = 'https://lb.example.com/base';
const ERP = { id: 'erp', name: 'ERP', match: ['https://erp.example.com:8443/app/*', '*://*.erp.test/*'] };
const CRM = { id: 'crm', name: 'CRM', match: ['https://crm.example.com/*'] };
const HOSTS = ['*://*.erp.test/*', 'https://erp.example.com/*', 'https://lb.example.com/*'];
const [KEY, OTHER_KEY] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);

async function packager() {
  const out = join(await temporaryFolder(), 'packages');
  const read = (name: string) => readFile(join(out, name));
  return {
    out,
    read,
    manifest: async (engine: string) => JSON.parse((await read(`${engine}/manifest.json`)).toString()),
    make: (changes: Partial<PackagesPlan> = {}) => {
      if (KEY === undefined) throw new Error('no key');
      const plan = {
        targets: [ERP],
        collector: COLLECTOR,
        enrolment: null,
        onlyTargets: false,
        network: false,
        number: null,
      };
      return makePackages({ source: 'dist/extension', out, key: KEY, newId: false, ...plan, ...changes });
    },
  };
}

async function settingsFile(folder: string, ...targets: object[]): Promise<string> {
  const file = join(folder, 'settings.json');
  await writeFile(file, JSON.stringify({ version: 1, targets }));
  return file;
}

test('hosts of the targets and the collector are baked in, and where updates come from', async () => {
  const { make, manifest } = await packager();
  const { version, hostPermissions } = await make();
  expect([version, hostPermissions]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+\.1$/), HOSTS]);
  expect(await manifest('chromium')).toMatchObject({
    version,
    host_permissions: HOSTS,
    optional_host_permissions: ['http://*/*', 'https://*/*'],
    update_url: `${COLLECTOR}/install/update.xml`,
    key: expect.stringMatching(/^MIIB/),
    minimum_chrome_version: expect.stringMatching(/\d/),
    storage: { managed_schema: 'managed-schema.json' },
  });
  expect(await manifest('firefox')).toMatchObject({
    version,
    host_permissions: HOSTS,
    browser_specific_settings: { gecko: { update_url: `${COLLECTOR}/install/updates.json` } },
  });
});

test('hosts whose times a target unlocks are baked in beside its own', async () => {
  const folder = await temporaryFolder();
  const settings = await settingsFile(folder, { ...CRM, unlockTimings: ['cdn.example.net'] });
  const out = join(folder, 'packages');
  const { stdout } = await run(['package', '--targets', settings, '--out', out, '--data', folder, '--json']);
  const hosts = ['http://*.cdn.example.net/*', 'https://*.cdn.example.net/*', 'https://crm.example.com/*'];
  expect(JSON.parse(stdout).packages).toMatchObject([{ hostPermissions: hosts }, { hostPermissions: hosts }]);
});

test('what costs every page of Chromium is in a package whose settings need it, or by word, and else may be allowed', async () => {
  const NETWORK = ['declarativeNetRequestWithHostAccess', 'webRequest'];
  const folder = await temporaryFolder();
  const out = join(folder, 'packages');
  const packaged = async (settings: string, ...more: string[]) => {
    await run(['package', '--targets', settings, '--out', out, '--data', folder, '--json', ...more]);
    return JSON.parse(await readFile(join(out, 'chromium', 'manifest.json'), 'utf8'));
  };
  const chromium = async (target: object, ...more: string[]) => packaged(await settingsFile(folder, target), ...more);
  const probed = join(folder, 'probed.json');
  const schedule = [{ id: 'crm', target: 'crm', url: 'https://crm.example.com/', everyMinutes: 60 }];
  await writeFile(probed, JSON.stringify({ version: 1, targets: [CRM], probes: { enabled: true, schedule } }));
  const lean = await chromium(CRM);
  expect(lean.optional_permissions).toEqual(NETWORK);
  for (const name of NETWORK) expect(lean.permissions).not.toContain(name);
  expect(await chromium(CRM, '--only-targets')).not.toHaveProperty('optional_permissions');
  for (const needing of [
    await chromium({ ...CRM, unlockTimings: ['cdn.example.net'] }),
    await chromium(CRM, '--failures'),
    await packaged(probed),
  ]) {
    expect(needing.permissions).toEqual(expect.arrayContaining(NETWORK));
    expect(needing).not.toHaveProperty('optional_permissions');
  }
  const firefox = JSON.parse(await readFile(join(out, 'firefox', 'manifest.json'), 'utf8'));
  expect(firefox.permissions).toEqual(expect.arrayContaining(NETWORK));
});

test('a collector on plain http names no updates to Firefox, which would refuse the extension', async () => {
  const { make, manifest } = await packager();
  await make({ collector: 'http://127.0.0.1:8642' });
  expect((await manifest('chromium')).update_url).toBe('http://127.0.0.1:8642/install/update.xml');
  expect((await manifest('firefox')).browser_specific_settings.gecko).not.toHaveProperty('update_url');
});

test('the package for a store names neither key nor updates; limited to its targets nothing more can be allowed', async () => {
  const { make, read, manifest } = await packager();
  await make({ onlyTargets: true });
  for (const engine of ['chromium', 'firefox']) {
    expect(await manifest(engine)).not.toHaveProperty('optional_host_permissions');
  }
  const [zip = '', store = ''] = (await Promise.all([read('chromium.zip'), read('chromium-store.zip')])).map(String);
  for (const name of ['"key": "', '"update_url": "']) {
    expect([zip.includes(name), store.includes(name)]).toEqual([true, false]);
  }
});

test('the same again is the same byte for byte; a change makes a newer version, by which browsers go', async () => {
  const { make, read } = await packager();
  const first = await make();
  const crx = await read('chromium.crx');
  expect(await make()).toEqual(first);
  expect(await read('chromium.crx')).toEqual(crx);
  const second = await make({ targets: [ERP, CRM] });
  expect([second.version, second.chromiumId]).toEqual([first.version.replace(/1$/, '2'), first.chromiumId]);
  expect((await make({ number: 77 })).version).toMatch(/\.77$/);
  await expect(make({ number: 76 })).rejects.toThrow(/newer version \S+\.77/);
});

test('packages of another key are not replaced by mistake', async () => {
  const { make, read } = await packager();
  const { chromiumId } = await make();
  const crx = await read('chromium.crx');
  if (OTHER_KEY === undefined) throw new Error('no key');
  await expect(make({ key: OTHER_KEY })).rejects.toThrow(chromiumId);
  expect(await read('chromium.crx')).toEqual(crx);
  expect((await make({ key: OTHER_KEY, newId: true })).chromiumId).toBe(extensionId(OTHER_KEY));
});

test('a folder that cannot be made is said, and a record that cannot be read is not written over', async () => {
  const { make, out } = await packager();
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  await expect(make({ out: join(file, 'below') })).rejects.toThrow(/cannot be written/);
  if (existsSync('/proc')) await expect(make({ out: '/proc/lastbyte/x' })).rejects.toThrow(/cannot be written/);
  await make();
  await writeFile(join(out, 'packages.json'), '{"version":"1"}');
  await expect(make()).rejects.toThrow(/was not written by lastbyte package/);
});

test('the command: the key is made once, for its owner alone; the ingest key goes in only where asked for', async () => {
  const data = await temporaryFolder();
  const args = ['package', '--targets', await settingsFile(data, ERP), '--collector', COLLECTOR, '--data', data];
  const key = join(data, 'signing-key.pem');
  const enrolment = join(data, 'packages/firefox/enrolment.json');
  const first = await run([...args, '--json']);
  expect([first.code, JSON.parse(first.stdout)]).toEqual([
    0,
    expect.objectContaining({ chromiumId: expect.stringMatching(/^[a-p]{32}$/), holdsKey: false }),
  ]);
  expect([(await stat(key)).mode & 0o777, existsSync(enrolment)]).toEqual([0o600, false]);
  const pem = await readFile(key, 'utf8');

  await chmod(key, 0o644);
  const second = await run([...args, '--key', 'lb_ingest_x', '--site', 'Wien']);
  expect([second.code, second.stdout]).toEqual([0, '']);
  for (const said of ['hold the ingest key', `chmod 600 ${key}`]) expect(second.stderr).toContain(said);
  expect(JSON.parse(await readFile(enrolment, 'utf8'))).toEqual({
    collector: COLLECTOR,
    key: 'lb_ingest_x',
    site: 'Wien',
  });
  expect(await readFile(key, 'utf8')).toBe(pem);

  const again = ['package', '--targets', join(data, 'settings.json'), '--data', data, '--json'];
  expect(JSON.parse((await run(again)).stdout)).toMatchObject({ collector: COLLECTOR });

  await writeFile(key, 'not a key');
  expect(await run(args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/holds no private key/) });
  expect(await readFile(key, 'utf8')).toBe('not a key');
}, 120_000);

/** What the command would print and end with, without a process for each. */
async function failureOf(...args: string[]): Promise<{ code: number; text: string | null }> {
  const error: unknown = await createProgram()
    .parseAsync(['node', 'lastbyte', ...args])
    .then(
      () => null,
      (thrown) => thrown,
    );
  return { code: toExitCode(error), text: explain(error) };
}

test.each([
  [['--collector', 'lb.example.com'], /is not an address/],
  [['--collector', 'https://lb.example.com/?x=1'], /more than host and path/],
  [['--key', 'lb_ingest_x'], /a key needs its collector/],
  [['--collector', COLLECTOR, '--key', 'lb_admin_x'], /token has the role admin/],
  [['--collector', COLLECTOR, '--key', ' '], /key is empty/],
  [['--collector', COLLECTOR, '--key', 'lb_ingest_x', '--site', 'x'.repeat(101)], /longer than 100/],
  [['--site', 'Wien'], /--site/],
])('%j is a usage error with its fix', async (args, message) => {
  const data = await temporaryFolder();
  const failed = await failureOf('package', '--targets', await settingsFile(data, ERP), '--data', data, ...args);
  expect(failed).toEqual({ code: 2, text: expect.stringMatching(message) });
});

test.each([
  ['erp.example.com', /\/targets\/0\/match\/0 .*form scheme:\/\/host\/path/],
  ['<all_urls>', /\/targets\/0\/match\/0 .*every site/],
  ['https://*/*', /every host/],
  ['https://*.com/*', /top-level domain/],
  ['https://erp.example.com:99999/*', /port above/],
])(
  'the pattern %s is refused with its place and what to write instead, and nothing is made',
  async (match, message) => {
    const data = await temporaryFolder();
    const file = await settingsFile(data, { ...ERP, match: [match] });
    const failed = await failureOf('package', '--targets', file, '--data', data);
    expect(failed).toEqual({ code: 1, text: expect.stringMatching(message) });
    expect([existsSync(join(data, 'packages')), existsSync(join(data, 'signing-key.pem'))]).toEqual([false, false]);
  },
);

test('without a file it packages the settings in force', async () => {
  const data = await temporaryFolder();
  const settings = await settingsFile(data, ERP);
  expect(await run(['settings', 'apply', settings, '--data', data, '--create'])).toMatchObject({ code: 0 });
  const { code, stdout } = await run(['package', '--collector', COLLECTOR, '--data', data, '--json']);
  expect([code, JSON.parse(stdout).packages[0].hostPermissions]).toEqual([0, HOSTS]);
});

test('without a file and without settings it says where both come from', async () => {
  const data = await temporaryFolder();
  await run(['token', 'create', '--role', 'read', '--data', data, '--create']);
  expect(await failureOf('package', '--data', data)).toEqual({
    code: 2,
    text: expect.stringMatching(/have no target\. .*--targets FILE/),
  });
});

test('a document without a target makes no package', async () => {
  const data = await temporaryFolder();
  const failed = await failureOf('package', '--targets', await settingsFile(data), '--data', data);
  expect(failed).toEqual({ code: 2, text: expect.stringMatching(/have no target/) });
});
