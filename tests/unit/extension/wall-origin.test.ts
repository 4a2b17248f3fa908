import { expect, test } from 'vitest';
import { wallOrigin } from '../../../extension/wall-origin.ts';

const ORIGIN = 1_700_000_000_000.4;

/** As clocks that step by a millisecond read, of which the wall's is ahead by so much. */
function readAt(now: number, ahead: number, tookMs = 0) {
  const wall = Math.floor(ORIGIN + now + ahead);
  return { before: Math.floor(now), wall, after: Math.floor(now + tookMs) };
}

test('the origin of clocks that agree stays what it is, wherever within their steps they are read', () => {
  for (let now = 60_000; now < 60_002; now += 0.05) expect(wallOrigin(ORIGIN, readAt(now, 0))).toBe(ORIGIN);
});

test('a clock that was set, is being put right or went on while the machine slept takes the origin along', () => {
  for (const ahead of [-3_600_000, -40, -4, 4, 12, 400, 28_800_000]) {
    for (let now = 60_000; now < 60_002; now += 0.05) {
      const moved = wallOrigin(ORIGIN, readAt(now, ahead)) - ORIGIN;
      expect(Math.abs(moved - ahead), `${ahead} at ${now}`).toBeLessThanOrEqual(2);
    }
  }
});

test('a turn that ended between two readings is not taken for another clock', () => {
  const { wall } = readAt(60_000, 0);
  expect(wallOrigin(ORIGIN, { before: 59_500, wall, after: 60_000 })).toBe(ORIGIN);
  expect(wallOrigin(ORIGIN, { before: 60_000, wall: wall + 300, after: 60_500 })).toBe(ORIGIN);
  expect(wallOrigin(ORIGIN, { before: 60_000, wall: wall + 3_600_300, after: 60_500 })).toBeCloseTo(
    ORIGIN + 3_599_800,
    -1,
  );
});
