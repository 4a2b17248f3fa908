import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { startLastbyte } from '../browser/demo-process.ts';

/** MiB of the packed file, and of an installation with all that it needs. */
const MAX_PACKED = 3;
const MAX_INSTALLED = 130;
const SETTINGS = { version: 1, targets: [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }] };

const run = promisify(execFile);
let folder = '';
let packed = '';
const inFolder = (name: string) => join(folder, name);
/** With the Node that runs this test, whatever else is first in PATH. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
const install = (what: string) => run('npm', ['install', '--no-audit', '--no-fund', what], { cwd: folder, env });
const start = (...args: string[]) => startLastbyte(args, {}, inFolder('node_modules/.bin/lastbyte'));
async function lastbyte(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await start(...args).ended;
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lastbyte-package-'));
  packed = inFolder(`lastbyte-${manifest.version}.tgz`);
  await run('npm', ['pack', '--pack-destination', folder], { env });
  await writeFile(inFolder('package.json'), '{}');
  await install(packed);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the package is small, and installs the versions of the lock file', async () => {
  const { stdout } = await run('du', ['-sm', '--apparent-size', packed, inFolder('node_modules')]);
  const [file = Number.NaN, all = Number.NaN] = stdout.split('\n').map((line) => Number.parseInt(line, 10));
  expect(file).toBeLessThanOrEqual(MAX_PACKED);
  expect(all).toBeLessThanOrEqual(MAX_INSTALLED);
  const versions = async (lock: string) => {
    const { packages } = JSON.parse(await readFile(lock, 'utf8')) as Record<'packages', Record<string, object>>;
    return Object.entries(packages).flatMap(([path, { version }]: [string, { version?: string }]) =>
      path === '' || path.endsWith('/lastbyte') ? [] : `${path.split('node_modules/').at(-1)} ${version}`,
    );
  };
  const locked = new Set(await versions('package-lock.json'));
  const installed = await versions(inFolder('node_modules/.package-lock.json'));
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter((one) => !locked.has(one))).toEqual([]);
});

test('it makes the extension’s packages, and serves them with the dashboard', async () => {
  const data = inFolder('data');
  await writeFile(inFolder('settings.json'), JSON.stringify(SETTINGS));
  await lastbyte('settings', 'apply', inFolder('settings.json'), '--data', data, '--create');
  await lastbyte('package', '--collector', 'http://127.0.0.1:8642', '--data', data);
  const server = start('serve', '--port', '0', '--data', data);
  const [origin] = await server.said(/http:\/\/127\.0\.0\.1:\d+/);
  const get = (path: string) => fetch(new URL(path, origin));
  const page = await (await get('/')).text();
  const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? [];
  expect((await get(script)).headers.get('content-type')).toContain('javascript');
  expect((await get('/install/update.xml')).status).toBe(200);
  server.child.kill();
  expect((await server.ended).code).toBe(0);
});

test('it says which library drives a browser, and with that one the demo runs and is reported', async () => {
  const demo = ['demo', '--once', '--json', '--data', inFolder('demo'), '--browser', 'chromium'];
  const driver = `playwright-core@${manifest.peerDependencies['playwright-core']}`;
  const { message } = (await lastbyte(...demo).catch((error: unknown) => error)) as Error;
  const [, command = ''] = /^lastbyte: .* Install it beside Lastbyte: (npm install .*)$/.exec(message.trim()) ?? [];
  expect(command).toContain(driver);
  await run('sh', ['-c', command], { env });
  expect(JSON.parse(await lastbyte(...demo))).toMatchObject({ ok: true });
  await lastbyte('report', '--data', inFolder('demo'), '--out', inFolder('report.pdf'));
  expect(await readFile(inFolder('report.pdf'), 'latin1')).toMatch(/^%PDF-/);
});
