import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserSession, BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';
import { isUndivided } from '../../collector/reductions/set-up.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { startMeasuredBrowser } from '../browser/fixture/measured-browser.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

const HOST = 'app.wait.test';
const TARGETS: Target[] = [{ id: 'app', name: 'App', match: [`https://${HOST}/*`] }];
const ROUND_TRIP_MS = 40;
const PARALLEL = 10;
/** One step of the coarser clock. */
const CLOCK_STEP_MS = 1;

/**
 * Firefox stamps responseStart one round trip after the request on exactly these connections: new, TLS 1.3 with a full
 * handshake, HTTP/1.1. Ten at once queue for six connections. Chromium has to pass the same test.
 */
describe.each(ENGINES)('wait on new TLS 1.3 connections in %s', (engine) => {
  let app: TestApp;
  let collector: TestCollector;
  let browser: BrowserSession;
  let tab: BrowserTab;

  beforeAll(async () => {
    const certificate = await createServerCertificate([HOST], Date.now());
    app = await startTestApp({
      tls: { key: certificate.key, chain: certificate.chain },
      fullHandshakes: true,
      roundTripMs: ROUND_TRIP_MS,
      pages: { '/': '<title>ready</title>' },
    });
    collector = await startTestCollector(TARGETS);
    browser = await startMeasuredBrowser(engine, collector, TARGETS, [certificate.authority]);
    tab = await browser.open('about:blank');
    await until('the first sample arrived', async () => {
      await tab.goto(`https://${HOST}:${app.port}/?close=1`);
      return (await collector.samples()).length > 0;
    });
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([app?.close(), collector?.close()]);
  });

  test.each([
    [0, 'nothing'],
    [100, 'little'],
    [300, 'much'],
  ])('shows a server time of %i ms', async (serverMs, name) => {
    const seenByPage = (await tab.evaluate(waitsSeenByPage(serverMs, name))) as number[];
    const samples = await until('all samples arrived', async () => {
      const fitting = (await collector.samples()).filter(({ template }) => template.includes(name));
      return fitting.length >= PARALLEL ? fitting : null;
    });
    expect(samples).toHaveLength(PARALLEL);
    // One socket may have been connected before it was needed: Chromium does so, and it then looks reused.
    expect(samples.filter(({ connection }) => connection === 'new').length).toBeGreaterThanOrEqual(PARALLEL - 1);
    const unknown = samples.filter(({ times }) => times.wait === null);
    // Where the machine is so busy that an event lags behind the end of its response, the wait can't be trusted.
    expect(unknown.map((sample) => sample.unknown.wait)).toEqual(unknown.map(() => 'firefox_tls13'));
    expect(unknown.length).toBeLessThanOrEqual(engine === 'firefox' ? PARALLEL / 2 : 0);
    const waits = samples.flatMap(({ times }) => (times.wait === null ? [] : times.wait / 1000)).sort((a, b) => a - b);
    const shown = `${engine}, server ${serverMs} ms: measured ${waits.join(' ')}; page ${seenByPage.join(' ')}`;
    expect(waits[0], shown).toBeGreaterThanOrEqual(serverMs + ROUND_TRIP_MS - CLOCK_STEP_MS);
    for (const [index, wait] of waits.entries()) {
      // The unknown ones may have been the shortest.
      expect(wait, shown).toBeLessThanOrEqual((seenByPage[index + unknown.length] ?? 0) + 2 * CLOCK_STEP_MS);
    }
    for (const sample of samples) {
      const { blocked, dns, tcp, tls, wait, receive, ttlb } = sample.times;
      const sum = [blocked, dns, tcp, tls, wait, receive].reduce<number>((total, time) => total + (time ?? 0), 0);
      // Without a lookup it is unknown whose connection it was, only what it took.
      if (isUndivided(sample) || wait === null) expect(sum).toBeLessThanOrEqual(ttlb ?? 0);
      else expect(sum).toBe(ttlb);
    }
  });
});

/**
 * From requestStart until the page itself has the answer's headers, sorted, ms: true waits are no longer, however busy
 * the machine is. Physics gives the other bound.
 */
function waitsSeenByPage(serverMs: number, name: string): string {
  return `Promise.all(Array.from({ length: ${PARALLEL} }, async (_, index) => {
    const url = new URL('/wait/${serverMs}/${name}/' + index + '?close=1&rest=100', location.href).href;
    const answer = await fetch(url);
    const headersAt = performance.now();
    await answer.text();
    return { url, headersAt };
  })).then(async (answers) => {
    const entries = () => answers.map(({ url }) => performance.getEntriesByName(url)[0]);
    while (entries().includes(undefined)) await new Promise((resolve) => setTimeout(resolve, 10));
    return entries().map((entry, index) => answers[index].headersAt - entry.requestStart).sort((a, b) => a - b);
  })`;
}
