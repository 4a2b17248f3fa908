import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Finding } from '../../collector/cli/doctor/findings.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { STEPS } from '../../collector/storage/sqlite/migrations.ts';
import { PACKAGES_RECORD } from '../fixtures/packages-record.ts';
import { run, serve } from './command.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

const DAY = 86_400_000;

async function usedFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await (await openStore({ folder, as: 'server' })).close();
  return folder;
}

/** What is not in order, by code, and the exit code. */
async function doctor(
  folder: string,
  ...args: string[]
): Promise<{ code: number | null; amiss: Record<string, Finding> }> {
  const { code, stdout } = await run(['doctor', '--data', folder, '--json', ...args]);
  const { checks, problems }: { checks: Finding[]; problems: number } = JSON.parse(stdout);
  expect(checks.filter(({ status }) => status === 'problem')).toHaveLength(problems);
  const amiss = checks.filter(({ status }) => status !== 'ok');
  return { code, amiss: Object.fromEntries(amiss.map((finding) => [finding.code, finding])) };
}

function version(folder: string, change?: number): unknown {
  const database = new Database(join(folder, 'lastbyte.sqlite'));
  if (change !== undefined) database.pragma(`user_version = ${change}`);
  const found = database.pragma('user_version', { simple: true });
  database.close();
  return found;
}

async function certificateFiles(made: number): Promise<{ authority: string; cert: string; key: string }> {
  const folder = await temporaryFolder();
  const { authority, chain, key } = await createServerCertificate(['localhost'], made);
  const write = async (name: string, pem: string) => {
    await writeFile(join(folder, name), pem);
    return join(folder, name);
  };
  return { authority: await write('ca', authority), cert: await write('chain', chain), key: await write('key', key) };
}

test('a collector that runs, with packages that it offers, is in order, line by line', async () => {
  const folder = await temporaryFolder();
  const { url } = await serve(folder);
  const settings = join(await temporaryFolder(), 'settings.json');
  const target = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] };
  await writeFile(settings, JSON.stringify({ version: 1, targets: [target] }));
  await run(['settings', 'apply', settings, '--data', folder]);
  await run(['package', '--collector', url, '--data', folder]);
  const { code, stdout } = await run(['doctor', '--data', folder, '--collector', url]);
  expect([code, stdout.match(/^(?!ok ).*$/gm)]).toEqual([0, ['']]);
  expect(stdout).toContain('a server runs on them');
  expect(stdout).toContain(`${url}/install/update.xml offers 0.1.0.`);
  expect(stdout).toContain(`${url}/install/updates.json offers 0.1.0.`);
});

// Root may write anywhere, unless it lacks this capability.
const WITHOUT = ['--bounding-set=-dac_override,-dac_read_search', process.execPath];
const [program = '', ...before] = process.getuid?.() === 0 ? ['setpriv', ...WITHOUT] : [process.execPath];

test.runIf(process.platform === 'linux')(
  'a folder that cannot be written is a problem, with the command that changes it',
  async () => {
    const folder = await usedFolder();
    await chmod(folder, 0o500);
    const { status, stdout } = spawnSync(program, [...before, 'dist/lastbyte.mjs', 'doctor', '--data', folder]);
    await chmod(folder, 0o700);
    expect(String(stdout)).toMatch(/^problem not_writable: cannot write to .* \(EACCES\).*\n +→ chmod u\+rwX /m);
    expect(status).toBe(1);
  },
);

test('a folder of a later version is refused in the words of every command; one of an earlier version is not migrated', async () => {
  const folder = await usedFolder();
  version(folder, STEPS.length - 1);
  expect(await doctor(folder)).toMatchObject({ code: 0, amiss: { older_tables: { status: 'warning' } } });
  expect(version(folder)).toBe(STEPS.length - 1);
  version(folder, 999);
  expect(await doctor(folder)).toMatchObject({
    code: 1,
    amiss: {
      store_too_new: {
        text: expect.stringContaining('tables of version 999'),
        fix: expect.stringContaining('Install'),
      },
    },
  });
});

test('a certificate that has expired is a problem; one that is valid for the collector is none', async () => {
  const folder = await usedFolder();
  const [old, fresh] = await Promise.all([certificateFiles(Date.now() - 40 * DAY), certificateFiles(Date.now())]);
  const given = ({ cert, key }: typeof old) => doctor(folder, '--tls-cert', cert, '--tls-key', key);
  expect(await given(old)).toMatchObject({ code: 1, amiss: { certificate_dates: { status: 'problem' } } });
  expect(await given(fresh)).toEqual({ code: 0, amiss: {} });
  expect(await given({ ...fresh, cert: fresh.key })).toMatchObject({
    code: 1,
    amiss: { failed: { status: 'problem' } },
  });
});

test('packages whose address for updates does not answer are a problem', async () => {
  const folder = await usedFolder();
  const collector = `http://127.0.0.1:${await freePort()}`;
  await mkdir(join(folder, 'packages'));
  await writeFile(join(folder, 'packages/packages.json'), JSON.stringify({ ...PACKAGES_RECORD, collector }));
  expect(await doctor(folder)).toMatchObject({
    code: 1,
    amiss: { no_answer: { text: expect.stringContaining(collector) } },
  });
});

test('a collector with a certificate of an authority of its own is asked with --ca alone', async () => {
  const { authority, cert, key } = await certificateFiles(Date.now());
  const folder = await temporaryFolder();
  const served = await serve(folder, ['--tls-cert', cert, '--tls-key', key]);
  const url = served.url.replace('127.0.0.1', 'localhost');
  expect(await doctor(folder, '--collector', url)).toMatchObject({ code: 1, amiss: { no_answer: {} } });
  expect(await doctor(folder, '--collector', url, '--ca', authority)).toEqual({ code: 0, amiss: {} });
});

test('stores that cannot be reached are problems, each with its own code', async () => {
  const folder = await usedFolder();
  const address = `127.0.0.1:${await freePort()}/lastbyte`;
  const found = await doctor(folder, '--control', `postgres://a@${address}`, '--samples', `clickhouse://a@${address}`);
  expect([found.code, Object.keys(found.amiss)]).toEqual([1, ['control_unreachable', 'samples_unreachable']]);
});
