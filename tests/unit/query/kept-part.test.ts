import { expect, test } from 'vitest';
import { checkSteps, keptBefore, keptPart } from '../../../collector/questions/query-context.ts';
import type { Store } from '../../../collector/storage/store.ts';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';

const YEAR = 366 * 86_400_000;
const at = (text: string) => Date.parse(text);
const KEPT = { from: at('2025-11-03T00:00:00Z'), to: at('2026-03-01T12:00:00Z') };
const EVER = { from: at('0001-01-01T00:00:00Z'), to: at('9999-12-31T00:00:00Z') };

/** Only what is kept is ever asked of it. */
function keeping(kept: TimeRange | null): { store: Store } {
  const read = async () => kept;
  return { store: { samples: { read } } as unknown as Store };
}

test('all of time is what is kept', async () => {
  expect(await keptPart(keeping(KEPT), EVER)).toEqual(KEPT);
  const since = { from: 0, to: at('2026-02-01T00:00:00Z') };
  expect(await keptPart(keeping(KEPT), since)).toEqual({ from: KEPT.from, to: since.to });
  const open = { from: 0, to: KEPT.to + 1000, open: true };
  expect(await keptPart(keeping(KEPT), open)).toEqual({ ...open, from: KEPT.from });
});

test('a range of five years and less is answered as it was asked, wherever it lies', async () => {
  for (const from of [EVER.from, KEPT.from, at('2500-01-01T00:00:00Z')]) {
    const range = { from, to: from + 5 * YEAR };
    expect(await keptPart(keeping(KEPT), range)).toBe(range);
  }
});

test('where nothing of it is kept, its last five years are', async () => {
  const range = { from: EVER.from, to: at('1000-01-01T00:00:00Z') };
  for (const kept of [KEPT, null]) {
    expect(await keptPart(keeping(kept), range)).toEqual({ from: range.to - 5 * YEAR, to: range.to });
  }
});

test('the period right before stays right before what was cut; any other is cut like the range', async () => {
  const cut = await keptPart(keeping(KEPT), EVER);
  const before = { from: EVER.from - (EVER.to - EVER.from), to: EVER.from };
  const length = KEPT.to - KEPT.from;
  expect(await keptBefore(keeping(KEPT), before, EVER, cut)).toEqual({ from: KEPT.from - length, to: KEPT.from });
  expect(await keptBefore(keeping(KEPT), EVER, EVER, cut)).toEqual(KEPT);
  const short = { from: KEPT.from, to: KEPT.from + YEAR };
  const own = { from: short.from - YEAR, to: short.from };
  expect(await keptBefore(keeping(KEPT), own, short, short)).toBe(own);
});

test('two thousand steps are answered, one more is not, and the error says what to ask for', () => {
  const DAY = 86_400_000;
  expect(() => checkSteps({ from: 0, to: 2000 * DAY }, DAY)).not.toThrow();
  const tooLong = { from: 0, to: 2000 * DAY + 1 };
  expect(() => checkSteps(tooLong, DAY)).toThrow(
    expect.objectContaining({ code: 'invalid_range', message: 'the range has 2001 days' }),
  );
  expect(() => checkSteps(tooLong, DAY / 24)).toThrow(
    expect.objectContaining({ hint: expect.stringMatching('longer step') }),
  );
});
