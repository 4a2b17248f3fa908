import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserSession, BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { startMeasuredBrowser } from '../browser/fixture/measured-browser.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

const HOSTS = { 'TLSv1.2': 'old.tls.test', 'TLSv1.3': 'new.tls.test' } as const;
const TARGETS: Target[] = [{ id: 'app', name: 'App', match: Object.values(HOSTS).map((host) => `https://${host}/*`) }];
const ROUND_TRIP_MS = 40;
const NEW_CONNECTIONS = 4;

describe.runIf(ENGINES.includes('firefox'))('TLS facts in firefox', () => {
  const apps = new Map<string, TestApp>();
  let collector: TestCollector;
  let browser: BrowserSession;
  let tab: BrowserTab;

  beforeAll(async () => {
    const certificate = await createServerCertificate(Object.values(HOSTS), Date.now());
    for (const tlsVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const app = await startTestApp({
        tls: { key: certificate.key, chain: certificate.chain },
        tlsVersion,
        fullHandshakes: true,
        roundTripMs: ROUND_TRIP_MS,
        pages: { '/': '<title>ready</title>' },
      });
      apps.set(tlsVersion, app);
    }
    collector = await startTestCollector(TARGETS);
    browser = await startMeasuredBrowser('firefox', collector, TARGETS, [certificate.authority]);
    tab = await browser.open('about:blank');
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([...[...apps.values()].map((app) => app.close()), collector?.close()]);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    '%s is named, and decides whether the wait needs a correction',
    async (version) => {
      const host = HOSTS[version];
      const ofHost = async () => (await collector.samples()).filter((sample) => sample.host === host);
      await tab.goto(`https://${host}:${apps.get(version)?.port}/?close=1`);
      await until('a request of the origin told its facts', async () => {
        await tab.evaluate(`fetch('/wait/0/first?close=1').then((answer) => answer.text())`);
        return (await ofHost()).some(({ tls }) => tls !== null);
      });
      // A busy machine gives Firefox the time to stop the background in between, which then has to ask again.
      let round = 0;
      const samples = await until('samples that know the facts of their connections', async () => {
        const name = `round-${String.fromCharCode(97 + round++)}`;
        await tab.evaluate(
          `Promise.all(Array.from({ length: ${NEW_CONNECTIONS} }, (_, index) => fetch('/wait/100/${name}?close=1&' + index).then((answer) => answer.text())))`,
        );
        const ofRound = await until('all samples arrived', async () => {
          const second = (await ofHost()).filter(({ template }) => template.endsWith(`/${name}`));
          return second.length >= NEW_CONNECTIONS ? second : null;
        });
        return ofRound.every(({ tls }) => tls !== null) ? ofRound : null;
      });
      for (const sample of samples) {
        const shown = JSON.stringify(sample);
        // Firefox may exchange the connections of two requests: one of them then waited while the other's was made.
        expect(['connect_took_time', 'taken_over'], shown).toContain(sample.connectionEvidence);
        expect(sample.tls, shown).toMatchObject({ version, keyExchange: expect.any(String) });
        expect(sample.tls?.cipher, shown).toMatch(/^TLS_/);
        expect(sample.tls?.issuer, shown).toContain('CN=');
        expect(sample.times.wait, shown).toBeGreaterThanOrEqual((100 + ROUND_TRIP_MS - 1) * 1000);
        // Firefox stamps full TLS 1.3 handshakes wrongly, and no others.
        expect(sample.responseMark, shown).toBe(version === 'TLSv1.3' ? 'web_request' : undefined);
      }
    },
  );
});
