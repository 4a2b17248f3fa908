import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserSession, BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { putClockBack } from '../browser/fixture/inject-faults.ts';
import { startMeasuredBrowser } from '../browser/fixture/measured-browser.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';
import { rounds } from '../rounds.ts';

const TARGETS: Target[] = [{ id: 'app', name: 'App', match: ['http://app.failures.test/*'] }];
/** Each connection is cut without an answer. The frame is a page of the target itself; the page has no entry for it. */
const BROKEN = `<title>broken</title><img src="/drop/image.svg"><script src="/drop/script.js"></script>
<iframe src="/drop/frame"></iframe><script>fetch('/drop/call').catch(() => { document.title = 'done'; });</script>`;
/** More than a request's start and its failure may lie apart on two clocks that agree. */
const PUT_BACK_MS = 400;

/** `npm test` has time for every engine and every clock once, and not for all pairs. */
const PAIRS = ENGINES.flatMap((engine) => [0, PUT_BACK_MS].map((ms) => [engine, ms] as const));

describe.each(PAIRS.filter((_, index) => index % rounds(3, 1) === 0))(
  'failures in %s, whose clock was just put back by %i ms',
  (engine, putBackMs) => {
    let app: TestApp;
    let collector: TestCollector;
    let browser: BrowserSession;
    let tab: BrowserTab;

    beforeAll(async () => {
      app = await startTestApp({
        tls: null,
        roundTripMs: 0,
        pages: { '/': '<title>ready</title>', '/broken': BROKEN },
      });
      collector = await startTestCollector(TARGETS);
      browser = await startMeasuredBrowser(engine, collector, TARGETS, [], (dir) => putClockBack(dir, putBackMs), true);
      tab = await browser.open(url('/'));
      await until('the first sample arrived', async () => (await collector.samples()).length > 0);
    });

    afterAll(async () => {
      await browser?.close();
      await Promise.all([app?.close(), collector?.close()]);
    });

    const url = (path: string) => `http://app.failures.test:${app.port}${path}`;

    async function failed(): Promise<StoredSample[]> {
      return (await collector.samples()).filter(({ template }) => template.startsWith('/drop/'));
    }

    test('every failed request counts once, with its error, also where no page is left to tell', async () => {
      await tab.goto(url('/broken'));
      await until('the page is done', async () => (await tab.evaluate('document.title')) === 'done');
      await expect(tab.goto(url('/drop/document'))).rejects.toThrow();
      await until('all failures arrived', async () => (await failed()).length >= 5);
      await tab.goto(url('/after'));
      await until('what came later arrived too', async () =>
        (await collector.samples()).some(({ template }) => template === '/after'),
      );
      const samples = await failed();
      const names = samples.map(({ type, template }) => `${type} ${template}`).sort();
      // Chromium loads an error page again by itself: a request of its own each time.
      const documents = app.asked.filter((path) => path === '/drop/document').length;
      expect(names.filter((name) => name === 'document /drop/document').length).toBeGreaterThan(0);
      expect(names.filter((name) => name === 'document /drop/document').length).toBeLessThanOrEqual(documents);
      expect(names.filter((name) => name !== 'document /drop/document')).toEqual([
        'fetch /drop/call',
        'iframe /drop/frame',
        'image /drop/image.svg',
        'script /drop/script.js',
      ]);
      // The error page may be loading itself again when the tab goes on: that request is given up.
      const givenUp = (sample: StoredSample) => sample.type === 'document' && sample.error === 'net::ERR_ABORTED';
      expect(samples.filter((sample) => sample.type === 'document' && !givenUp(sample)).length).toBeGreaterThan(0);
      for (const sample of samples) {
        expect(sample, JSON.stringify(sample)).toMatchObject({
          target: 'app',
          connection: 'failed',
          connectionEvidence: 'web_request_error',
          excluded: 'failed',
          ...(givenUp(sample)
            ? {}
            : { error: engine === 'chromium' ? 'net::ERR_EMPTY_RESPONSE' : 'NS_ERROR_NET_RESET' }),
        });
        expect(sample.times.ttlb, JSON.stringify(sample)).not.toBeNull();
      }
    });
  },
);

test('without the permission that costs every page Chromium still counts each failed request of a page, only not why', async () => {
  const app = await startTestApp({
    tls: null,
    roundTripMs: 0,
    pages: { '/': '<title>ready</title>', '/broken': BROKEN, '/after': '<title>after</title>' },
  });
  const collector = await startTestCollector(TARGETS);
  const browser = await startMeasuredBrowser('chromium', collector, TARGETS, []);
  try {
    const url = (path: string) => `http://app.failures.test:${app.port}${path}`;
    const has = async (wanted: string) => (await collector.samples()).some(({ template }) => template === wanted);
    const tab = await browser.open(url('/'));
    await until('the first sample arrived', () => has('/'));
    await tab.goto(url('/broken'));
    await until('the page is done', async () => (await tab.evaluate('document.title')) === 'done');
    await tab.goto(url('/after'));
    await until('what came later arrived too', () => has('/after'));
    const failed = (await collector.samples()).filter(({ template }) => template.startsWith('/drop/'));
    expect(failed.map(({ type, template }) => `${type} ${template}`).sort()).toEqual([
      'fetch /drop/call',
      'image /drop/image.svg',
      'script /drop/script.js',
    ]);
    // Nothing of them is taken for an answer. One that was sent on to a host that hides its times would look like the pictures.
    for (const sample of failed) {
      const { connection, excluded, error, times } = sample;
      expect(['failed', 'unknown'], JSON.stringify(sample)).toContain(connection);
      expect(excluded, JSON.stringify(sample)).toBe(connection === 'failed' ? 'failed' : 'invalid');
      expect([error, times.wait], JSON.stringify(sample)).toEqual([null, null]);
    }
  } finally {
    await browser.close();
    await Promise.all([app.close(), collector.close()]);
  }
});
