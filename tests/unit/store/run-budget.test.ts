import { expect, test } from 'vitest';
import { createRunBudget, type ProbeRunText, toSchedule } from '../../../collector/storage/sqlite/run-budget.ts';
import { PROBING_SETTINGS } from '../dashboard/probing-fleet.ts';

const DAY = 24 * 3_600_000;
const SCHEDULE = toSchedule(PROBING_SETTINGS);
const turn = (more: Partial<ProbeRunText> = {}): ProbeRunText => ({
  key: 'one',
  client: 'a browser',
  probe: 'logo',
  text: '{}',
  newcomer: false,
  ...more,
});

/** How many of so many turns are kept, and why the rest is not. */
function sent(n: number, more: (i: number) => Partial<ProbeRunText>, budget = createRunBudget()) {
  const outcomes: Record<string, number> = {};
  for (let i = 0; i < n; i++) {
    const outcome = budget.refusalOf(turn(more(i)), SCHEDULE) ?? 'kept';
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

test('a browser may tell twice what the schedule makes in a day, and little of other probes', () => {
  // Two probes an hour make 48 turns a day.
  expect(sent(300, () => ({}))).toEqual({ kept: 100, turn_browser_budget: 200 });
  expect(sent(300, (i) => ({ probe: `invented-${i}` }))).toEqual({ kept: 5, turn_unknown_probe: 295 });
  let now = 0;
  const twoDays = createRunBudget(() => now);
  expect(sent(150, () => ({}), twoDays)).toEqual({ kept: 100, turn_browser_budget: 50 });
  now += DAY;
  expect(sent(100, () => ({}), twoDays)).toEqual({ kept: 100 });
  expect(sent(2, (i) => ({ text: 'x'.repeat(2_048 + i) }))).toEqual({ kept: 1, turn_too_large: 1 });
});

test('newcomers share 8 MiB a day of a key; its other browsers and other keys have theirs', () => {
  const text = 'x'.repeat(1_928);
  const budget = createRunBudget();
  const newcomers = (i: number) => ({ client: `${i}`, text, newcomer: true });
  expect(sent(5_000, newcomers, budget)).toEqual({ kept: 4_096, turn_key_budget: 904 });
  expect(sent(100, (i) => ({ client: `${i}`, text }), budget)).toEqual({ kept: 100 });
  expect(sent(100, (i) => ({ ...newcomers(i), key: 'another' }), budget)).toEqual({ kept: 100 });
  expect(sent(40_000, (i) => ({ client: `${i}`, text }), budget)).toEqual({
    kept: 32_768 - 4_096 - 100,
    turn_key_budget: 40_000 - (32_768 - 4_096 - 100),
  });
});
