import { generateKeyPairSync } from 'node:crypto';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../../collector/cli/program.ts';
import { explain, toExitCode } from '../../collector/cli/run-command.ts';
import { makePackages } from '../../collector/rollout/package/make-packages.ts';
import { runHere } from './command.ts';
import { temporaryFolder } from './temporary-folder.ts';

delete process.env.LASTBYTE_INGEST_KEY; // or no key would be missing

const COLLECTOR = 'https://lb.example.com';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

async function packaged(collector: string | null = COLLECTOR) {
  const data = await temporaryFolder();
  const record = await makePackages({
    source: 'dist/extension',
    out: join(data, 'packages'),
    targets: [{ match: ['https://erp.example.com/*'] }],
    collector,
    enrolment: null,
    onlyTargets: false,
    network: false,
    key: privateKey,
    number: null,
    newId: false,
  });
  return { data, ...record };
}

test('help has an example, and every browser', async () => {
  const { code, stdout, stderr } = await runHere(['policy', '--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/Example:\n {2}lastbyte policy/);
  for (const word of ['chrome', 'edge', 'chromium', 'firefox', 'json', 'reg', 'plist', 'intune']) {
    expect(stdout).toContain(word);
  }
});

test('the policy stands alone on standard output; what to do with it, and what is amiss, beside it', async () => {
  const { data, chromiumId } = await packaged();
  const key = ['--key', 'lb_ingest_x', '--data', data];
  const printed = await runHere([
    'policy',
    'chromium',
    '--site',
    'Wien',
    '--no-pause-for-good',
    '--share',
    '10',
    ...key,
  ]);
  expect(printed.code).toBe(0);
  expect(JSON.parse(printed.stdout)).toEqual({
    ExtensionInstallForcelist: [`${chromiumId};${COLLECTOR}/install/update.xml`],
    '3rdparty': {
      extensions: {
        [chromiumId]: { collector: COLLECTOR, key: 'lb_ingest_x', site: 'Wien', allowPauseForGood: false, share: 10 },
      },
    },
  });
  expect(printed.stderr).toContain('/etc/chromium/policies/managed/lastbyte.json');

  const out = join(data, 'x.reg');
  const written = await runHere([
    'policy',
    'edge',
    '--format',
    'reg',
    '--out',
    out,
    '--json',
    '--collector',
    'https://b.test',
    ...key,
  ]);
  expect(JSON.parse(written.stdout)).toEqual({
    browser: 'edge',
    format: 'reg',
    extensionId: chromiumId,
    installFrom: 'https://b.test/install/update.xml',
    places: [{ system: 'Windows', place: expect.any(String) }],
    policy: await readFile(out, 'utf8'),
  });
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  expect(written.stderr).toContain(`made for ${COLLECTOR}`);
}, 120_000);

test('a key that the collector of the data folder does not know is named; one of its own is not', async () => {
  const { data } = await packaged();
  const { token } = JSON.parse(
    (await runHere(['token', 'create', '--role', 'ingest', '--create', '--json', '--data', data])).stdout,
  );
  for (const [key, isUnknown] of [
    [token, false],
    [`${token}x`, true],
  ]) {
    const { code, stderr } = await runHere(['policy', 'chrome', '--key', key, '--data', data]);
    expect([code, stderr.includes('has no such key')]).toEqual([0, isUnknown]);
  }
});

test('from a web store: its id and its updates, without any package here', async () => {
  const data = await temporaryFolder();
  const id = 'abcdefghijklmnopabcdefghijklmnop';
  const { stdout, code } = await runHere([
    'policy',
    'edge',
    '--from-store',
    id,
    '--collector',
    COLLECTOR,
    '--key',
    'lb_ingest_x',
    '--data',
    data,
  ]);
  expect([code, JSON.parse(stdout).ExtensionInstallForcelist]).toEqual([
    0,
    [`${id};https://edge.microsoft.com/extensionwebstorebase/v1/crx`],
  ]);
});

test.runIf(process.platform !== 'win32')(
  'a policy holds a key: a file that was open to all is not any more',
  async () => {
    const { data } = await packaged();
    const file = join(data, 'policy.json');
    await writeFile(file, '{}');
    await chmod(file, 0o644);
    expect((await runHere(['policy', 'chrome', '--key', 'lb_ingest_x', '--out', file, '--data', data])).code).toBe(0);
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
  },
);

const KEY = ['--key', 'lb_ingest_x'];
test.each([
  [2, ['netscape', ...KEY], null],
  [2, ['chrome', '--format', 'ini', ...KEY], null],
  [2, ['chrome', '--share', '0.5', ...KEY], null],
  [2, ['chrome', '--share', '101', ...KEY], null],
  [2, ['chrome', '--share', '10', '--robot', ...KEY], null],
  [2, ['chrome'], /needs an ingest key/],
  [2, ['chrome', '--key', 'lb_read_x'], /token has the role read/],
  [2, ['chrome', '--key', 'ingest_x'], /does not begin with lb_ingest_/],
  [2, ['chrome', '--key', 'lb_ingest_x y'], /contains a space/],
  [2, ['chrome', '--site', 'a\nb', ...KEY], /control character/],
  [2, ['chrome', '--collector', 'ftp://x', ...KEY], /is not an address/],
  [2, ['chrome', '--allow-unsigned', ...KEY], /is for Firefox/],
  [2, ['chromium', '--format', 'intune', ...KEY], /no template for Intune/],
  [2, ['chrome', '--from-store', 'x', ...KEY], /not the id of a web store/],
  [2, ['firefox', '--from-store', 'abcdefghijklmnopabcdefghijklmnop', ...KEY], /is for Chrome and Edge/],
  [1, ['chrome', '--out', '/nowhere/x', ...KEY], /cannot be written/],
  [1, ['chrome', '--packages', '/nowhere', '--collector', COLLECTOR, ...KEY], /there are no packages in \/nowhere yet/],
  [1, ['chrome', '--packages', '/nowhere', ...KEY], /no packages in \/nowhere yet/],
] as const)('exit code %i for %j', async (code, args, message) => {
  const { data } = await packaged();
  const program = createProgram();
  for (const command of program.commands) command.configureOutput({ writeErr: () => {} });
  const error: unknown = await program.parseAsync(['node', 'lastbyte', 'policy', ...args, '--data', data]).then(
    () => null,
    (thrown) => thrown,
  );
  expect(error).not.toBeNull();
  if (message === null) expect(String(error)).toMatch(/Allowed choices|has to be 0 to 100|cannot be used with/);
  else expect([toExitCode(error), explain(error)]).toEqual([code, expect.stringMatching(message)]);
});
