import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserSession, BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { startMeasuredBrowser } from '../browser/fixture/measured-browser.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

const TARGETS: Target[] = [
  { id: 'app', name: 'App', match: ['http://app.hostile.test/*'], serverTimingMetrics: ['__proto__', 'constructor'] },
];
const MEGABYTE = 1024 * 1024;
/** The script's own limit of 20,000 would take a browser minutes to reach. */
const LIMIT = 200;
const FLOOD = 600;

/** Everything a page can put in the way of its own measurement. */
const HOSTILE = `<!doctype html><title>hostile</title><script>
const lie = () => { throw new Error('no'); };
for (const name of ['now', 'getEntries', 'getEntriesByType', 'getEntriesByName']) performance[name] = lie;
Object.defineProperty(performance, 'timeOrigin', { value: 0 });
globalThis.PerformanceObserver = lie;
globalThis.requestIdleCallback = lie;
globalThis.lastbyteCaptures = true;
Array.prototype.push = lie;
Object.prototype.entryType = 'mark';
performance.setResourceTimingBufferSize(0);
setInterval(() => performance.clearResourceTimings(), 1);
dispatchEvent(new Event('pagehide'));
document.dispatchEvent(new Event('visibilitychange'));
dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
</script><img src="/wait/1/plain.svg"><img src="/wait/1/__proto__?__proto__=1#__proto__"><img src="/wait/1/constructor/toString.svg">
<script>fetch('/wait/1/long?' + 'x'.repeat(4000)).then(() => { document.title = 'done'; });
new Image().src = '/' + 'wait'.repeat(${MEGABYTE} / 4);</script>`;

/** Floods its timeline with 100,000 entries of its own making, and the network with more requests than are passed on. */
const FLOODING = `<!doctype html><title>flooding</title><script>
for (let i = 0; i < 100000; i++) performance.mark('mark' + i);
(async () => {
  for (let i = 0; i < ${FLOOD}; i += 50)
    await Promise.all(Array.from({ length: 50 }, (_, more) => fetch('/wait/0/flood/' + i + more).then((got) => got.text())));
  document.title = 'done';
})();
</script>`;

describe.each(ENGINES)('a hostile page in %s', (engine) => {
  let app: TestApp;
  let collector: TestCollector;
  let browser: BrowserSession;
  let tab: BrowserTab;

  beforeAll(async () => {
    app = await startTestApp({
      tls: null,
      roundTripMs: 0,
      pages: { '/': '<title>ready</title>', '/hostile': HOSTILE, '/flooding': FLOODING },
    });
    collector = await startTestCollector(TARGETS);
    browser = await startMeasuredBrowser(engine, collector, TARGETS, [], lowerLimit);
    tab = await browser.open(url('/'));
    await until('the first sample arrived', async () => (await collector.samples()).length > 0);
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([app?.close(), collector?.close()]);
  });

  const url = (path: string) => `http://app.hostile.test:${app.port}${path}`;
  const of = async (template: string): Promise<StoredSample[]> =>
    (await collector.samples()).filter((sample) => sample.template === template);

  test('is measured all the same', async () => {
    await tab.goto(url('/hostile'));
    await until('the page is done', async () => (await tab.evaluate('document.title')) === 'done');
    await tab.goto(url('/after'));
    await until('the next page arrived', async () => (await of('/after')).length > 0);
    for (const template of ['/hostile', '/wait/{n}/plain.svg', '/wait/{n}/__proto__', '/wait/{n}/long']) {
      const samples = await until(`${template} arrived`, async () => {
        const found = await of(template);
        return found.length > 0 ? found : null;
      });
      expect(samples, template).toHaveLength(1);
      expect(samples[0], template).toMatchObject({ host: 'app.hostile.test', status: 200, excluded: null });
      expect(Math.abs((samples[0]?.at ?? 0) - Date.now())).toBeLessThan(120_000);
    }
    expect(collector.bodies.join()).not.toContain('xxxx');
    expect(Math.max(...collector.bodies.map((body) => body.length))).toBeLessThan(MEGABYTE);
  });

  test('that floods is passed on up to the limit, and what lies beyond is counted', async () => {
    await tab.goto(url('/flooding'));
    await until('the page is done', async () => (await tab.evaluate('document.title')) === 'done');
    const lost = () => (JSON.parse(collector.bodies.at(-1) ?? '{}') as Partial<WireBatch>).status?.lost?.flood ?? 0;
    const passedOn = async () =>
      (await collector.samples()).filter(({ template }) => /^\/(wait\/.*\/flood|flooding)/.test(template)).length;
    // Told with the samples of whatever comes next.
    await until('each is there or counted', async () => {
      await tab.goto(url('/after-the-flood'));
      return (await passedOn()) + lost() > FLOOD;
    });
    expect(await passedOn()).toBeLessThanOrEqual(LIMIT);
    expect(await passedOn()).toBeGreaterThanOrEqual(LIMIT - 1); // one may be the icon that a browser asks for by itself
    expect((await passedOn()) + lost()).toBeLessThanOrEqual(FLOOD + 2); // with the page and that icon
  });
});

async function lowerLimit(extensionDir: string): Promise<void> {
  const file = join(extensionDir, 'content.js');
  const script = await readFile(file, 'utf8');
  expect(script.split('=2e4')).toHaveLength(2);
  await writeFile(file, script.replace('=2e4', `=${LIMIT}`));
}
