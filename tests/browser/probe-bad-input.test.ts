import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProbedLadder } from '../../collector/probe/probe-browser.ts';
import { PATH_HOST } from '../../collector/target/target-site.ts';
import { ENGINES } from './fixture/engines.ts';
import { type ProbeLab, startProbeLab } from './fixture/probe-lab.ts';

describe.each(ENGINES)('a target that misbehaves, in %s', (engine) => {
  let lab: ProbeLab;
  beforeAll(async () => {
    lab = await startProbeLab(engine);
  });
  afterAll(() => lab.close());

  function reasons({ report }: ProbedLadder): Record<string, string | null> {
    return Object.fromEntries(report.scenarios.map(({ scenario, unavailable }) => [scenario, unavailable]));
  }

  test.each([
    ['/status/401/4k', 'status_401'],
    ['/status/500/4k', 'status_500'],
    ['/redirect/4k', 'redirected'],
    ['/slow/3000/4k', 'timeout'],
  ])('%s is %s for every scenario', async (path, reason) => {
    const ladder = await lab.probe('tls13', path, { warmups: 1, timeoutMs: 1_500 });
    expect(new Set(Object.values(reasons(ladder)))).toEqual(new Set([reason]));
    expect(ladder.samples.filter(({ excluded }) => excluded === null)).toEqual([]);
  });

  test('a certificate nobody trusts spoils https and leaves http alone', async () => {
    const found = reasons(await lab.probe('expired', '/4k', { warmups: 1 }));
    expect(found).toMatchObject({ 'http-new': null, 'http-reused': null });
    expect(found['https-new']).toMatch(/^error:(net::ERR_CERT_|TLS_OR_CERTIFICATE)/);
    expect(found['https-reused']).toBe(found['https-new']);
  });

  test('a body that changes its size is counted, and so is a target that is down', async () => {
    const varying = await lab.probe('tls13', '/varies', { repetitions: 3 });
    const discarded = varying.report.scenarios.map((scenario) => scenario.discarded.size_changed ?? 0);
    expect(discarded.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    const url = 'https://target.localhost:1/4k';
    const down = reasons(await lab.probe('tls13', '/4k', { url, otherUrl: null, warmups: 1 }));
    expect(down['https-new']).toMatch(/^error:/);
    expect(down['http-new']).toBe('no_permission');
  });

  test('once HSTS moves http to https, no run counts as http any more', async () => {
    const { report, samples } = await lab.probe('tls13', '/hsts/4k', { repetitions: 2 }, PATH_HOST);
    for (const { scenario, kept, discarded, unavailable } of report.scenarios) {
      const upgraded = scenario.startsWith('http-');
      expect([scenario, kept, unavailable]).toEqual([scenario, upgraded ? 0 : 2, null]);
      expect(discarded).toEqual(upgraded ? { https_upgrade: 2 } : {});
    }
    const counted = samples.filter(({ excluded }) => excluded === null);
    expect(counted.every(({ source, scheme }) => source.startsWith('probe-https-') && scheme === 'https')).toBe(true);
  });

  if (engine === 'chromium') {
    test('a server that refuses to be framed is measured all the same', async () => {
      const ladder = await lab.probe('h2', '/no-frame/4k', { repetitions: 2 });
      expect(ladder.report.scenarios).toContainEqual(
        expect.objectContaining({ scenario: 'https-new', method: 'credentialless_frame', kept: 2 }),
      );
    });
  }
});
