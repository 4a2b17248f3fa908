import { expect, test } from 'vitest';
import { availabilityStep, probeAvailability } from '../../../collector/analysis/probes/probe-availability.ts';
import { probePaths } from '../../../collector/analysis/probes/probe-paths.ts';
import type { SequenceRun, UsersOfScenario } from '../../../collector/analysis/probes/probe-results.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { makeSample } from '../summary/make-sample.ts';

const HOUR = 3_600_000;
const AT = 1_700_000_000_000;

/** `wait` in ms; a run from one of eight browsers. */
function run(scenario: string, wait: number, i: number, more: Partial<StoredSample> = {}): StoredSample {
  const fresh = scenario.endsWith('new');
  return makeSample({
    at: AT + i,
    source: `probe-${scenario}`,
    scheme: scenario.startsWith('https') ? 'https' : 'http',
    connection: fresh ? 'new' : 'reused',
    times: { tcp: fresh ? 40_000 : 0, tls: scenario === 'https-new' ? 44_000 : 0, wait: (wait + (i % 5) / 10) * 1000 },
    origin: { client: `browser-${i % 8}`, site: 'Porto' },
    ...(more as object),
  });
}

const LADDER = ['http-new', 'http-reused', 'https-reused', 'https-new'].flatMap((scenario) =>
  Array.from({ length: 24 }, (_, i) => run(scenario, scenario.startsWith('https') ? 42.1 : 41, i)),
);

const USERS: UsersOfScenario[] = [
  { target: 'erp', site: 'Porto', host: 'erp.example.com', scenario: 'https-reused', reused: 96, fresh: 0, ttlb: null },
  { target: 'erp', site: 'Porto', host: 'erp.example.com', scenario: 'https-new', reused: 0, fresh: 4, ttlb: null },
  { target: 'erp', site: 'Porto', host: 'erp.example.com', scenario: 'http-new', reused: 0, fresh: 900, ttlb: null },
  { target: 'erp', site: 'Berlin', host: 'erp.example.com', scenario: 'https-new', reused: 0, fresh: 70, ttlb: null },
];

test('the sentence weighs what probes measured with what users of that very path reuse', () => {
  const [path, ...others] = probePaths(LADDER, USERS, []);
  expect(others).toEqual([]);
  expect(path).toMatchObject({ target: 'erp', site: 'Porto', host: 'erp.example.com' });
  // HTTPS alone: plain requests beside it pay no handshake.
  expect(path?.users).toEqual({ requests: 1000, reuse: 0.96 });
  // 0.96 × 1.1 + 0.04 × 45.1
  expect(path?.sentence).toBe(
    'On this path HTTPS costs 1.1 ms per request on a reused connection, 45 ms when everything is new; users here reuse 96 % of the time: 2.9 ms a request.',
  );
  const added = path?.ratios.find(({ scenario }) => scenario === 'https-reused');
  expect(added?.median?.ms).toBeCloseTo(1.1, 6);
  expect(added?.medianInterval?.[0]).toBeGreaterThan(0);
});

test('a path that answers over HTTPS only says nothing about what HTTPS costs', () => {
  const moved = LADDER.map((sample) => (sample.scheme === 'https' ? { ...sample, template: '/moved' } : sample));
  const [path] = probePaths(moved, [], []);
  expect(path?.ratios.map(({ scenario, reason }) => [scenario, reason])).toEqual([
    ['https-new', 'different_templates'],
    ['https-new-resumed', 'not_measured'],
    ['https-new-full', 'not_measured'],
    ['https-reused', 'different_templates'],
  ]);
});

test('runs that were not kept have the reason that the browser told, and their class where it told none', () => {
  const lost = [
    run('https-new', 42, 30, { excluded: 'unproven' }),
    run('https-new', 42, 31, { excluded: 'unproven' }),
    run('https-new', 42, 32, { excluded: 'status', status: 503 }),
    run('https-new', 42, 33, { excluded: 'warmup' }),
  ];
  const turn: SequenceRun = {
    target: 'erp',
    site: 'Porto',
    host: 'erp.example.com',
    scenarios: [
      { scenario: 'https-new', method: 'close_header', kept: 24, discarded: { not_new: 1 }, unavailable: null },
      { scenario: 'http-new', method: null, kept: 0, discarded: {}, unavailable: 'https_upgrade' },
    ],
  };
  const of = (turns: SequenceRun[]) =>
    probePaths([...LADDER, ...lost], [], turns)[0]?.scenarios.find(({ scenario }) => scenario === 'https-new');
  expect(of([turn])).toMatchObject({
    runs: 27,
    kept: 24,
    discarded: { not_new: 1, unproven: 1, status_503: 1 },
    methods: ['close_header'],
  });
  expect(of([])).toMatchObject({ discarded: { unproven: 2, status_503: 1 }, methods: [] });
  const none = probePaths([], [], [turn, turn])[0];
  expect(none?.scenarios).toMatchObject([
    { scenario: 'http-new', runs: 0, unavailable: { https_upgrade: 2 } },
    { scenario: 'https-new' },
  ]);
  expect(none?.sentence).toContain('is unknown');
});

test('users and scripts are no runs of a ladder', () => {
  const others = [makeSample(), makeSample({ source: 'probe-script' })];
  expect(probePaths(others, USERS, [])).toEqual([]);
});

test('availability counts answers and failures of the target, step by step, and nothing else', () => {
  const range = { from: AT - 2 * HOUR, to: AT + HOUR };
  const calendar = probeAvailability(
    [
      ...LADDER.slice(0, 3),
      run('https-new', 42, 1, { excluded: 'failed', connection: 'failed' }),
      run('https-new', 42, 2, { excluded: 'unproven' }),
      makeSample({ at: AT }),
    ],
    range,
  );
  expect(calendar.stepSeconds).toBe(3600);
  expect(calendar.rows).toHaveLength(1);
  const cells = calendar.rows[0]?.cells ?? [];
  expect(cells.length).toBe(calendar.steps.length);
  expect(cells.filter((cell) => cell !== null)).toEqual([{ up: 3, down: 1 }]);
  const at = cells.findIndex((cell) => cell !== null);
  expect(calendar.steps[at]).toBeLessThanOrEqual(AT);
  expect((calendar.steps[at] ?? 0) + HOUR).toBeGreaterThan(AT);
});

test('a longer range has longer steps', () => {
  const step = (days: number) => availabilityStep({ from: 0, to: days * 24 * HOUR }) / HOUR;
  expect([1, 2, 3, 92, 93].map(step)).toEqual([1, 1, 24, 24, 168]);
  // As many as a screen has room for, however long it is.
  for (const days of [520 * 7, 520 * 7 + 1, 3_652_058]) expect((days * 24) / step(days)).toBeLessThanOrEqual(520);
});
