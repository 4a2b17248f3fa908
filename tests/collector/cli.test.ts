import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeKey, run, runHere } from './command.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ONE_LINE = /^lastbyte: [^\n]+\n$/;

const COMMANDS = [
  ['serve'],
  ['token'],
  ['token', 'create'],
  ['token', 'list'],
  ['token', 'revoke'],
  ['settings'],
  ['settings', 'show'],
  ['settings', 'check'],
  ['settings', 'apply'],
  ['annotate'],
  ['annotate', 'list'],
  ['annotate', 'remove'],
  ['report'],
  ['target'],
  ['probe'],
  ['package'],
];

test.each(COMMANDS.map((words) => [words.join(' '), words] as const))(
  '%s --help has an example',
  async (name, words) => {
    const { code, stdout, stderr } = await runHere([...words, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`Example:\\n  lastbyte ${name}`));
  },
);

test('--help lists the commands, --version says one', async () => {
  expect((await run(['--help'])).stdout).toMatch(/serve[\s\S]*token[\s\S]*settings[\s\S]*report/);
  expect(await run(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

test.each([
  [['token', 'create']],
  [['token', 'create', '--role', 'root']],
  [['fly']],
  [['serve', '--port', '70000']],
  [['report', '--view', 'tea-leaves']],
  [['report', '--from', 'yesterday']],
  [['report', '--last', 'week']],
  [['report', '--last', '7d', '--from', '2026-11-01']],
  [['report', '--from', '2026-02-30']],
  [['report', '--filter', 'browser=opera']],
  [['report', '--filter', 'host=https://x/']],
  [['export', '--last', '7 days']],
  [['export', '--from', '2026-11-01', '--zone', 'Europe/Bonn']],
  [['report', '--by', 'colour']],
  [['annotate']],
  [['annotate', 'two\nlines']],
  [['annotate', 'release', '--at', 'noon']],
  [['annotate', 'release', '--host', 'https://erp.example.com/']],
  [['report', '--filter', 'type:script']],
  [['settings', 'check']],
  [['probe']],
])('%j is a usage error: exit code 2, nothing on standard output', async (args) => {
  const { code, stdout, stderr } = await runHere(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/\S/);
  expect(stderr).not.toContain('    at ');
});

test.each([
  ['<url>', ['https://169.254.169.254/latest/meta-data']],
  ['<url>', ['http://[fe80::1]/']],
  ['--other', ['https://127.0.0.1/', '--other', 'http://2852039166/']],
  ['--proxy', ['https://127.0.0.1/', '--proxy', 'socks5://169.254.169.254:1080']],
])('probe refuses %s %j', async (option, args) => {
  // No browser starts, even if it were not refused.
  const { code, stdout, stderr } = await runHere(['probe', ...args, '--ca', '/no/such/file']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(new RegExp(`^lastbyte: ${option} leads to .*metadata`));
});

test('a mistyped data folder is said to hold nothing, and stays as it was', async () => {
  const data = join(await temporaryFolder(), 'typo');
  for (const args of [
    ['report'],
    ['token', 'list'],
    ['token', 'create', '--role', 'read'],
    ['settings', 'show'],
    ['check'],
  ]) {
    const { code, stdout, stderr } = await runHere([...args, '--data', data]);
    expect([args, code, stdout]).toEqual([args, 1, '']);
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain(`there is no collector data in ${data}`);
    expect(stderr).toMatch(/--data\. .*lastbyte serve.* --create/);
  }
  expect(existsSync(data)).toBe(false);
});

test('settings apply and token create name their folder, and make it with --create', async () => {
  const data = join(await temporaryFolder(), 'new');
  const applied = await run(['settings', 'apply', '-', '--data', data, '--create'], '{"version":1,"targets":[]}');
  expect(applied).toMatchObject({ code: 0, stderr: `Applied as revision 1 in ${data}.\n` });
  expect((await run(['token', 'create', '--role', 'read', '--data', data])).stderr).toContain(`the data in ${data}`);
});

test.runIf(existsSync('/proc'))('a folder in which nothing can be made ends the command at once', async () => {
  const { code, stderr } = await run(['serve', '--port', '0', '--data', '/proc/lastbyte/data']);
  expect(code).toBe(1);
  expect(stderr).toMatch(ONE_LINE);
});

test('all that is wrong with a settings file is said, for people and as data', async () => {
  const file = join(await temporaryFolder(), 'settings.json');
  await writeFile(file, '{"version":1,"targets":[{"id":"BAD ID","name":"","match":["<all_urls>"]}]}');
  const people = await runHere(['settings', 'check', file]);
  expect([people.code, people.stdout]).toEqual([1, '']);
  for (const place of ['/targets/0/id', '/targets/0/name']) expect(people.stderr).toContain(place);
  const data = await runHere(['settings', 'check', file, '--json']);
  expect(data.code).toBe(1);
  const { ok, problems } = JSON.parse(data.stdout) as { ok: boolean; problems: { path: string }[] };
  expect([ok, problems.map(({ path }) => path)]).toEqual([false, ['/targets/0/id', '/targets/0/name']]);
});

test('tokens: made, listed without their secret, revoked', async () => {
  const data = await temporaryFolder();
  const { id, token } = await makeKey(data, 'read');
  const plain = await run(['token', 'create', '--role', 'admin', '--label', 'me', '--data', data]);
  expect(plain.stdout).toMatch(/^lb_admin_\S{43}\n$/);

  const listed = await run(['token', 'list', '--data', data, '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { id, role: 'read', label: '' },
    { role: 'admin', label: 'me' },
  ]);
  for (const secret of [token, plain.stdout.trim()]) expect(listed.stdout).not.toContain(secret);
  expect(JSON.parse((await run(['token', 'revoke', id, '--data', data, '--json'])).stdout)).toEqual({
    id,
    revoked: true,
  });
  const again = await run(['token', 'revoke', id, '--data', data, '--json']);
  expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
});

test('settings: a bad file is one line with place and fix, exit code 1, and nothing is applied', async () => {
  const data = await temporaryFolder();
  const file = join(data, 'settings.json');
  const faults: [string, RegExp][] = [
    ['{"version":1,', /is not JSON/],
    ['{"version":1,"targets":[],"tragets":[]}', /unknown name tragets/],
    ['{"version":1,"targets":[{"id":"a","name":"A","match":["*://*/*"]}]}', /\/targets\/0\/match\/0/],
  ];
  for (const [content, message] of faults) {
    await writeFile(file, content);
    for (const words of [
      ['settings', 'check', file],
      ['settings', 'apply', file, '--data', data],
    ]) {
      const failed = await runHere(words);
      expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
      expect(failed.stderr).toMatch(message);
    }
  }
  const missing = await runHere(['settings', 'check', join(data, 'nowhere.json')]);
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/nowhere\.json cannot be read/) });
  await makeKey(data, 'read');
  expect(JSON.parse((await run(['settings', 'show', '--data', data])).stdout)).toEqual({ version: 1, targets: [] });
});

test('annotate notes what happened, lists it and removes it', async () => {
  const data = await temporaryFolder();
  await run(['token', 'create', '--role', 'admin', '--data', data, '--create']);
  const annotate = (...args: string[]) => runHere(['annotate', ...args, '--data', data]);
  const day = await annotate('release 4.2', '--at', '2026-03-01', '--zone', 'Europe/Berlin', '--json');
  const added = JSON.parse(day.stdout);
  expect(added).toMatchObject({ at: '2026-02-28T23:00:00.000Z', text: 'release 4.2', author: 'command line' });
  // A text that is the name of a subcommand.
  expect(await annotate('add', 'list', '--at', '2026-03-05')).toMatchObject({ code: 0, stdout: '' });
  expect((await annotate('list')).stdout.split('\n')).toEqual([
    `${added.id}  2026-02-28T23:00:00.000Z  release 4.2`,
    expect.stringMatching(/2026-03-05T00:00:00\.000Z {2}list$/),
    '',
  ]);
  const later = await annotate('list', '--from', '2026-03-02', '--json');
  expect(JSON.parse(later.stdout)).toMatchObject([{ text: 'list' }]);
  const stranger = await annotate('release', '--app', 'erp');
  expect([stranger.code, stranger.stderr]).toEqual([2, expect.stringContaining('there is no app erp')]);
  expect((await annotate('remove', added.id)).code).toBe(0);
  expect((await annotate('remove', added.id)).code).toBe(1);
});
