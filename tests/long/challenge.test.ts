import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserSession, BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { startMeasuredBrowser } from '../browser/fixture/measured-browser.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

const HOST = 'app.challenge.test';
const TARGETS: Target[] = [{ id: 'app', name: 'App', match: [`http://${HOST}/*`] }];
const CHALLENGE_MS = 120;

/** The browser has the credentials, so it answers by itself, and the page sees one request. */
describe.each(ENGINES)('a challenge that %s answers by itself', (engine) => {
  let app: TestApp;
  let collector: TestCollector;
  let browser: BrowserSession;
  let tab: BrowserTab;

  beforeAll(async () => {
    app = await startTestApp({ tls: null, roundTripMs: 0, pages: { '/': '<title>ready</title>' } });
    collector = await startTestCollector(TARGETS);
    browser = await startMeasuredBrowser(engine, collector, TARGETS, [], undefined, true);
    tab = await browser.open('about:blank');
    await until('the first sample arrived', async () => {
      await tab.goto(`http://${HOST}:${app.port}/`);
      return (await collector.samples()).length > 0;
    });
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([app?.close(), collector?.close()]);
  });

  async function sampleOf(template: string) {
    const samples = await until(template, async () => {
      await tab.goto(`http://${HOST}:${app.port}/`);
      const fitting = (await collector.samples()).filter((sample) => sample.template === template);
      return fitting.length > 0 ? fitting : null;
    });
    expect(samples).toHaveLength(1);
    return samples[0];
  }

  test('is counted in Firefox, and told to nobody by Chromium', async () => {
    const told = engine === 'firefox' ? 'challenge' : null;
    await tab.goto(`http://user:password@${HOST}:${app.port}/secret/${CHALLENGE_MS}/page`);
    expect(await sampleOf('/secret/{n}/page')).toMatchObject({ type: 'document', status: 200, excluded: told });
    expect(app.asked.filter((path) => path.endsWith('/page'))).toHaveLength(2);
    const sent = `new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.open('GET', '/secret/${CHALLENGE_MS + 1}/call', true, 'user', 'password');
      request.onloadend = () => resolve(request.status);
      request.send();
    })`;
    expect(await tab.evaluate(sent)).toBe(200);
    expect(app.asked.filter((path) => path.endsWith('/call'))).toHaveLength(2);
    const call = await sampleOf('/secret/{n}/call');
    expect(call).toMatchObject({ status: 200, excluded: told });
    expect(call?.times.ttlb).toBeGreaterThanOrEqual(CHALLENGE_MS * 1000);
  });
});
