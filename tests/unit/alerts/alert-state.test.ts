import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AlertChange, nextState, QUIET } from '../../../collector/monitoring/alerts/alert-state.ts';
import type { AlertRule } from '../../../shared/settings/alert-settings.ts';

const SLOW: AlertRule = { id: 'slow', aboveMs: 100, breaches: 3, evaluations: 5, hysteresis: 0.1 };
const DOWN: AlertRule = { id: 'down', availabilityBelow: 0.99, breaches: 1, evaluations: 1, hysteresis: 0.5 };

/** What changed at each look. */
function changes(rule: AlertRule, values: readonly (number | null)[]): AlertChange[] {
  let state = QUIET;
  return values.map((value, at) => {
    const next = nextState(rule, state, { value, n: 50 }, at);
    state = next.state;
    return next.change;
  });
}

test('three of five looks over the threshold turn it on, one alone does not', () => {
  expect(changes(SLOW, [150, 90, 150, 90, 90, 90])).toEqual([null, null, null, null, null, null]);
  expect(changes(SLOW, [150, 90, 150, 90, 150])).toEqual([null, null, null, null, 'firing']);
});

test('it recovers only when as many looks are back by the hysteresis', () => {
  const on = [150, 150, 150];
  expect(changes(SLOW, [...on, 95, 95, 95, 95, 95]).slice(3)).toEqual([null, null, null, null, null]);
  expect(changes(SLOW, [...on, 80, 80, 95, 80]).slice(3)).toEqual([null, null, null, 'recovered']);
});

test('looks from before it went on do not turn it off', () => {
  const rule = { ...SLOW, breaches: 2, evaluations: 4 };
  expect(changes(rule, [80, 150, 80, 150, 80, 80])).toEqual([null, null, null, 'firing', null, 'recovered']);
});

test('too few samples say nothing, neither way', () => {
  expect(changes(SLOW, [150, null, 150, null, null, null, 150]).at(-1)).toBe('firing');
  expect(changes(SLOW, [150, 150, 150, null, null, null, null, null]).filter((change) => change !== null)).toEqual([
    'firing',
  ]);
});

test('availability goes on below its limit and off part of the way to 100 %', () => {
  expect(changes(DOWN, [0.995, 0.98, 0.992, 0.996])).toEqual([null, 'firing', null, 'recovered']);
});

test('however it flaps, firing and recovered take turns', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.double({ min: 0, max: 200, noNaN: true })), { maxLength: 200 }), (values) => {
      const seen = changes(SLOW, values).filter((change) => change !== null);
      seen.forEach((change, place) => {
        expect(change).toBe(place % 2 === 0 ? 'firing' : 'recovered');
      });
    }),
  );
});
