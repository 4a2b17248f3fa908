import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../collector/storage/sqlite/open-database.ts';
import { temporaryFolder } from './temporary-folder.ts';

const MAX_BYTES = 2 ** 20;

function boundsOf(file: string): Readonly<Record<'page' | 'log' | 'most', number>> {
  const database = openDatabase({ file, maxBytes: MAX_BYTES });
  onTestFinished(() => {
    database.close();
  });
  const read = (pragma: string) => database.pragma(pragma, { simple: true }) as number;
  const page = read('page_size');
  return { page, log: read('wal_autocheckpoint') * page, most: read('max_page_count') * page };
}

test('a new database has pages of 16 KB, and one from before keeps its own: the log and the whole may be as large', async () => {
  const folder = await temporaryFolder();
  const before = new Database(join(folder, 'before.sqlite'));
  before.pragma('page_size = 4096');
  before.exec('CREATE TABLE something (id INTEGER PRIMARY KEY)');
  before.close();
  expect(boundsOf(join(folder, 'new.sqlite'))).toEqual({ page: 16_384, log: 2 ** 27, most: MAX_BYTES });
  expect(boundsOf(join(folder, 'before.sqlite'))).toEqual({ page: 4096, log: 2 ** 27, most: MAX_BYTES });
});
