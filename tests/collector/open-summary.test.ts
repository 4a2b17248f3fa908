import { expect, onTestFinished, test } from 'vitest';
import { readJson } from '../../collector/lib/json-bytes.ts';
import { summary } from '../../collector/questions/summary.ts';
import { SEES_EVERYTHING } from '../../collector/questions/viewer-rule.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const HALF_PAST = Date.UTC(2026, 2, 4, 9, 30);
const MINUTE = 60_000;

test('a summary without an end says when it was answered, and no more than its hour', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command', clock: () => HALF_PAST });
  onTestFinished(() => store.close());
  const endOf = async (parameters: { to?: string }, waited: number) => {
    const query = summary.parse(parameters, HALF_PAST);
    const { method } = readJson(
      await summary.ask({ store, version: '0', viewer: SEES_EVERYTHING, clock: () => HALF_PAST + waited }, query),
    );
    return Date.parse(method.to);
  };
  expect(await endOf({}, MINUTE)).toBe(HALF_PAST + MINUTE);
  expect(await endOf({}, 40 * MINUTE)).toBe(HALF_PAST + 30 * MINUTE);
  const named = new Date(HALF_PAST - MINUTE).toISOString();
  expect(await endOf({ to: named }, MINUTE)).toBe(HALF_PAST - MINUTE);
});
