import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserSession, BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { startMeasuredBrowser } from '../browser/fixture/measured-browser.ts';
import { NO_ICON, startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { type Doors, startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

const TARGETS: Target[] = [{ id: 'app', name: 'App', match: ['http://app.faults.test/*'] }];
const PATHS = ['/', '/patient', '/next', '/hanging', '/too-large', '/after-too-large', '/refused', '/accepted'];
const PAGES = Object.fromEntries(PATHS.map((path) => [path, `${NO_ICON}<title>ready</title>`]));
const JSON_TYPE = { 'content-type': 'application/json' };

function refusal(status: number, code: string, headers: Record<string, string> = {}) {
  return {
    status,
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ error: { code, message: '', hint: '' } }),
  };
}

describe.each(ENGINES)('a collector with faults and %s', (engine) => {
  let app: TestApp;
  let collector: TestCollector;
  let browser: BrowserSession;
  let tab: BrowserTab;

  beforeAll(async () => {
    app = await startTestApp({ tls: null, roundTripMs: 0, pages: PAGES });
    collector = await startTestCollector(TARGETS);
    browser = await startMeasuredBrowser(engine, collector, TARGETS, []);
    tab = await browser.open(url('/'));
    await until('the first sample arrived', async () => (await countOf('/')) > 0);
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([app?.close(), collector?.close()]);
  });

  const url = (path: string) => `http://app.faults.test:${app.port}${path}`;
  const countOf = async (path: string) =>
    (await collector.samples()).filter(({ template }) => template === path).length;

  async function arrived(path: string): Promise<void> {
    await until(`${path} arrived`, async () => (await countOf(path)) > 0).catch(async (error: Error) => {
      const popup = await browser.open(`${browser.extensionOrigin}/popup.html`);
      const status = await popup.evaluate('chrome.runtime.sendMessage({ kind: "status" }).then(JSON.stringify)');
      throw new Error(`${error.message}, ${app.asked}: ${status}`);
    });
  }

  /** The page's sample met this fault. */
  async function tried(batches: Doors['batches'], path: string | null): Promise<void> {
    const before = collector.bodies.length;
    collector.door({ batches });
    if (path !== null) await tab.goto(url(path));
    await until('a batch met the fault', () => collector.bodies.length > before);
  }

  test('sends again after 500, nonsense, a closed connection and 503 with Retry-After, and the collector counts once', async () => {
    await tried({ status: 500 }, '/patient');
    await tried({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Welcome to the hotel' }, null);
    await tried('cut', null);
    await tried(refusal(503, 'busy', { 'retry-after': '1' }), null);
    const waited = Date.now();
    await tried('open', null);
    expect(Date.now() - waited).toBeGreaterThanOrEqual(900); // its clock and ours, and whole seconds only
    await arrived('/patient');
    await tab.goto(url('/next'));
    await arrived('/next');
    expect(await countOf('/patient')).toBe(1);
  });

  test('gives up an answer that never comes, and sends the same batch again', async () => {
    await tried('silent', '/hanging');
    await tried('open', null);
    await arrived('/hanging');
    expect(await countOf('/hanging')).toBe(1);
  });

  test('drops a batch that is refused for good, and goes on', async () => {
    await tried(refusal(413, 'batch_too_large'), '/too-large');
    collector.door({ batches: 'open' });
    await tab.goto(url('/after-too-large'));
    await arrived('/after-too-large');
    expect(await countOf('/too-large')).toBe(0);
  });

  test('stops at a refused key and says so, and sends what waited once the key is accepted', async () => {
    await tried(refusal(401, 'invalid_token'), '/refused');
    collector.door({ batches: 'open' });
    let page = await browser.open(`${browser.extensionOrigin}/popup.html`);
    const textOf = async (id: string) =>
      String(await page.evaluate(`document.getElementById(${JSON.stringify(id)}).textContent`));
    // A popup asks once, when it opens: that may be before the background has read the refusal.
    await until('a popup tells of it', async () => {
      const state = await until('the popup has asked', async () => (await textOf('state')) || null);
      if (state === 'Key not accepted') return true;
      await page.close();
      page = await browser.open(`${browser.extensionOrigin}/popup.html`);
      return false;
    });
    await until('a badge points at it', async () => (await page.evaluate('chrome.action.getBadgeText({})')) === '!');
    const facts = await textOf('facts');
    expect(facts).toContain('Last problemThe collector refuses the key.');
    expect(facts).toMatch(/Waiting to be sent1\D.*Never arrived1 \(rejected as too large\)/);
    expect(await countOf('/refused')).toBe(0);
    await page.evaluate('chrome.runtime.sendMessage({ kind: "refresh" }).then(() => true)');
    await tab.goto(url('/accepted'));
    await arrived('/accepted');
    expect(await countOf('/refused')).toBe(1);
  });
});
