import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserSession, BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { startMeasuredBrowser } from '../browser/fixture/measured-browser.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

const HOST = 'app.worker.test';
const TARGETS: Target[] = [{ id: 'app', name: 'App', match: [`https://${HOST}/*`] }];
const REGISTER = `<title>start</title><script>
navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => { document.title = 'ready'; });
</script>`;
/** What the worker's script takes before it can answer, ms. */
const START_MS = 400;
const PASS_ON = `for (const from = Date.now(); Date.now() < from + ${START_MS}; );
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => event.request.url.endsWith('/past') || event.respondWith(fetch(event.request)));`;

describe.each(ENGINES)('a service worker in %s', (engine) => {
  let app: TestApp;
  let collector: TestCollector;
  let browser: BrowserSession;
  let tab: BrowserTab;

  beforeAll(async () => {
    const certificate = await createServerCertificate([HOST], Date.now());
    app = await startTestApp({
      tls: { key: certificate.key, chain: certificate.chain },
      roundTripMs: 40,
      pages: {
        '/start': REGISTER,
        '/worker.js': PASS_ON,
        '/page': '<title>page</title>',
        '/cold': '<title>cold</title>',
        '/past': '<title>past</title>',
        '/after': '<title>after</title>',
      },
    });
    collector = await startTestCollector(TARGETS);
    browser = await startMeasuredBrowser(engine, collector, TARGETS, [certificate.authority], undefined, true);
    tab = await browser.open('about:blank');
    await until('the first sample arrived', async () => {
      await tab.goto(url('/start'));
      return (await collector.samples()).length > 0;
    });
    await until('the worker is there', async () => (await tab.evaluate('document.title')) === 'ready');
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([app?.close(), collector?.close()]);
  });

  const url = (path: string) => `https://${HOST}:${app.port}${path}`;

  /** As a developer does it; others are stopped by the browser after half a minute. */
  async function stopWorkers(): Promise<void> {
    const internals = await browser.open('chrome://serviceworker-internals');
    const own = `[...document.querySelectorAll('.serviceworker-registration')].find((one) => one.textContent.includes('${HOST}'))`;
    await until('the worker is stopped', async () => {
      await internals.evaluate(`[...(${own}?.querySelector('.worker-controls').children ?? [])]
        .find(({ textContent }) => textContent.trim() === 'Stop')?.click()`);
      return internals.evaluate(
        `${own}?.querySelector('.serviceworker-running-status').textContent.includes('STOPPED')`,
      );
    });
    await internals.close();
  }

  async function documentAt(template: string) {
    await tab.goto(url(template));
    await tab.goto(url('/after'));
    const [page] = await until(template, async () => {
      const pages = (await collector.samples()).filter((sample) => sample.template === template);
      return pages.length > 0 ? pages : null;
    });
    return page;
  }

  test('that passes a document on is what stood in between, and no redirect', async () => {
    const page = await documentAt('/page');
    expect(page).toMatchObject({ type: 'document', connection: 'worker', excluded: 'worker', times: { wait: null } });
    // Firefox says when the response was there, and not when it was asked for.
    if (engine === 'firefox') expect(page).toMatchObject({ times: { blocked: null, ttlb: null } });
    else expect(page?.times.ttlb).toBeGreaterThan(40_000);
  });

  if (engine === 'chromium') {
    test('that had to be started first made its user wait for that too', async () => {
      await stopWorkers();
      const { times, unknown } = (await documentAt('/cold')) ?? {};
      expect(times?.blocked).toBeGreaterThan(START_MS * 1000);
      expect(times?.ttlb).toBeGreaterThan((times?.blocked ?? Infinity) + 40_000);
      expect(unknown).toMatchObject({ dns: 'worker', tcp: 'worker', tls: 'worker', wait: 'worker' });
    });
  }

  test('that leaves a document to the browser is no redirect either', async () => {
    const page = await documentAt('/past');
    expect(page).toMatchObject({ type: 'document', status: 200, times: { redirect: engine === 'firefox' ? 0 : null } });
    expect(page?.excluded).toBe(engine === 'firefox' ? null : 'worker');
  });
});
