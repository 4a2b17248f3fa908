import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { SummaryDocument } from '../../collector/analysis/summary/summary-document.ts';
import { runExport } from '../../collector/exchange/export/run-export.ts';
import { SEES_EVERYTHING } from '../../collector/questions/viewer-rule.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import { arbitrarySample, NOW } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

const PAGE = readFileSync('docs/data.md', 'utf8');
const STATEMENTS = Array.from(PAGE.matchAll(/^```sql\n([\s\S]*?)\n```$/gm), ([, sql = '']) => sql);
const RANGE = { from: NOW - 8 * 24 * 3_600_000, to: NOW + 1 };

/** A store with samples, and the folder that `samples.parquet` was exported to. */
async function exportedSamples(): Promise<{ store: Store; folder: string }> {
  const folder = await temporaryFolder();
  const store = await openStore({ folder: await temporaryFolder(), as: 'server', clock: () => NOW });
  onTestFinished(() => store.close());
  await fill(store, fc.sample(arbitrarySample, { seed: 4, numRuns: 300 }), { client: browserId(1) });
  const { bytes } = await runExport(
    { store, version: '1', viewer: SEES_EVERYTHING },
    { format: 'parquet', range: RANGE, filters: {} },
  );
  await writeFile(join(folder, 'samples.parquet'), bytes);
  return { store, folder };
}

/** The rows of each statement, all in one session. */
async function answers(folder: string): Promise<Record<string, unknown>[][]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const all: Record<string, unknown>[][] = [];
  for (const sql of STATEMENTS) {
    const here = sql.replaceAll(/'(samples\.parquet|hours\.csv)'/g, (_, name) => `'${join(folder, name)}'`);
    // So many requests of a group are more than these samples have.
    const reader = await connection.runAndReadAll(here.replace('HAVING n >= 33', ''));
    all.push(reader.getRowObjectsJson() as Record<string, unknown>[]);
  }
  connection.closeSync();
  instance.closeSync();
  return all;
}

test('every statement runs and finds something, and the last one writes the columns of a chart', async () => {
  const { folder } = await exportedSamples();
  const [view, ...rows] = await answers(folder);
  expect(view).toEqual([]);
  expect(rows).toHaveLength(11);
  for (const [place, found] of rows.entries()) expect(found, STATEMENTS[place + 1]).not.toEqual([]);
  expect(await readFile(join(folder, 'hours.csv'), 'utf8')).toMatch(/^hour,median,average\n\d{4}-/);
});

test('the first answer has the medians and averages of the summary', async () => {
  const { store, folder } = await exportedSamples();
  const app = await testApp({ store });
  const period = `from=${new Date(RANGE.from).toISOString()}&to=${new Date(RANGE.to).toISOString()}`;
  const answer = await app.send({ url: `/api/v1/summary?${period}`, as: 'admin' });
  const { cells } = answer.json<SummaryDocument>();
  const expected = cells.flatMap(({ host, type, phases: { ttlb } }) =>
    ttlb === null ? [] : [[host, type, ttlb.n, ttlb.median, ttlb.mean.toFixed(6)]],
  );
  expect(expected.length).toBeGreaterThan(3);
  const [, rows = []] = await answers(folder);
  const found = rows.map(({ host, type, n, median, average }) => [
    host,
    type,
    Number(n),
    median,
    Number(average).toFixed(6),
  ]);
  expect(found.filter(([, , n]) => n !== 0)).toEqual(expected);
});
