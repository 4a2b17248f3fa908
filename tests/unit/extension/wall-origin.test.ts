import { expect, test } from 'vitest';
import { wallOrigin } from '../../../extension/wall-origin.ts';

const ORIGIN = 1_700_000_000_000.4;
type Round = (ms: number) => number;
const ROUNDS: readonly (readonly [wall: Round, page: Round])[] = [
  [Math.floor, Math.floor],
  [Math.floor, Math.ceil],
  [Math.ceil, Math.floor],
  [Math.floor, (ms) => Math.round(ms * 10) / 10],
];

/** How far off the origin is, read now by clocks of which the wall's is ahead by so much, and rounded that way. */
function errorsAt(now: number, ahead: number): number[] {
  return ROUNDS.map(([wall, page]) => {
    const reading = { before: page(now), wall: wall(ORIGIN + now + ahead), after: page(now) };
    return wallOrigin(ORIGIN, reading) - (ORIGIN + ahead);
  });
}

test('the origin of clocks that agree is what it is, to what rounding either way may do', () => {
  for (let now = 60_000; now < 60_002; now += 0.05) {
    const [likeChromium, ...others] = errorsAt(now, 0).reverse();
    expect(likeChromium).toBe(0);
    for (const error of others) expect(Math.abs(error)).toBeLessThan(2);
  }
});

test('a clock that was set, is being put right or went on while the machine slept takes the origin along', () => {
  for (const ahead of [-3_600_000, -40, -4, 4, 12, 400, 28_800_000]) {
    const errors: number[] = [];
    for (let now = 60_000; now < 60_002; now += 0.05) errors.push(...errorsAt(now, ahead));
    expect(Math.max(...errors.map(Math.abs)), String(ahead)).toBeLessThanOrEqual(2);
    // To neither side: a phase would be as much longer everywhere.
    const average = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    expect(Math.abs(average), String(ahead)).toBeLessThan(0.3);
  }
});

test('a turn that ended between two readings is not taken for another clock', () => {
  const wall = Math.floor(ORIGIN + 60_000);
  expect(wallOrigin(ORIGIN, { before: 59_500, wall, after: 60_000 })).toBe(ORIGIN);
  expect(wallOrigin(ORIGIN, { before: 60_000, wall: wall + 300, after: 60_500 })).toBe(ORIGIN);
  const later = wallOrigin(ORIGIN, { before: 60_000, wall: wall + 3_600_300, after: 60_500 });
  expect(later).toBeCloseTo(ORIGIN + 3_599_800, -1);
});
