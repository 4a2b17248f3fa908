import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProbedLadder } from '../../collector/probe/probe-browser.ts';
import type { RequestTruth } from '../../collector/target/server-truth.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import { SCENARIOS } from '../../shared/sample/vocabulary.ts';
import { exactDistribution } from '../../shared/statistics/exact-distribution.ts';
import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import { ENGINES } from './fixture/engines.ts';
import { watchLateness } from './fixture/machine-lateness.ts';
import { type ProbeLab, ROUND_TRIP, SERVER_DELAY, startProbeLab } from './fixture/probe-lab.ts';

/** What the numbers may be off on a quiet machine, ms: two browsers' and one proxy's timers. */
const WAIT_WITHIN = 4;
const TLS_BELOW = 1;
const TLS_ABOVE = 8;
const MIN_KEPT = 0.9;
const MAX_SECONDS = 60;
/** Of the ladder that may take so long, those that warm up included. */
const REQUESTS = 100;

describe.each(ENGINES)('the ladder in %s against what the server knows', (engine) => {
  let lab: ProbeLab;
  beforeAll(async () => {
    lab = await startProbeLab(engine);
  });
  afterAll(() => lab.close());

  /** Each kept run has exactly one request at the server within its time, since probes go one by one. */
  function compare({ samples }: ProbedLadder): { sample: Sample; truth: RequestTruth }[] {
    return samples
      .filter(({ excluded }) => excluded === null)
      .map((sample) => {
        const end = sample.at + (sample.times.ttlb ?? 0) / 1000;
        const within = lab.truths().filter(({ at }) => at >= sample.at - 1 && at <= end + 1);
        expect(within, `${sample.source} at ${sample.at}`).toHaveLength(1);
        return { sample, truth: within[0] as RequestTruth };
      });
  }

  function expectTrue(ladder: ProbedLadder, repetitions: number, scenarios: readonly string[] = SCENARIOS): void {
    for (const { scenario, kept, discarded } of ladder.report.scenarios) {
      if (!scenarios.includes(scenario)) continue;
      expect(kept / repetitions, `${scenario} ${JSON.stringify(discarded)}`).toBeGreaterThanOrEqual(MIN_KEPT);
    }
    for (const { sample, truth } of compare(ladder)) {
      expect(`${sample.scheme}-${truth.connection}`).toBe(sample.source.replace('probe-', ''));
      expect(sample.connection).toBe(truth.connection);
      if (sample.handshake !== 'unknown') expect(sample.handshake).toBe(truth.handshake);
    }
  }

  function median(samples: readonly Sample[], time: 'wait' | 'tls' | 'tcp'): number {
    const values = samples.filter(({ excluded }) => excluded === null).map(({ times }) => times[time]);
    return timeStatistics(exactDistribution(values.filter((value) => value !== null)), null)?.median ?? Number.NaN;
  }

  function expectTls(ladder: ProbedLadder, roundTrips: number, allowance: number): void {
    const fresh = ladder.samples.filter(({ source }) => source === 'probe-https-new');
    const rest = median(fresh, 'tls') - ROUND_TRIP * roundTrips;
    expect(rest).toBeGreaterThanOrEqual(-TLS_BELOW);
    expect(rest).toBeLessThanOrEqual(TLS_ABOVE + allowance);
  }

  test('TLS 1.3: four scenarios, twenty repetitions, right labels and right times', async () => {
    const lateness = watchLateness();
    const ladder = await lab.probe('tls13', '/4k', { repetitions: 20 });
    const allowance = lateness.allowance();
    expectTrue(ladder, 20);
    expect(ladder.report.scenarios.map(({ method }) => method)).toEqual(
      SCENARIOS.map((_, place) => (place % 2 === 0 ? 'close_header' : 'keep_alive')),
    );
    expect((ladder.report.endedAt - ladder.report.startedAt) / 1000).toBeLessThan(
      MAX_SECONDS + (REQUESTS * allowance) / 1000,
    );
    for (const scenario of SCENARIOS) {
      const own = ladder.samples.filter(({ source }) => source === `probe-${scenario}`);
      const rest = median(own, 'wait') - ROUND_TRIP - SERVER_DELAY;
      expect(rest, scenario).toBeGreaterThanOrEqual(-WAIT_WITHIN);
      expect(rest, scenario).toBeLessThanOrEqual(WAIT_WITHIN + allowance);
    }
    expectTls(ladder, 1, allowance);
  });

  test('TLS 1.2, every handshake a full one: two round trips in Firefox, one in Chromium by False Start', async () => {
    const lateness = watchLateness();
    const ladder = await lab.probe('tls12-full', '/4k', { repetitions: 15 });
    const allowance = lateness.allowance();
    expectTrue(ladder, 15);
    expectTls(ladder, engine === 'firefox' ? 2 : 1, allowance);
    const fresh = compare(ladder).filter(({ sample }) => sample.source === 'probe-https-new');
    expect(fresh.map(({ sample }) => sample.handshake)).toEqual(fresh.map(() => 'full'));
  });

  test('HTTP/2: a new connection by a fresh frame or a fresh name, or the reason why not', async () => {
    const ladder = await lab.probe('h2', '/4k', { repetitions: 8, wildcard: engine === 'firefox' });
    expectTrue(ladder, 8);
    const fresh = ladder.report.scenarios.find(({ scenario }) => scenario === 'https-new');
    expect(fresh?.method).toBe(engine === 'firefox' ? 'fresh_subdomain' : 'credentialless_frame');
    const handshakes = compare(ladder).filter(({ sample }) => sample.source === 'probe-https-new');
    for (const { sample, truth } of handshakes) expect([sample.handshake, truth.handshake]).toEqual(['full', 'full']);
    if (engine === 'chromium') return;
    const without = await lab.probe('h2', '/4k', { repetitions: 1 });
    expect(without.report.scenarios).toContainEqual(
      expect.objectContaining({ scenario: 'https-new', kept: 0, unavailable: 'no_method_for_protocol' }),
    );
  });
});
