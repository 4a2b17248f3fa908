import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProbeResult } from '../../collector/lab/probe/probe-browser.ts';
import { LAB_HOST, PATH_HOST } from '../../collector/lab/servers/lab-site.ts';
import { checksCertificates, whyNotChecked } from '../browser/fixture/checks-certificates.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type ProbeLab, startProbeLab } from '../browser/fixture/probe-lab.ts';

describe.each(ENGINES)('a target that misbehaves, in %s', (engine) => {
  const testOfCertificates = test.skipIf(!checksCertificates(engine));
  const whyNot = whyNotChecked(engine);
  let lab: ProbeLab;
  beforeAll(async () => {
    lab = await startProbeLab(engine);
  });
  afterAll(() => lab.close());

  function reasons({ report }: ProbeResult): Record<string, string | null> {
    return Object.fromEntries(report.scenarios.map(({ scenario, unavailable }) => [scenario, unavailable]));
  }

  /** Each pair in one ladder, one over https and one over http: what befalls the one leaves the other alone. */
  test.each([
    ['/status/401/4k', 'status_401', '/status/403/4k', 'status_403'],
    ['/status/500/4k', 'status_500', '/slow/600000/4k', 'timeout'],
    ['/redirect/4k', 'redirected', '/elsewhere/4k', 'redirected'],
  ])('%s is %s, %s is %s', async (path, reason, otherPath, otherReason) => {
    const ladder = await lab.probe('tls13', path, {
      otherUrl: lab.url('http', 'tls13', otherPath),
      warmups: 1,
      timeoutMs: otherReason === 'timeout' ? 2_000 : 10_000,
    });
    expect(reasons(ladder)).toEqual({
      'http-new': otherReason,
      'http-reused': otherReason,
      'https-new': reason,
      'https-reused': reason,
    });
    expect(ladder.samples.filter(({ excluded }) => excluded === null)).toEqual([]);
    // Redirects are not followed: nothing was agreed with whoever is there.
    expect(lab.truths().map((truth) => truth.path)).toEqual([otherPath, path]);
    if (reason !== 'redirected') return;
    expect(ladder.samples.map(({ excluded, status }) => [excluded, status])).toEqual([
      ['redirect', 302],
      ['redirect', 302],
    ]);
  });

  testOfCertificates(`a certificate nobody trusts spoils https and leaves http alone${whyNot}`, async () => {
    const found = reasons(await lab.probe('expired', '/4k', { warmups: 1 }));
    expect(found).toMatchObject({ 'http-new': null, 'http-reused': null });
    expect(found['https-new']).toMatch(/^error:(net::ERR_CERT_|TLS_OR_CERTIFICATE)/);
    expect(found['https-reused']).toBe(found['https-new']);
  });

  test('a body that changes its size is counted', async () => {
    const varying = await lab.probe('tls13', '/varies', { repetitions: 3 });
    const discarded = varying.report.scenarios.map((scenario) => scenario.discarded.size_changed ?? 0);
    expect(discarded.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  });

  test('a port that nobody listens at spoils https and leaves http alone', async () => {
    const url = `https://${LAB_HOST}:${await closedPort()}/4k`;
    const { report } = await lab.probe('tls13', '/4k', { url, warmups: 1 });
    for (const { scenario, kept, unavailable } of report.scenarios) {
      const isDown = scenario.startsWith('https-');
      expect([scenario, kept]).toEqual([scenario, isDown ? 0 : 1]);
      if (isDown) expect(unavailable).toMatch(/^error:(net::ERR_|NS_ERROR_)/);
      else expect(unavailable).toBeNull();
    }
  });

  testOfCertificates(`once HSTS moves http to https, no run counts as http any more${whyNot}`, async () => {
    const { report, samples } = await lab.probe('tls13', '/hsts/4k', { repetitions: 2 }, PATH_HOST);
    for (const { scenario, kept, discarded, unavailable } of report.scenarios) {
      const upgraded = scenario.startsWith('http-');
      expect([scenario, kept, unavailable]).toEqual([scenario, upgraded ? 0 : 2, null]);
      expect(discarded).toEqual(upgraded ? { https_upgrade: 2 } : {});
    }
    const counted = samples.filter(({ excluded }) => excluded === null);
    expect(counted.every(({ source, scheme }) => source.startsWith('probe-https-') && scheme === 'https')).toBe(true);
  });

  test.each(engine === 'firefox' ? ['/no-frame/4k'] : ['/no-frame/4k', '/download/4k', '/page'])(
    'what is not made for a frame is measured all the same, and nothing else is asked for: %s',
    async (path) => {
      const ladder = await lab.probe('h2', path, { repetitions: 2, wildcard: engine === 'firefox' });
      expect(ladder.report.scenarios).toContainEqual({
        scenario: 'https-new',
        // Firefox needs no frame.
        method: engine === 'firefox' ? 'fresh_subdomain' : 'credentialless_frame',
        kept: 2,
        discarded: {},
        unavailable: null,
      });
      expect(new Set(lab.truths().map((truth) => truth.path))).toEqual(new Set([path]));
    },
  );
});

/** Of a server that is gone. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
