import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../collector/store/sqlite/migrations.ts';
import { createNewcomerLimit } from '../../collector/store/sqlite/newcomer-limit.ts';
import { openDatabase } from '../../collector/store/sqlite/open-database.ts';
import { NOW } from '../unit/wire/arbitrary-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('the newcomer heard least and longest ago makes room; known browsers and other keys stay', async () => {
  const database = openDatabase({ file: join(await temporaryFolder(), 'lastbyte.sqlite'), maxBytes: null });
  onTestFinished(() => void database.close());
  migrate(database, () => {});
  const makeRoom = createNewcomerLimit(database, 3);
  const insert = database.prepare(
    `INSERT INTO browser (client, site, browser, browser_version, extension_version, first_at, last_at, clock_correction,
       status, key, standing) VALUES (?, '', 'chromium', '', '', ?, ?, 0, '', ?, ?)`,
  );
  const hear = (client: string, key: string, at: number, standing: number) => {
    const replaced = makeRoom(key, at);
    insert.run(client, at, at, key, standing);
    return replaced;
  };
  const listed = () => database.prepare('SELECT client FROM browser ORDER BY client').pluck().all();
  insert.run('known', NOW - 1000, NOW, 'leaked', 2);
  hear('other', 'other', NOW, 0);
  expect(hear('a-again', 'leaked', NOW, 1)).toBe(false);
  expect(hear('b', 'leaked', NOW + 1, 0)).toBe(false);
  expect(hear('c', 'leaked', NOW + 2, 0)).toBe(false);
  expect(hear('d', 'leaked', NOW + 3, 0)).toBe(true);
  expect(listed()).toEqual(['a-again', 'c', 'd', 'known', 'other']);
  // Those that are known by now no longer count, once they are counted again.
  database.prepare("UPDATE browser SET standing = 2 WHERE client = 'c'").run();
  expect(hear('e', 'leaked', NOW + 61_000, 0)).toBe(false);
  expect(listed()).toEqual(['a-again', 'c', 'd', 'e', 'known', 'other']);
});
