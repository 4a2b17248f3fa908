import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportCommand } from '../../collector/cli/report-command.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { FORMATS, REPORT_VIEWS } from '../../shared/settings/report-choices.ts';
import { validateSettings } from '../../shared/settings/validate-settings.ts';
import { IS_SHORT } from '../rounds.ts';
import { readPdf } from '../unit/report/pdf-text.ts';
import { runHere } from './command.ts';
import { fill } from './fill-store.ts';
import { goldenSamples } from './report-samples.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ONE_LINE = /^lastbyte: [^\n]+\n$/;
let data = '';
let out = '';

beforeAll(async () => {
  const folder = () => mkdtemp(join(tmpdir(), 'lastbyte-test-'));
  [data, out] = await Promise.all([folder(), folder()]);
  const store = await openStore({ folder: data, as: 'command' });
  await fill(store, goldenSamples());
  await store.close();
});

afterAll(() => Promise.all([data, out].map((folder) => rm(folder, { recursive: true, force: true }))));

const report = (...args: string[]) => runHere(['report', '--month', '2026-02', '--data', data, ...args]);

test('the monthly report is text on standard output unless told otherwise', async () => {
  const { code, stdout, stderr } = await report();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^February 2026\n=+\nEnd-user experience report, 2026-02-01 to 2026-02-28/);
  expect(stdout.replace(/\s+/g, ' ')).toContain('within 10 ms. The average is 13 ms.');
  const { whole } = JSON.parse((await report('--json')).stdout);
  expect(whole.phases.ttlb).toMatchObject({ n: 1000, median: 10, mean: 12.99 });
});

test.skipIf(IS_SHORT)('--out writes what its name says, whole, and the same each time', async () => {
  const folder = join(out, 'folder');
  await mkdir(folder);
  const files = [join(out, 'a.pdf'), join(out, 'b.pdf'), join(out, 'a.html'), join(out, 'a.csv'), folder];
  for (const file of files) {
    const { code, stdout, stderr } = await report('--out', file);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^Wrote .*\n$/);
  }
  expect((await readdir(out)).sort()).toEqual(['a.csv', 'a.html', 'a.pdf', 'b.pdf', 'folder']);
  expect(await readdir(folder)).toEqual(['lastbyte-monthly-2026-02-28.txt']);
  const [first, second] = await Promise.all([readFile(join(out, 'a.pdf')), readFile(join(out, 'b.pdf'))]);
  expect(first.equals(second)).toBe(true);
  expect(readPdf(first).pages.flat()).toContain('February 2026');
});

test('what cannot be written is said in one line, and no half file is left', async () => {
  const folder = await temporaryFolder();
  const { code, stderr } = await report('--out', join(folder, 'missing/report.html'));
  expect([code, await readdir(folder)]).toEqual([1, []]);
  expect(stderr).toMatch(ONE_LINE);
});

test.runIf(existsSync('/dev/full'))('a full disk is said, and nothing takes the place of a device', async () => {
  const { code, stderr } = await report('--format', 'html', '--out', '/dev/full');
  expect(code).toBe(1);
  expect(stderr).toMatch(/disk is full/);
  expect(existsSync('/dev/full')).toBe(true);
});

test.each([
  [['--view', 'tea-leaves'], 'scenarios'],
  [['--format', 'docx'], 'html'],
  [['--out', 'report.docx'], 'html, htm, pdf, csv, json, md, markdown, txt'],
  [['--outliers', 'some'], 'tukey'],
  [['--business-hours', 'nine to five'], 'Mon-Fri 08:00-18:00'],
  [['--filter', 'colour=red'], 'host'],
  [['--from', 'yesterday'], 'RFC 3339'],
  [['--json', '--format', 'pdf'], 'one of them'],
  [['--view', 'scenarios', '--min-n', '3'], 'template'],
])('%j is a usage error that lists what is valid', async (args, valid) => {
  const { code, stdout, stderr } = await runHere(['report', '--data', data, ...args]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(valid);
  expect(stderr).not.toContain('    at ');
});

test('--runs says that nothing is scheduled', async () => {
  expect(JSON.parse((await report('--runs', '--json')).stdout)).toEqual({ reports: [], runs: [] });
  expect((await report('--runs')).stderr).toContain('docs/reports.md');
});

test('docs/reports.md has every view, format and option, and its settings are valid', async () => {
  const doc = await readFile('docs/reports.md', 'utf8');
  for (const view of REPORT_VIEWS) expect(doc).toContain(`| \`${view}\` |`);
  for (const format of FORMATS) expect(doc).toContain(`| \`${format}\` |`);
  const options = reportCommand().options.map(({ long }) => long ?? '');
  const elsewhere = ['--time', '--include', '--above', '--data', '--json'];
  for (const option of options.filter((name) => !elsewhere.includes(name))) expect(doc).toContain(option);
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(doc) ?? [];
  expect(validateSettings(JSON.parse(example))).toMatchObject({ ok: true });
});
