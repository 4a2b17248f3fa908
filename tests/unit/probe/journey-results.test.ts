import { expect, test } from 'vitest';
import { type JourneyRun, journeyResults } from '../../../collector/analysis/probes/journey-results.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 2, 8);

const runAt = (minute: number, given: Partial<JourneyRun> = {}): JourneyRun => ({
  probe: 'order',
  target: 'erp',
  site: 'Porto',
  at: START + minute * MINUTE,
  steps: [null, null],
  stepTimes: [80_000, 120_000],
  ...given,
});
const failed = (minute: number, given: Partial<JourneyRun> = {}) =>
  runAt(minute, { steps: [null, 'text_missing'], stepTimes: [80_000, null], ...given });

test('a run is up if each of its steps was done, and takes what they take together', () => {
  const runs = [runAt(0), runAt(15, { stepTimes: [90_000, 210_000] }), failed(30), runAt(45)];
  expect(journeyResults(runs)).toEqual([
    { journey: 'order', target: 'erp', site: 'Porto', up: 3, down: 1, median: 200, broken: null },
  ]);
});

test('it is broken since the first failure after the last success, at the step that failed last', () => {
  const later = failed(45, { steps: ['status_500'], stepTimes: [null] });
  expect(journeyResults([later, failed(0), runAt(15), failed(30)])[0]?.broken).toEqual({
    step: 1,
    reason: 'status_500',
    since: '2026-11-02T08:30:00.000Z',
    runs: 2,
  });
});

test('a journey that never succeeded is broken since its first run, and has no time', () => {
  expect(journeyResults([failed(15), failed(0)])[0]).toMatchObject({
    up: 0,
    median: null,
    broken: { since: '2026-11-02T08:00:00.000Z', runs: 2 },
  });
});

test('what is down comes first, since the longest time; then what fails most', () => {
  const at = (site: string, ...runs: readonly JourneyRun[]) => runs.map((run) => ({ ...run, site }));
  const runs = [
    ...at('always up', runAt(0)),
    ...at('often', failed(0), runAt(1), failed(2), runAt(3)),
    ...at('down now', runAt(0), failed(5)),
    ...at('down longer', runAt(0), failed(3)),
    ...at('', failed(4)),
  ];
  expect(journeyResults(runs).map(({ site }) => site)).toEqual(['down longer', null, 'down now', 'often', 'always up']);
});

test('times that an older extension did not send are unknown; sequences and skipped runs are no journeys', () => {
  const { stepTimes: _, ...older } = runAt(0);
  expect(journeyResults([older, runAt(15, { steps: [], stepTimes: [] })])).toMatchObject([{ up: 1, median: null }]);
});
