import { expect, test } from 'vitest';
import { wallOrigin } from '../../../extension/content/wall-origin.ts';

const ORIGIN = 1_700_000_000_000;

test('a clock that was set, or a machine that slept, moves the origin; a drift does not', () => {
  expect(wallOrigin(ORIGIN, 60_000, ORIGIN + 60_400)).toBe(ORIGIN);
  expect(wallOrigin(ORIGIN, 60_000, ORIGIN + 60_000 - 3_600_000)).toBe(ORIGIN - 3_600_000);
  expect(wallOrigin(ORIGIN, 60_000, ORIGIN + 60_000 + 28_800_000)).toBe(ORIGIN + 28_800_000);
});
