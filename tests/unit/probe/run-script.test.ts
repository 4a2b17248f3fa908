import { expect, test } from 'vitest';
import { journeyRules } from '../../../collector/analysis/probes/journey-rules.ts';
import { probesView } from '../../../collector/analysis/tables/probes-view.ts';
import { runScript, type ScriptRequest } from '../../../extension/probe/run-script.ts';
import { countRequests } from '../../../shared/probes/probe-budget.ts';
import type { RequestOutcome } from '../../../shared/probes/prove-request.ts';
import { ORIGIN } from '../extension/fakes.ts';
import { makeSample } from '../summary/make-sample.ts';
import { scenarioGroups } from '../views/scenario-groups.ts';
import { fakeBrowser } from './fake-edges.ts';

const NOTHING = { thresholds: {}, trendStepMs: 1, journeys: [], users: { medians: new Map(), unknown: '' } };

const LOGIN = { url: 'https://app.test/login', text: 'Sign in', thresholdMs: 100 };
const HEALTH = { url: 'https://app.test/health', method: 'HEAD', status: 204 } as const;
const REQUEST: ScriptRequest = {
  id: 's',
  target: 'app',
  steps: [LOGIN, HEALTH],
  at: 7,
  cookies: false,
  pauseMs: 50,
  timeoutMs: 10_000,
  serverTimingMetrics: [],
};
const YES = async () => true;

/** Answers each path as told; what is not told is right. */
function run(answers: Readonly<Record<string, Partial<RequestOutcome>>>, request = REQUEST) {
  const right: Readonly<Record<string, Partial<RequestOutcome>>> = {
    '/login': { textFound: true },
    '/health': { status: 204 },
  };
  const browser = fakeBrowser('chromium', 'http/1.1', (made, { url }) => {
    const path = new URL(url).pathname;
    return { ...made, ...right[path], ...answers[path] };
  });
  return runScript(request, browser, YES);
}

test('does its steps in order, each a sample of the script', async () => {
  const { report, samples } = await run({});
  expect(report).toMatchObject({ probe: 's', requests: 2, stopped: null });
  expect(report.steps.map(({ ok, reason, time }) => [ok, reason, time])).toEqual(
    samples.map(({ times }) => [true, null, times.ttlb]),
  );
  expect(samples.map(({ source, journey, step, run, template }) => [source, journey, step, run, template])).toEqual([
    ['probe-script', 's', 1, 7, '/login'],
    ['probe-script', 's', 2, 7, '/health'],
  ]);
});

test.each<[string, Partial<RequestOutcome>, string]>([
  ['text_missing', { textFound: false }, 'TEXT_MISSING'],
  ['status_500', { status: 500 }, 'status 500'],
  ['timeout', { entry: null, status: null, error: 'timeout' }, 'TIMEOUT'],
  ['redirected', { status: 302, finalUrl: 'https://sso.test/' }, 'REDIRECTED'],
  ['https_upgrade', { status: 200, finalUrl: 'https://app.test/login' }, 'HTTPS_UPGRADE'],
])('stops at the step that cannot be done, and says why: %s', async (reason, answer, shown) => {
  const login = reason === 'https_upgrade' ? { ...LOGIN, url: 'http://app.test/login' } : LOGIN;
  const { report, samples } = await run({ '/login': answer }, { ...REQUEST, steps: [login, HEALTH] });
  expect(report.steps).toEqual([{ url: login.url, ok: false, reason, time: null }]);
  const stored = samples.map((sample) => ({ ...sample, origin: ORIGIN }));
  const [steps, , failures] = probesView(stored, NOTHING).tables;
  expect(steps?.rows).toMatchObject([{ template: '/login', runs: 1, availability: 0 }]);
  expect(failures?.rows).toMatchObject([{ template: '/login', reason: shown }]);
});

test('another good status than the expected one is not what the step is for', async () => {
  const { report } = await run({ '/health': { status: 200 } });
  expect(report.steps.map(({ reason }) => reason)).toEqual([null, 'unexpected_status']);
});

test('the switch stops it between two steps', async () => {
  let asked = 0;
  const { report } = await runScript(
    REQUEST,
    fakeBrowser('chromium', 'http/1.1', (made) => ({ ...made, textFound: true })),
    async () => asked++ < 1,
  );
  expect(report).toMatchObject({ requests: 1, stopped: 'switched_off' });
});

test('a step costs one request, has a threshold of its own at the same address, and is of no scenario', async () => {
  const again = { ...LOGIN, thresholdMs: 900 };
  const probe = { id: 's', target: 'app', everyMinutes: 15, steps: [LOGIN, HEALTH, again] };
  expect(countRequests(probe)).toBe(3);
  const { samples } = await run({}, { ...REQUEST, steps: probe.steps });
  const stored = samples.map((sample) => ({ ...sample, origin: ORIGIN }));
  expect(scenarioGroups(stored)).toEqual([]);
  const [steps] = probesView(stored, { ...NOTHING, ...journeyRules([probe]) }).tables;
  expect(steps?.rows).toMatchObject([
    { probe: 's', step: 1, template: '/login', threshold: 100 },
    { probe: 's', step: 2, template: '/health', threshold: null },
    { probe: 's', step: 3, template: '/login', threshold: 900 },
  ]);
});

test('steps of a browser that does not tell them are shown by address, without a threshold', () => {
  const given = { target: 'app', template: '/login', source: 'probe-script' };
  const [steps] = probesView([makeSample(given)], { ...NOTHING, thresholds: { s: [100] } }).tables;
  expect(steps?.rows).toMatchObject([{ probe: 'probe-script', step: null, template: '/login', threshold: null }]);
});
