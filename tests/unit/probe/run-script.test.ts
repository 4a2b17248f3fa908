import { expect, test } from 'vitest';
import { stepThresholds } from '../../../collector/analysis/probes/step-thresholds.ts';
import { probesView } from '../../../collector/analysis/tables/probes-view.ts';
import { ENGLISH_TABLES } from '../../../collector/analysis/text/english-tables.ts';
import { GERMAN_TABLES } from '../../../collector/analysis/text/german-tables.ts';
import { runScript, type ScriptRequest } from '../../../extension/probe/run-script.ts';
import { countRequests } from '../../../shared/probes/probe-budget.ts';
import type { RequestOutcome } from '../../../shared/probes/prove-request.ts';
import { ORIGIN } from '../extension/fakes.ts';
import { makeSample } from '../summary/make-sample.ts';
import { scenarioGroups } from '../views/scenario-groups.ts';
import { fakeBrowser } from './fake-edges.ts';

const LOGIN = { url: 'https://app.test/login', text: 'Sign in', thresholdMs: 100 };
const HEALTH = { url: 'https://app.test/health', method: 'HEAD', status: 204 } as const;
const REQUEST: ScriptRequest = {
  id: 's',
  target: 'app',
  steps: [LOGIN, HEALTH],
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
  expect(report.steps.map(({ ok, reason }) => [ok, reason])).toEqual([
    [true, null],
    [true, null],
  ]);
  expect(samples.map(({ source, template, excluded }) => [source, template, excluded])).toEqual([
    ['probe-script', '/login', null],
    ['probe-script', '/health', null],
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
  expect(report.steps).toEqual([{ url: login.url, ok: false, reason }]);
  const stored = samples.map((sample) => ({ ...sample, origin: ORIGIN }));
  const [steps, , failures] = probesView(stored, { thresholds: {} }).tables;
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

test('a step costs one request, has its threshold by its address, and is of no scenario', async () => {
  const probe = { id: 's', target: 'app', everyMinutes: 15, steps: [LOGIN, HEALTH] };
  expect(countRequests(probe)).toBe(2);
  expect(stepThresholds([probe])).toEqual({ 'app https://app.test/login': 100 });
  const { samples } = await run({});
  const stored = samples.map((sample) => ({ ...sample, origin: ORIGIN }));
  expect(scenarioGroups(stored)).toEqual([]);
  const [steps] = probesView(stored, { thresholds: stepThresholds([probe]) }).tables;
  expect(steps?.rows).toMatchObject([
    { template: '/health', threshold: null },
    { template: '/login', threshold: 100, within: 0 },
  ]);
});

test('a threshold belongs to a step’s address: not to other hosts, schemes or kinds of probes', async () => {
  const login = { url: 'https://app.example.com/login', thresholdMs: 100 };
  const away = { url: 'https://sso.example.com/login', thresholdMs: 900 };
  const plain = { url: 'http://app.example.com/login' };
  const schedule = [{ id: 's', target: 'app', everyMinutes: 15, steps: [login, away, plain] }];
  const thresholds = stepThresholds(schedule);
  const samples = [
    ...[
      { host: 'app.example.com', scheme: 'https' as const },
      { host: 'sso.example.com', scheme: 'https' as const },
      { host: 'app.example.com', scheme: 'http' as const },
    ].map((given) => makeSample({ ...given, target: 'app', template: '/login', source: 'probe-script' })),
    makeSample({ host: 'app.example.com', target: 'app', template: '/login', source: 'probe-https-new' }),
  ];
  const [steps] = probesView(samples, { thresholds }).tables;
  expect(steps?.rows.map(({ probe, address, threshold }) => [probe, address, threshold])).toEqual([
    ['probe-https-new', 'https://app.example.com', null],
    ['probe-script', 'http://app.example.com', null],
    ['probe-script', 'https://app.example.com', 100],
    ['probe-script', 'https://sso.example.com', 900],
  ]);
});

test('steps that share a row have a threshold only if they agree', () => {
  const of = (...steps: readonly { url: string; thresholdMs?: number }[]) =>
    Object.values(stepThresholds([{ target: 'app', steps }]));
  const url = 'https://app.example.com/search';
  expect(of({ url: `${url}?q=a`, thresholdMs: 100 }, { url: `${url}?q=b`, thresholdMs: 900 })).toEqual([null]);
  expect(of({ url: `${url}?q=a`, thresholdMs: 100 }, { url: `${url}?q=b` })).toEqual([null]);
  expect(of({ url, thresholdMs: 100 }, { url, thresholdMs: 900 }, { url, thresholdMs: 900 })).toEqual([null]);
  expect(of({ url: `${url}?q=a`, thresholdMs: 100 }, { url: `${url}?q=b`, thresholdMs: 100 })).toEqual([100]);
  expect(of({ url }, { url })).toEqual([]);
});

test('a row whose steps have different thresholds says so', () => {
  const samples = [makeSample({ host: 'app.example.com', target: 'app', template: '/search', source: 'probe-script' })];
  const thresholds = { 'app https://app.example.com/search': null };
  const rowIn = (texts: typeof ENGLISH_TABLES) => probesView(samples, { thresholds }, texts).tables[0]?.rows[0];
  expect(rowIn(ENGLISH_TABLES)).toMatchObject({ threshold: 'none: its steps differ', within: null });
  expect(rowIn(GERMAN_TABLES)).toMatchObject({ threshold: 'keine: verschiedene Schritte' });
});
