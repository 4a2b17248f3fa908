import { expect, test } from 'vitest';
import { type JourneyRun, journeyResults as resultsOf } from '../../../collector/analysis/probes/journey-results.ts';
import type { JourneyRules } from '../../../collector/analysis/probes/journey-rules.ts';

type StepThresholds = JourneyRules['thresholds'];

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 2, 8);

const runAt = (minute: number, given: Partial<JourneyRun> = {}): JourneyRun => ({
  probe: 'order',
  target: 'erp',
  site: 'Porto',
  client: 'a',
  at: START + minute * MINUTE,
  steps: [null, null],
  stepTimes: [80_000, 120_000],
  ...given,
});
const failed = (minute: number, given: Partial<JourneyRun> = {}) =>
  runAt(minute, { steps: [null, 'text_missing'], stepTimes: [80_000, null], ...given });

const journeyResults = (runs: readonly JourneyRun[], thresholds?: StepThresholds) =>
  resultsOf(
    [...runs].sort((a, b) => b.at - a.at),
    thresholds,
  );

test('a run is up if each of its steps was done, and takes what they take together', () => {
  const runs = [runAt(0), runAt(15, { stepTimes: [90_000, 210_000] }), failed(30), runAt(45)];
  expect(journeyResults(runs)).toMatchObject([
    { journey: 'order', target: 'erp', site: 'Porto', up: 3, down: 1, median: 200, broken: null },
  ]);
});

test('it is broken since the first failure after the last success, at the step that failed last', () => {
  const later = failed(45, { steps: ['status_500'], stepTimes: [null] });
  expect(journeyResults([later, failed(0), runAt(15), failed(30)])[0]?.broken).toEqual({
    at: '2026-11-02T08:45:00.000Z',
    step: 1,
    reason: 'status_500',
    broke: null,
    since: '2026-11-02T08:30:00.000Z',
    runs: 2,
  });
});

test('it tells what the last run that failed had in front of it', () => {
  const broke = (name: string) => ({
    ...{ step: 2, reason: 'element_not_found' as const, detail: null, lookedFor: ['aria/Save'] },
    page: {
      ...{ title: 'Orders', url: 'https://erp.test/', status: 200, consoleErrors: 0, failedRequests: 0 },
      nearest: [{ role: 'button', name }],
    },
  });
  const [result] = journeyResults([failed(0, { broke: broke('Cancel') }), failed(9, { broke: broke('Save order') })]);
  expect(result?.broken?.broke).toEqual(broke('Save order'));
  expect(result?.failed?.broke).toEqual(broke('Save order'));
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

test('a step has the median of the runs that told its time; one that requests nothing lengthens none', () => {
  const runs = [0, 1, 2].map((minute) => runAt(minute, { stepTimes: [null, (minute + 1) * 100_000] }));
  expect(journeyResults([...runs, failed(3)], { order: [50, 250] })).toMatchObject([
    {
      median: 200,
      over: 2,
      steps: [
        { runs: 1, median: 80, threshold: 50, over: 1 },
        { runs: 3, median: 200, threshold: 250, over: 1 },
      ],
    },
  ]);
});

/** The light of twenty runs: as many failed, then as many took too long. */
function lightOf({ down = 0, slow = 0, stepTimes = [100_000] }, thresholds: StepThresholds = { order: [100] }) {
  const run = (i: number) => (i < down ? failed(i) : runAt(i, { stepTimes: i < down + slow ? [101_000] : stepTimes }));
  return journeyResults(
    Array.from({ length: 20 }, (_, i) => run(i)),
    thresholds,
  )[0]?.light;
}

test('the light is yellow if more than one run in twenty was down or too slow, and red from half of them on', () => {
  const runs = [
    {},
    { slow: 1 },
    { down: 1 },
    { slow: 2 },
    { down: 2 },
    { down: 1, slow: 8 },
    { slow: 10 },
    { down: 10 },
  ];
  const lights = ['green', 'green', 'green', 'yellow', 'yellow', 'yellow', 'red', 'red'];
  expect(runs.map((given) => lightOf(given))).toEqual(lights);
});

test('it is red while the journey is down, however seldom it was', () => {
  const runs = Array.from({ length: 40 }, (_, i) => (i === 39 ? failed(i) : runAt(i)));
  expect(journeyResults(runs, { order: [1000] })[0]).toMatchObject({ over: 1, light: 'red' });
});

test('it is green only if a time was compared with a threshold', () => {
  expect(lightOf({}, {})).toBeNull();
  expect(lightOf({}, { order: [null] })).toBeNull();
  expect(lightOf({ stepTimes: [] })).toBeNull();
  expect(lightOf({ down: 2 }, {})).toBe('yellow');
});

test('the last failure is told even if others succeeded since', () => {
  expect(journeyResults([failed(0), failed(5), runAt(9)])[0]).toMatchObject({
    broken: null,
    failed: { at: '2026-11-02T08:05:00.000Z', step: 2, reason: 'text_missing' },
  });
});

test('a site with too few browsers is left out', () => {
  const runs = [runAt(2, { client: 'b' }), runAt(1), runAt(0, { site: 'Lyon' })];
  expect(resultsOf(runs, {}, (_, clients) => clients.size >= 2).map(({ site }) => site)).toEqual(['Porto']);
});
