import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../collector/cli/program.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { arbitrarySample } from '../unit/wire/arbitrary-sample.ts';
import { makeKey, run, type Served, startServing, stop } from './command.ts';
import { fill } from './fill-store.ts';
import { startFolder } from './start-folder.ts';

/** Commands that are not run here but only taken apart, and why. */
const ONLY_PARSED: readonly (readonly [RegExp, string])[] = [
  [/lastbyte (serve|demo|target)\b/, 'runs until Ctrl-C: serve.test.ts, demo.test.ts and load.test.ts start them'],
  [/^npm |^git |^rm /, 'works on the repository itself'],
  [/\bsudo |^createuser /, 'changes the machine'],
  [/^docker /, 'needs an engine for containers'],
  [/web-ext sign/, 'needs an account at Mozilla'],
  [/lastbyte (probe|load|journey)\b/, 'needs the app that it names: probe-command, load and journey tests have one'],
  [/clickhouse:/, 'needs ClickHouse: clickhouse-migrate.test.ts has one'],
  [/lastbyte doctor\b/, 'asks the address in the packages, which is nobody’s here: doctor.test.ts has a collector'],
  [/data\/demo/, 'needs what the demo has measured'],
  [/alert test/, 'needs a webhook and a mail server: alerts.test.ts has them'],
  [/^node packaging/, 'works on the repository itself: source-package.test.ts'],
  [/^node dist/, 'the same as lastbyte, for whoever has the repository'],
  [/^mv web-ext-artifacts/, 'needs a signed package'],
];
/** Programs that may run besides `lastbyte`; a command with another one fails until it is excepted above. */
const MAY_RUN = ['cat', 'curl', 'openssl'];
/** Programs of the system, of which only the shell's syntax is checked. */
const OF_THE_SYSTEM = ['cat', 'cp', 'createdb', 'createuser', 'docker', 'git', 'mv', 'rm'];
const AS_ROOT = ['apt', 'chmod', 'chown', 'cp', 'install', 'systemctl'];
const PAGES = [
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'README.md',
  'CONTRIBUTING.md',
];
const COMMANDS = PAGES.flatMap(commandsIn);

/** Each command of the shell blocks: with its continued lines and here-documents, without a time of cron. */
function commandsIn(page: string): { page: string; line: string }[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm);
  return Array.from(blocks).flatMap(([, indent = '', block = '']) => {
    const text = block.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim();
    const lines = text.match(/^.*<<'END'\n[\s\S]*?\nEND$|^(?:.*\\\n)*.+$/gm) ?? [];
    return lines
      .filter((line) => !/^(#|cd )/.test(line))
      .map((line) => ({ page, line: line.replace(/^(?:[\d*/]+ ){5}/, '') }));
  });
}

const reasonToParse = (line: string) => ONLY_PARSED.find(([pattern]) => pattern.test(line))?.[1];
const made = startFolder();
let folder: string;
let server: Served;
/** What documents leave out. */
let secrets: Record<'ingest' | 'read' | 'admin', string>;

beforeAll(async () => {
  folder = await made.made();
  for (const name of ['run', 'record', 'old']) await mkdir(join(folder, name));
  await program('run/lastbyte', `exec '${process.execPath}' '${resolve('dist/lastbyte.mjs')}' "$@"`);
  await program('run/npx', 'exec "$@"');
  await program('run/crx3', `exec '${process.execPath}' '${resolve('node_modules/.bin/crx3')}' "$@"`);
  for (const name of MAY_RUN) await program(`run/${name}`, `PATH='${process.env.PATH}' exec ${name} "$@"`);
  const words = `require('fs').appendFileSync('recorded', JSON.stringify(process.argv.slice(1)) + '\\n')`;
  for (const name of ['lastbyte', 'npx', 'npm', 'node', 'sudo', ...OF_THE_SYSTEM]) {
    await program(`record/${name}`, `exec '${process.execPath}' -e "${words}" -- ${name} "$@"`);
  }
  for (const name of ['dist', 'docs']) await symlink(resolve(name), join(folder, name));
  await copyFile('tests/fixtures/har/server-timing.har', join(folder, 'old/one.har'));
  const data = join(folder, 'data');
  const store = await openStore({ folder: data, as: 'server', create: true });
  const now = Date.now();
  await fill(
    store,
    fc.sample(arbitrarySample, { seed: 4, numRuns: 200 }).map((sample) => ({ ...sample, at: now - 60_000 })),
  );
  await store.close();
  await writeFile(
    join(folder, 'settings.json'),
    /<<'END'\n([\s\S]*?)\nEND/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '',
  );
  const key = async (role: string) => (await makeKey(data, role)).token;
  secrets = { ingest: await key('ingest'), read: await key('read'), admin: await key('admin') };
  await run(['settings', 'apply', join(folder, 'settings.json'), '--data', data]);
  await run(['package', '--collector', 'https://lastbyte.example.com', '--data', data]);
  server = await startServing(data);
});

afterAll(async () => {
  await stop(server);
  await made.remove();
});

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}

