import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { runHere } from './command.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A process takes a second, or ten on a busy machine. */
const MANY_PROCESSES_MS = 120_000;
const DAY = ['--from', '2026-03-01T00:00:00Z', '--to', '2026-03-02T00:00:00Z'];

async function dataFolder(samples = 3): Promise<string> {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command' });
  await fill(
    store,
    Array.from({ length: samples }, () => PLAIN_SAMPLE),
  );
  await store.close();
  return folder;
}

test(
  'writes samples to standard output, and to a file that only its owner may read',
  async () => {
    const data = await dataFolder();
    const printed = await runHere(['export', ...DAY, '--format', 'ndjson', '--data', data]);
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    expect(printed.stdout.trimEnd().split('\n')).toHaveLength(3);

    const file = join(data, 'march.csv');
    const written = await runHere([
      'export',
      ...DAY,
      '--filter',
      'target=erp',
      '--out',
      file,
      '--json',
      '--data',
      data,
    ]);
    const content = await readFile(file);
    expect(JSON.parse(written.stdout)).toEqual({ file, rows: 3, bytes: content.length });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  },
  MANY_PROCESSES_MS,
);

test.each([
  [['--format', 'xlsx'], 'csv, ndjson, parquet, har'],
  [['--from', 'yesterday'], 'RFC 3339'],
  [['--filter', 'colour=red'], 'host, type, connection'],
  [['--filter', 'type=potato'], 'document, script'],
  [['--filter', 'not.type=potato'], 'document, script'],
  [['--filter', 'not.colour=red'], 'not.dimension=value'],
  [['--json'], '--json needs --out'],
])('%j is a usage error that lists what there is', async (args, hint) => {
  const { code, stdout, stderr } = await runHere(['export', ...args, '--data', await dataFolder()]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(hint);
});

test(
  'what cannot be written is said, and nothing is left behind',
  async () => {
    const data = await dataFolder();
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), 'as it was');
    for (const out of [join(folder, 'no', 'x.csv'), join(folder, 'file', 'x.csv'), folder]) {
      const { code, stderr } = await runHere(['export', ...DAY, '--out', out, '--data', data]);
      expect({ out, code }).toEqual({ out, code: 1 });
      expect(stderr).toMatch(/^lastbyte: .* cannot be written \(E[A-Z]+\)\. /);
    }
    expect(await readdir(folder)).toEqual(['file']);
  },
  MANY_PROCESSES_MS,
);

test('a disk that fills up in the middle leaves the file as it was', async () => {
  const data = await dataFolder(4000);
  const folder = await temporaryFolder();
  const file = join(folder, 'samples.ndjson');
  await writeFile(file, 'as it was');
  // A limit of 64 KB to any file: what a full disk does, without one.
  const command = `ulimit -f 64; exec "$0" dist/lastbyte.mjs export "$@"`;
  const args = [...DAY, '--format', 'ndjson', '--out', file, '--data', data];
  const child = spawn('bash', ['-c', command, process.execPath, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)]);
  expect(code).toBe(1);
  expect(stderr).toContain('cannot be written (EFBIG)');
  expect(await readdir(folder)).toEqual(['samples.ndjson']);
  expect(await readFile(file, 'utf8')).toBe('as it was');
});
