import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runHere } from './command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lastbyte-journey-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open = { type: 'navigate', url: 'https://erp.example.com/' };
const password = { type: 'change', selectors: ['#a'], value: '{{password}}' };

async function file(name: string, content: string): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

test.each([
  ['no JSON', 'title: x', /is not JSON\. In the Recorder panel choose Export, then JSON\./],
  [
    'a step that runs code',
    { title: 'x', steps: [open, { type: 'customStep' }] },
    /cannot run\. \n {2}step 2: customStep is code/,
  ],
  ['no steps', { title: 'x', steps: [] }, /\/steps: .*Correct the value; docs\/journeys\.md/],
  ['an address of a cloud', { title: 'x', steps: [{ ...open, url: 'http://169.254.169.254/' }] }, /169\.254\.169\.254/],
  [
    'no password',
    { title: 'x', steps: [open, password] },
    /no value for password\. Give each: --var-file password=PATH or LASTBYTE_VAR_password/,
  ],
])('exit code 2 for %s', async (name, content, message) => {
  const path = await file(`${name}.json`, typeof content === 'string' ? content : JSON.stringify(content));
  const { code, stdout, stderr } = await runHere(['journey', 'run', path]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
});

test('a secret on the command line is refused, and not repeated', async () => {
  const path = await file('order.json', JSON.stringify({ title: 'x', steps: [open, password] }));
  const { code, stderr } = await runHere(['journey', 'run', path, '--var-file', 'hunter2']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/is not of the form name=path/)]);
  expect(stderr).not.toContain('hunter2');
});

test('names each file that cannot be read', async () => {
  vi.stubEnv('LASTBYTE_VAR_password', 'x');
  const path = await file('order.json', JSON.stringify({ title: 'x', steps: [open, password] }));
  const missing = await runHere(['journey', 'run', path, '--var-file', `password=${folder}/none`]);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringMatching(/none cannot be read \(ENOENT\)/)]);
  vi.unstubAllEnvs();
  expect((await runHere(['journey', 'run', `${folder}/none.json`])).stderr).toMatch(/none\.json cannot be read/);
});

test('a browser that does not start is named with what to do', async () => {
  vi.stubEnv('LASTBYTE_CHROMIUM', process.execPath);
  const path = await file(
    'open.json',
    JSON.stringify({ title: 'x', steps: [{ ...open, url: 'http://127.0.0.1:9/' }] }),
  );
  const { code, stderr } = await runHere(['journey', 'run', path, '--browser', 'chromium']);
  vi.unstubAllEnvs();
  expect([code, stderr]).toEqual([1, expect.stringMatching(/node could not be started: .*[^.]\. Start it by hand /)]);
});
