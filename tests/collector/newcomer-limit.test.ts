import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createVisibility } from '../../collector/questions/visibility/visibility.ts';
import { createBrowserRecorder } from '../../collector/storage/sqlite/browser-recorder.ts';
import { migrate } from '../../collector/storage/sqlite/migrations.ts';
import { openDatabase } from '../../collector/storage/sqlite/open-database.ts';
import { createFleetSource } from '../../collector/storage/sqlite/sqlite-fleet.ts';
import { MAX_AGE_MS, OVERFLOW_NAME } from '../../shared/vocabulary/wire-limits.ts';
import { NOW, ORIGIN } from '../unit/wire/arbitrary-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Hears of browsers, of which three newcomers a key are listed. */
async function fleet() {
  const database = openDatabase({ file: join(await temporaryFolder(), 'lastbyte.sqlite'), maxBytes: null });
  onTestFinished(() => void database.close());
  migrate(database, () => {});
  const recordBrowser = createBrowserRecorder(database, () => null, 3);
  return {
    hear(client: string, receivedAt: number, key = 'leaked') {
      recordBrowser(
        { id: randomUUID(), receivedAt, key, clockCorrection: 0, origin: { ...ORIGIN, client }, status: null },
        null,
      );
    },
    listed: () => database.prepare('SELECT client FROM browser ORDER BY client').pluck().all(),
    /** Those of some browsers that count towards a group in a range up to a time. */
    counting(clients: readonly string[], to: number, freshSince: number) {
      // Groups are not asked for.
      const source = { countedBrowsers: () => () => expect.fail(), fleet: createFleetSource(database) };
      const viewer = createVisibility(source, { minGroupSize: 5, freshSince }, { from: NOW - 30 * DAY_MS, to });
      return clients.filter(viewer.counts);
    },
    notKept: () => database.prepare('SELECT reason, sum(n) AS n FROM not_kept GROUP BY reason ORDER BY reason').all(),
  };
}

test('a flood of newcomers removes none that was heard of before it, and no browser of another key', async () => {
  const { hear, listed, notKept } = await fleet();
  hear('known', NOW - DAY_MS);
  hear('known', NOW);
  hear('other', NOW, 'other');
  hear('once', NOW);
  hear('twice', NOW);
  hear('twice', NOW + MINUTE_MS);
  for (let n = 0; n < 10; n++) hear(`flood-${n}`, NOW + MINUTE_MS + n);
  expect(listed()).toEqual(['flood-9', 'known', 'once', 'other', 'twice']);
  expect(notKept()).toEqual([{ reason: 'browser_replaced', n: 9 }]);
});

test('a flood of browsers that are heard twice removes none either, and what is refused is counted', async () => {
  const { hear, listed, notKept } = await fleet();
  hear('honest', NOW);
  hear('honest', NOW + MINUTE_MS);
  for (let n = 0; n < 5; n++) {
    hear(`flood-${n}`, NOW + (2 + 2 * n) * MINUTE_MS);
    hear(`flood-${n}`, NOW + (3 + 2 * n) * MINUTE_MS);
  }
  expect(listed()).toEqual(['flood-0', 'flood-1', 'honest']);
  expect(notKept()).toEqual([{ reason: 'browser_refused', n: 6 }]);
});

test('newcomers that were not heard of for a day make room, and those that are known by now take none', async () => {
  const { hear, listed } = await fleet();
  hear('stays', NOW);
  for (const client of ['flood-0', 'flood-1']) {
    hear(client, NOW + 1);
    hear(client, NOW + MINUTE_MS);
  }
  hear('stays', NOW + DAY_MS);
  hear('late', NOW + DAY_MS);
  hear('late', NOW + DAY_MS + MINUTE_MS);
  expect(listed()).toEqual(['flood-0', 'flood-1', 'late', 'stays']);
  hear('later', NOW + 2 * DAY_MS + MINUTE_MS);
  expect(listed()).toEqual(['flood-1', 'late', 'later', 'stays']);
});

test('a browser there was no room for on the list makes no group large enough, except of a time it cannot send of', async () => {
  const { hear, listed, counting } = await fleet();
  const freshSince = NOW - DAY_MS;
  hear('known', NOW - 3 * DAY_MS);
  hear('known', NOW);
  hear('once', NOW);
  // One that is no longer kept is no longer listed.
  const all = ['known', 'once', 'gone'];
  expect(counting(all, NOW, freshSince)).toEqual(['known', 'gone']);
  for (let n = 0; n < 10; n++) hear(`flood-${n}`, NOW + n);
  expect(listed()).not.toContain('flood-3');
  expect(counting([...all, 'flood-3'], NOW, freshSince)).toEqual(['known']);
  // Samples may be a week late.
  expect(counting([...all, 'flood-3'], freshSince, freshSince)).toEqual(['known']);
  const tooOld = freshSince - MAX_AGE_MS;
  expect(counting([...all, 'flood-3'], tooOld + 1, freshSince)).toEqual(['known']);
  expect(counting([...all, 'flood-3'], tooOld, freshSince)).toEqual([...all, 'flood-3']);
  // Nobody knows who is behind it.
  expect(counting([OVERFLOW_NAME], tooOld, freshSince)).toEqual([]);
});

test('a browser first heard of today does not count in past ranges either, one that is no longer kept does', async () => {
  const { hear, counting } = await fleet();
  const freshSince = NOW - DAY_MS;
  hear('known', NOW - 3 * DAY_MS);
  hear('invented', NOW);
  for (const daysAgo of [2, 3, 6]) {
    expect(counting(['known', 'invented', 'gone'], NOW - daysAgo * DAY_MS, freshSince)).toEqual(['known', 'gone']);
  }
});
