import { describe, expect, test } from 'vitest';
import { journeyResults } from '../../../collector/analysis/probes/journey-results.ts';
import { pathId, probesView } from '../../../collector/analysis/tables/probes-view.ts';
import { makeSample } from '../summary/make-sample.ts';
import { rowOf, tableOf } from './printed.ts';

const DAY = 86_400_000;

function probe(wait: number, given: Parameters<typeof makeSample>[0] = {}) {
  return makeSample({
    source: 'probe-script',
    journey: 'sign-in',
    step: 2,
    template: '/login',
    at: 20 * DAY,
    times: { wait },
    ...given,
  });
}

const SAMPLES = [
  ...Array.from({ length: 40 }, (_, i) => probe(100_000 + i * 1000)),
  ...Array.from({ length: 10 }, () => probe(500_000, { at: 21 * DAY + 5 })),
  probe(0, {
    at: 21 * DAY,
    excluded: 'failed',
    connection: 'failed',
    status: null,
    error: 'net::ERR_CONNECTION_REFUSED',
  }),
  probe(3000, { at: 20 * DAY + 9, excluded: 'status', status: 503 }),
  probe(9000, { excluded: 'warmup' }),
  probe(9000, { excluded: 'redirect', status: 301 }),
  probe(9000, { connection: 'cache' }),
  makeSample({ template: '/login', times: { wait: 1 } }),
  probe(100_000, { origin: { site: 'osaka' } }),
];
const NOTHING = { thresholds: {}, trendStepMs: DAY, journeys: [], users: { medians: new Map(), unknown: '' } };
const VIEW = probesView(SAMPLES, { ...NOTHING, thresholds: { 'sign-in': [1, 400], other: [1, 1] } });

describe('one step at one place', () => {
  const row = rowOf(tableOf(VIEW, 'Steps'), { site: 'berlin' });

  test('availability counts answers and failures, not what the probe discarded or warmed up with', () => {
    expect(row).toMatchObject({ runs: 54, availability: 51 / 53, discarded: 1 });
  });

  test('times of requests are not compared with the threshold of the step', () => {
    expect(row).toMatchObject({ median: 124, max: 500, time: null, threshold: 400, within: null });
  });

  test('the last failure is named', () => {
    expect(rowOf(tableOf(VIEW, 'Last failures'), { site: 'berlin' })).toMatchObject({
      at: 21 * DAY,
      reason: 'net::ERR_CONNECTION_REFUSED',
    });
  });
});

test('places are apart, users’ own requests are no probes', () => {
  expect(tableOf(VIEW, 'Steps').rows.map(({ site, runs }) => [site, runs])).toEqual([
    ['berlin', 54],
    ['osaka', 1],
  ]);
});

test('the trend shows the day on which it became slow', () => {
  const days = tableOf(VIEW, 'Trend').rows.filter(({ site }) => site === 'berlin');
  expect(days.map(({ from, median }) => [from, median])).toEqual([
    [20 * DAY, 119],
    [21 * DAY, 500],
  ]);
  expect(days[0]?.availability).toBe(41 / 42);
});

test('a step without a threshold is only shown', () => {
  const row = rowOf(tableOf(probesView(SAMPLES, NOTHING), 'Steps'), { site: 'berlin' });
  expect(row).toMatchObject({ threshold: null, within: null, median: 124 });
});

test('a run that did not prove its scenario is discarded, and the target is not down for it', () => {
  const view = probesView([probe(1000), probe(1000, { excluded: 'unproven' })], NOTHING);
  expect(tableOf(view, 'Steps').rows[0]).toMatchObject({ runs: 2, availability: 1, discarded: 1 });
  expect(tableOf(view, 'Last failures').rows).toEqual([]);
});

describe('a journey whose runs are known', () => {
  const runs = [100_000, 100_000, 900_000].map((time, i) => ({
    ...{ probe: 'sign-in', target: 'erp', site: 'berlin', client: 'a', at: -i },
    ...{ steps: [null, null], stepTimes: [null, time] },
  }));
  const thresholds = { 'sign-in': [1, 400] };
  const path = { target: 'erp', site: 'berlin', host: 'erp.example.com', template: '/login' };
  const view = probesView(SAMPLES, {
    ...NOTHING,
    thresholds,
    journeys: journeyResults(runs, thresholds),
    users: { medians: new Map([[pathId(path), 70]]), unknown: 'no requests' },
  });
  const rowAt = (site: string) => rowOf(tableOf(view, 'Steps'), { site });

  test('compares the time of the step, not of its requests, with the threshold', () => {
    expect(rowAt('berlin')).toMatchObject({ median: 124, time: 100, threshold: 400, within: 1 - 1 / 3 });
    expect(rowAt('osaka')).toMatchObject({ median: 100, time: null, within: null });
  });

  test('has users’ own requests on the same path at the same site beside it, or why there are none', () => {
    expect(rowAt('berlin')).toMatchObject({ users: 70, reason: '' });
    expect(rowAt('osaka')).toMatchObject({ users: null, reason: 'no requests' });
  });
});

test('what each step of a journey loads is told per run, beside the time of the step', () => {
  const request = (run: number, given: Parameters<typeof probe>[1] = {}) =>
    probe(40_000, { type: 'script', connection: 'reused', transferSize: 500, run, ...given });
  const page = { type: 'document', connection: 'new', template: '/orders' } as const;
  const samples = [1, 2, 3].flatMap((run) => [request(run, page), ...Array.from({ length: run }, () => request(run))]);
  const run = { probe: 'sign-in', target: 'erp', site: 'berlin', client: 'a', at: 0, steps: [null, null] };
  const journeys = journeyResults([{ ...run, stepTimes: [null, 90_000] }]);
  const { rows } = tableOf(
    probesView([...samples, probe(1000)], { ...NOTHING, journeys }),
    'What the steps of journeys load',
  );
  expect(rows).toEqual([
    {
      ...{ site: 'berlin', target: 'erp', probe: 'sign-in', step: 2, page: '/orders', runs: 3 },
      ...{ requests: 3, connections: 1, bytes: 1500, time: 90, sum: 120 },
    },
  ]);
});