/** With keys, addresses and ports that exist, and without what a reader adds. */
function filledIn(line: string): string {
  const filled = line
    .replaceAll(/lb_(ingest|read|admin)_…/g, (_, role: keyof typeof secrets) => secrets[role])
    .replace('STORE_ID', 'abcdefghijklmnopabcdefghijklmnop')
    .replaceAll('<port>', '8443')
    .replace(/ …$/, '');
  return /^curl\b/.test(line) ? filled.replace(/https?:\/\/[\w.]+(:\d+)?/, server.url) : filled;
}

async function shell(line: string, programs: 'run' | 'record'): Promise<string> {
  const env = { PATH: join(folder, programs), TOKEN: secrets.read, LASTBYTE_INGEST_KEY: secrets.ingest };
  const { stderr } = await promisify(execFile)('/bin/sh', ['-euc', filledIn(line)], { cwd: folder, env });
  return stderr;
}

/** `lastbyte`, whose commands do nothing. */
function idleProgram(command: Command = createProgram()): Command {
  command.configureOutput({ writeErr: () => {}, writeOut: () => {} });
  if (command.commands.length === 0) command.action(() => {});
  for (const child of command.commands) idleProgram(child);
  return command;
}

/** Takes apart one call that the shell would have made. */
async function check([program = '', ...words]: readonly string[]): Promise<unknown> {
  const [first = '', ...rest] = words;
  if (program === 'lastbyte') return idleProgram().parseAsync(words, { from: 'user' });
  if (program === 'npx' && first === 'web-ext') return checkWebExt(rest);
  if (program === 'npx') return check(words);
  if (program === 'node' && first === 'dist/lastbyte.mjs') return check(['lastbyte', ...rest]);
  if (program === 'node') return expect(existsSync(first)).toBe(true);
  if (program === 'sudo') return first === '-u' ? check(rest.slice(1)) : expect(AS_ROOT).toContain(first);
  if (program === 'docker' && words.includes('exec')) return check(words.slice(words.lastIndexOf('lastbyte')));
  if (program === 'npm') return checkNpm(words);
  return expect(OF_THE_SYSTEM).toContain(program);
}

async function checkWebExt([command = '', ...words]: readonly string[]): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    'node_modules/web-ext/bin/web-ext.js',
    command,
    '--help',
  ]);
  for (const word of words.filter((word) => word.startsWith('--'))) expect(stdout).toContain(`${word} `);
}

async function checkNpm(words: readonly string[]): Promise<unknown> {
  const at = words.indexOf('--prefix');
  const prefix = at < 0 ? '.' : (words[at + 1] ?? '');
  const [command = '', ...rest] = words.filter((_, place) => at < 0 || (place !== at && place !== at + 1));
  if (['ci', 'install', 'pack'].includes(command)) return;
  const { scripts } = JSON.parse(await readFile(join(prefix, 'package.json'), 'utf8'));
  const name = command === 'run' ? (rest[0] ?? '') : command;
  expect(scripts).toHaveProperty([name]);
  const started = { start: 'serve', demo: 'demo' }[name];
  return started === undefined
    ? undefined
    : check(['lastbyte', started, ...(rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : [])]);
}

test('each exception is a command of some document, and no command is outside of a shell block', () => {
  expect(COMMANDS.length).toBeGreaterThan(60);
  const lines = COMMANDS.map(({ line }) => line);
  expect(ONLY_PARSED.filter(([pattern]) => !lines.some((line) => pattern.test(line)))).toEqual([]);
  const unmarked = PAGES.flatMap((page) => readFileSync(page, 'utf8').match(/^```\n(npx|npm|lastbyte) .*/gm) ?? []);
  expect(unmarked).toEqual([]);
});

describe('each command that a document shows works', () => {
  test.each(COMMANDS.filter(({ line }) => reasonToParse(line) === undefined))('$page: $line', async ({ line }) => {
    expect(await shell(line, 'run')).not.toMatch(/error/i);
  });
});

describe('each command that cannot be run here is one that the program understands', () => {
  test.each(COMMANDS.filter(({ line }) => reasonToParse(line) !== undefined))('$page: $line', async ({ line }) => {
    await rm(join(folder, 'recorded'), { force: true });
    await shell(line, 'record');
    const calls = (await readFile(join(folder, 'recorded'), 'utf8')).trim().split('\n');
    for (const call of calls) await check(JSON.parse(call));
  });
});

test('each command that a sentence names exists, with the options that it names', () => {
  const unknown = PAGES.flatMap((page) => {
    const spans = readFileSync(page, 'utf8').matchAll(/`(?:npx )?lastbyte ([a-z][^`\n]*)`/g);
    return Array.from(spans).flatMap(([span, rest = '']) => (isKnown(rest.split(' ')) ? [] : `${page}: ${span}`));
  });
  expect(unknown).toEqual([]);
});

function isKnown([name, ...words]: readonly string[]): boolean {
  const command = createProgram().commands.find((one) => one.name() === name);
  if (command === undefined) return false;
  const child = command.commands.find((one) => one.name() === words[0]);
  // `lastbyte annotate TEXT` leaves out the name of the child that it means.
  const options = (child === undefined ? [command, ...command.commands] : [child]).flatMap((one) => one.options);
  const known = [...options.map(({ long }) => long), '--help'];
  return words.filter((word) => word.startsWith('--')).every((word) => known.includes(word.replace(/[,.]$/, '')));
}
