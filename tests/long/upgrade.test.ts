import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { startPostgres, WHY_NOT } from '../collector/postgres-server.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { chdbAbsent } from '../programs/chdb-folder.mjs';
import { IS_SHORT } from '../rounds.ts';
import { askRelease, LAST_DAY, untilForwarded } from '../upgrades/ask-release.ts';
import { startClickHouseIn } from '../upgrades/clickhouse-database.ts';
import { compareAnswers, type Difference } from '../upgrades/compare-answers.ts';
import { KNOWN, type KnownDifference } from '../upgrades/known-differences.ts';
import { readCompressed, unpackFolder } from '../upgrades/pack-folder.ts';
import type { RecordedFolder } from '../upgrades/recorded.ts';
import { type Release, runRelease, serveRelease } from '../upgrades/release.ts';

const RECORDED = 'tests/fixtures/upgrades';
const TODAY: Release = { root: '.', node: process.execPath };
const FOLDERS = readdirSync(RECORDED).filter((name) => /-(sqlite|clickhouse|postgres)$/.test(name));
/** What the server may say: that it migrates, who runs alerts, and that settings which today's rules refuse are not followed. */
const SAID = [
  /^lastbyte: copying the database \(1 MB\) to .* before migrating it /,
  /^lastbyte: this collector runs the alerts and scheduled reports$/,
  /^lastbyte: settings \/probes\/schedule\/1\/steps\/0\/text: the probe signed-in /,
];

/** Appended to the names of tests whose engine is absent. */
function whyNot(name: string): string {
  const absent = IS_SHORT ? 'run npm run test:nightly' : chdbAbsent();
  if (name.endsWith('-clickhouse')) return absent === null ? '' : ` (${absent})`;
  return name.endsWith('-postgres') ? WHY_NOT : '';
}

describe('what an earlier release stored', () => {
  const met = new Set<KnownDifference>();
  let completed = 0;

  const runnable = FOLDERS.filter((name) => whyNot(name) === '');
  for (const name of FOLDERS) {
    const title = `${name} gives the same answers, and is intact${whyNot(name)}`;
    test.skipIf(!runnable.includes(name))(title, () => verify(name));
  }

  async function verify(name: string): Promise<void> {
    const [release = '', kind] = name.split('-');
    const folder = await temporaryFolder();
    const file = (part: string) => join(RECORDED, name, `${part}.br`);
    await unpackFolder(file('data.tar'), folder);
    const recorded = await readCompressed<RecordedFolder>(file('recorded.json'));
    const now = Date.parse(recorded.now);
    const place = ['--data', join(folder, 'data')];
    const samples: string[] = [];
    if (kind === 'clickhouse') {
      const clickHouse = await startClickHouseIn(await temporaryFolder());
      onTestFinished(() => clickHouse.end());
      await unpackFolder(file('tables.tar'), folder);
      await clickHouse.restore(join(folder, 'tables'));
      samples.push('--samples', clickHouse.address);
    }
    if (kind === 'postgres') {
      const postgres = await startPostgres();
      onTestFinished(() => postgres.remove());
      const control = await postgres.createDatabase();
      const client = await postgres.connect(control);
      await client.query(brotliDecompressSync(await readFile(file('control.sql'))).toString());
      await client.end();
      place.push('--control', control);
    }

    const server = await serveRelease(TODAY, now, [...place, ...samples]);
    onTestFinished(async () => void (await server.end('SIGKILL')));
    if (kind === 'clickhouse') {
      const [, exported] = Object.entries(recorded.answers).find(([question]) => question.startsWith('export')) ?? [];
      const ofLastDay = (exported as { startedAt: string }[]).filter(({ startedAt }) => startedAt >= LAST_DAY);
      await untilForwarded(server.url, recorded.keys.admin, ofLastDay.length);
    }
    const today = await askRelease(server.url, recorded.keys, Object.keys(recorded.answers));
    expect(await server.end()).toBe(0);
    const said = server
      .said()
      .split('\n')
      .filter((line) => line !== '' && !SAID.some((known) => known.test(line)));
    expect(said).toEqual([]);
    const unknown = compareAnswers(recorded.answers, today).filter(({ path }: Difference) => {
      const known = KNOWN.find(({ where }) => where.test(`${release} ${path}`));
      if (known) met.add(known);
      return known === undefined;
    });
    expect(unknown).toEqual([]);
    expect(JSON.parse(await runRelease(TODAY, now, ['check', '--json', ...place]))).toEqual(recorded.check);
    completed++;
  }

  // Or the list would hide what nobody expects any more.
  afterAll(() => {
    if (completed === FOLDERS.length) expect(KNOWN.filter((known) => !met.has(known))).toEqual([]);
  });
});
