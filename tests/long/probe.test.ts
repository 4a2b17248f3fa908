import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProbeResult } from '../../collector/lab/probe/probe-browser.ts';
import { SCENARIOS } from '../../shared/vocabulary/vocabulary.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { watchLateness } from '../browser/fixture/machine-lateness.ts';
import { type ProbeLab, ROUND_TRIP, SERVER_DELAY, startProbeLab } from '../browser/fixture/probe-lab.ts';
import { keptRuns, leastKept, medianOf, wrongLabels } from '../browser/fixture/sequence-truth.ts';

const MIN_KEPT = 0.9;
/** Tolerances for the timers of two browsers and a proxy, ms. A missing server delay would fall below the lower one. */
const WAIT_BELOW = 4;
const TLS_BELOW = 1;
const ABOVE = 12;
/** Of each kind, in the ladder of TLS 1.3. */
const REPETITIONS = 20;
const MAX_SECONDS = 3 * REPETITIONS;
/** Of the ladder that may take so long, those that warm up included. */
const REQUESTS = 5 * REPETITIONS;

describe.each(ENGINES)('the ladder in %s against what the server knows', (engine) => {
  let lab: ProbeLab;
  beforeAll(async () => {
    lab = await startProbeLab(engine);
  });
  afterAll(() => lab.close());

  function expectTrue(ladder: ProbeResult, repetitions: number): void {
    expect(wrongLabels(keptRuns(ladder, lab.truths()))).toEqual([]);
    expect(leastKept(ladder, repetitions), JSON.stringify(ladder.report.scenarios)).toBeGreaterThanOrEqual(MIN_KEPT);
  }

  function expectTls(ladder: ProbeResult, roundTrips: number, allowance: number): void {
    const rest = medianOf(ladder, 'https-new', 'tls') - ROUND_TRIP * roundTrips;
    expect(rest).toBeGreaterThanOrEqual(-TLS_BELOW);
    expect(rest).toBeLessThanOrEqual(ABOVE + allowance);
  }

  test(`TLS 1.3: four scenarios, ${REPETITIONS} repetitions, right labels and right times`, async () => {
    const lateness = watchLateness();
    const ladder = await lab.probe('tls13', '/4k', { repetitions: REPETITIONS });
    const allowance = lateness.allowance();
    expectTrue(ladder, REPETITIONS);
    expect(ladder.report.scenarios.map(({ scenario, method }) => [scenario, method])).toEqual([
      ['http-new', 'close_header'],
      ['http-reused', 'keep_alive'],
      ['https-new', 'close_header'],
      ['https-reused', 'keep_alive'],
    ]);
    const seconds = (ladder.report.endedAt - ladder.report.startedAt) / 1000;
    expect(seconds).toBeLessThan(MAX_SECONDS + (REQUESTS * allowance) / 1000);
    for (const scenario of SCENARIOS) {
      const rest = medianOf(ladder, scenario, 'wait') - ROUND_TRIP - SERVER_DELAY;
      expect(rest, scenario).toBeGreaterThanOrEqual(-WAIT_BELOW);
      expect(rest, scenario).toBeLessThanOrEqual(ABOVE + allowance);
    }
    expectTls(ladder, 1, allowance);
  });

  test('TLS 1.2, every handshake a full one: two round trips in Firefox, one in Chromium by False Start', async () => {
    const lateness = watchLateness();
    const ladder = await lab.probe('tls12-full', '/4k', { repetitions: 15 });
    const allowance = lateness.allowance();
    expectTrue(ladder, 15);
    expectTls(ladder, engine === 'firefox' ? 2 : 1, allowance);
    const fresh = ladder.samples.filter(({ source, excluded }) => source === 'probe-https-new' && excluded === null);
    expect(new Set(fresh.map(({ handshake }) => handshake))).toEqual(new Set(['full']));
    // Without a word from the server the version decides whether round trips can be counted. The first runs may miss it.
    expect(fresh.at(-1)?.tls?.version ?? null).toBe(engine === 'firefox' ? 'TLSv1.2' : null);
  });

  test('HTTP/2: a new connection by a fresh frame or a fresh name, or the reason why not', async () => {
    const ladder = await lab.probe('h2', '/4k', { repetitions: 8, wildcard: engine === 'firefox' });
    expectTrue(ladder, 8);
    const fresh = ladder.report.scenarios.find(({ scenario }) => scenario === 'https-new');
    expect(fresh?.method).toBe(engine === 'firefox' ? 'fresh_subdomain' : 'credentialless_frame');
    const runs = keptRuns(ladder, lab.truths()).filter(({ sample }) => sample.source === 'probe-https-new');
    for (const { sample, truth } of runs) expect([sample.handshake, truth.handshake]).toEqual(['full', 'full']);
    if (engine === 'chromium') return;
    const without = await lab.probe('h2', '/4k', { repetitions: 1 });
    expect(without.report.scenarios).toContainEqual(
      expect.objectContaining({ scenario: 'https-new', kept: 0, unavailable: 'no_method_for_protocol' }),
    );
  });
});
