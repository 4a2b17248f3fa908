import { expect, test } from 'vitest';
import { runSequence } from '../../../extension/probe/run-sequence.ts';
import type { RequestOutcome } from '../../../shared/probes/prove-request.ts';
import { toScenario } from '../../../shared/sample/scenario.ts';
import { fakeBrowser, outcome, REQUEST } from './fake-edges.ts';

const SCENARIOS = ['http-new', 'http-reused', 'https-new', 'https-reused'] as const;

test('keeps every run where the browser does what was asked, interleaved, and cleans up', async () => {
  const browser = fakeBrowser('chromium');
  const { report, samples } = await runSequence(REQUEST, browser);
  expect(report.scenarios).toEqual(
    SCENARIOS.map((scenario) => ({
      scenario,
      method: scenario.endsWith('new') ? 'close_header' : 'keep_alive',
      kept: 5,
      discarded: {},
      unavailable: null,
    })),
  );
  const counted = samples.filter(({ excluded }) => excluded === null);
  expect(counted.map(toScenario)).toEqual(Array.from({ length: 5 }, () => SCENARIOS).flat());
  expect(counted.every((sample) => sample.source === `probe-${toScenario(sample)}`)).toBe(true);
  expect(samples.filter(({ excluded }) => excluded === 'warmup')).toHaveLength(4);
  expect(browser.log[0]).toBe('begin app.test');
  expect(browser.log.at(-1)).toBe('end');
  expect(report).toMatchObject({ probe: 'p', stopped: null, requests: browser.log.length - 2 });
});

test('Chromium takes a fresh frame for HTTP/2, and knows that its handshake was a full one', async () => {
  const { report, samples } = await runSequence(REQUEST, fakeBrowser('chromium', 'h2'));
  expect(report.scenarios[2]).toMatchObject({ scenario: 'https-new', method: 'credentialless_frame', kept: 5 });
  const handshakes = samples.filter(({ source }) => source === 'probe-https-new').map(({ handshake }) => handshake);
  expect(handshakes).toEqual(Array.from({ length: 5 }, () => 'full'));
});

test('Firefox says that HTTP/2 leaves it no way to a new connection, unless it may wait or has a wildcard', async () => {
  const of = async (changed: Partial<typeof REQUEST>) => {
    const browser = fakeBrowser('firefox', 'h2');
    const { report, samples } = await runSequence({ ...REQUEST, ...changed }, browser);
    return { new: report.scenarios[2], samples, browser };
  };
  expect((await of({})).new).toMatchObject({ method: null, kept: 0, unavailable: 'no_method_for_protocol' });
  expect((await of({ idleWaitMs: 61_000 })).new).toMatchObject({ method: 'idle_wait', kept: 5 });
  const wildcard = await of({ wildcard: true });
  expect(wildcard.new).toMatchObject({ method: 'fresh_subdomain', kept: 5 });
  expect(wildcard.browser.log.some((line) => /^fetch https:\/\/lb[a-z0-9]{10}\.app\.test\/4k$/.test(line))).toBe(true);
  // The made-up names are no hosts of the target.
  expect(new Set(wildcard.samples.map(({ host }) => host))).toEqual(new Set(['app.test']));
});

test('asks again after a run on the wrong connection, and counts it when it stays so', async () => {
  const reused = (made: RequestOutcome): RequestOutcome => {
    const { entry } = made;
    return entry === null
      ? made
      : outcome({ ...entry, connectEnd: entry.connectStart, domainLookupEnd: entry.domainLookupStart });
  };
  const browser = fakeBrowser('firefox', 'http/1.1', reused);
  const { report, samples } = await runSequence({ ...REQUEST, repetitions: 2 }, browser);
  expect(report.scenarios[0]).toMatchObject({ scenario: 'http-new', kept: 0, discarded: { not_new: 2 } });
  expect(report.scenarios[1]).toMatchObject({ scenario: 'http-reused', kept: 2 });
  expect(samples.filter(({ excluded }) => excluded === 'unproven').map(({ source }) => source)).toContain(
    'probe-http-new',
  );
});

test.each<[string, Partial<RequestOutcome>]>([
  [
    'error:net::ERR_CONNECTION_REFUSED',
    { entry: null, status: null, finalUrl: null, error: 'net::ERR_CONNECTION_REFUSED' },
  ],
  ['timeout', { entry: null, status: null, finalUrl: null, error: 'timeout' }],
  ['status_401', { status: 401 }],
  ['status_500', { status: 500 }],
  ['redirected', { finalUrl: 'https://elsewhere.test/' }],
])('a target that always ends in %s costs its warm-up only; the other scheme goes on', async (reason, changed) => {
  const browser = fakeBrowser('chromium', 'http/1.1', (made, { url }) =>
    url.startsWith('https:') ? { ...made, ...changed } : made,
  );
  const { report } = await runSequence(REQUEST, browser);
  expect(report.scenarios.map(({ kept, unavailable }) => [kept, unavailable])).toEqual([
    [5, null],
    [5, null],
    [0, reason],
    [0, reason],
  ]);
});

test('a body that changes its size is not the same measurement', async () => {
  let size = 4096;
  const browser = fakeBrowser('chromium', 'http/1.1', (made) => {
    size += 1000;
    return outcome(made.entry && { ...made.entry, decodedBodySize: size });
  });
  const { report } = await runSequence(REQUEST, browser);
  expect(report.scenarios[0]).toMatchObject({ kept: 1, discarded: { size_changed: 4 } });
});

test('the kill switch stops it before the next round, the budget before the next run', async () => {
  let asked = 0;
  const killed = await runSequence(REQUEST, fakeBrowser('chromium'), async () => asked++ < 2);
  expect(killed.report).toMatchObject({
    stopped: 'switched_off',
    scenarios: [{ kept: 2 }, { kept: 2 }, { kept: 2 }, { kept: 2 }],
  });
  const browser = fakeBrowser('chromium');
  const { report } = await runSequence({ ...REQUEST, maxRequests: 10 }, browser);
  expect(report.stopped).toBe('budget');
  expect(report.requests).toBeLessThanOrEqual(11);
});

test('nothing is asked of a host that the user has not granted', async () => {
  const browser = { ...fakeBrowser('chromium'), permitted: async () => false };
  const { report, samples } = await runSequence(REQUEST, browser);
  expect(samples).toEqual([]);
  expect(report.scenarios.map(({ unavailable }) => unavailable)).toEqual(
    Array.from({ length: 4 }, () => 'no_permission'),
  );
  expect(browser.log).toEqual(['begin app.test', 'end']);
});
