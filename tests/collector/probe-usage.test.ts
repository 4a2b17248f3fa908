import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runHere } from './command.ts';

const URL = 'https://app.test/4k';

test.each<[string, readonly string[], RegExp]>([
  ['no address', ['probe', 'erp.example.com/logo.png'], /is not an address\. Include the scheme: https:\/\//],
  ['another scheme', ['probe', 'ftp://erp.example.com/'], /is not an address\. Include the scheme/],
  [
    'a user and a password',
    ['probe', 'https://me:secret@app.test/'],
    /names a user\. Leave out everything up to the @/,
  ],
  ['nothing', ['probe'], /missing required argument 'url'/],
  [
    'twice the same scheme',
    ['probe', URL, '--other', 'https://b.test/'],
    /--other has the same scheme\. .* http or https/,
  ],
  ['no repetitions', ['probe', URL, '--n', '0'], /It has to be 1 to 500/],
  ['half a repetition', ['probe', URL, '--n', '1.5'], /It has to be 1 to 500/],
  ['a load test', ['probe', URL, '--n', '501'], /It has to be 1 to 500/],
  ['an unknown browser', ['probe', URL, '--browser', 'lynx'], /Allowed choices are chromium, firefox/],
  ['a proxy of another kind', ['probe', URL, '--proxy', 'http://proxy:8080'], /It has the form socks5:\/\/host:port/],
  ['a delay that is none', ['target', '--round-trip', 'fast'], /It has to be 0 to 60000/],
])('%s is a wrong call, and what would be right is said', async (_, args, message) => {
  const { code, stdout, stderr } = await runHere(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
});

test('a file that is no certificate is named before any browser starts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-probe-usage-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'key.pem');
  await writeFile(file, '-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n');
  const wrong = await runHere(['probe', URL, '--ca', file]);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/key\.pem holds no certificate\. Give --ca /)]);
  const missing = await runHere(['probe', URL, '--ca', join(folder, 'none.pem')]);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/none\.pem cannot be read \(ENOENT\)\. Give --ca /),
  ]);
});
