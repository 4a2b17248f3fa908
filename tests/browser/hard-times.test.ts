import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { type DrivenChromium, startDrivenChromium } from './fixture/driven-chromium.ts';
import { ENGINES } from './fixture/engines.ts';
import { type PackagedExtension, packageForTest } from './fixture/packaged-extension.ts';
import { startTestApp, type TestApp } from './fixture/test-app.ts';
import { startTestCollector, type TestCollector } from './fixture/test-collector.ts';
import { until } from './fixture/until.ts';

const TARGETS: Target[] = [{ id: 'app', name: 'App', match: ['http://app.hard.test/*'] }];
const HOUR_MS = 3_600_000;
const IMAGES = 60;
const HEAVY_PAGE = `<!doctype html><title>heavy</title>${Array.from({ length: IMAGES }, (_, index) => `<img src="/wait/0/heavy.gif?more=${index}">`).join('')}`;

// Chromium alone: clock and disk are set through its debugger.
describe.runIf(ENGINES.includes('chromium'))('hard times', () => {
  let app: TestApp;
  let collector: TestCollector;
  let extension: PackagedExtension;
  let browser: DrivenChromium;
  let tab: Page;
  let popup: Page;

  beforeAll(async () => {
    app = await startTestApp({
      tls: null,
      roundTripMs: 0,
      pages: { '/': '<title>ready</title>', '/heavy': HEAVY_PAGE },
    });
    collector = await startTestCollector(TARGETS);
    extension = await packageForTest('chromium', collector, TARGETS);
    browser = await startDrivenChromium(extension.dir);
    tab = await browser.open('about:blank');
    await until('the extension asked for its settings', () => collector.settingsAsked() > 0);
    await until('the first sample arrived', async () => {
      await tab.goto(url('/'));
      return (await countOf('/')) > 0;
    });
    popup = await browser.open(`${browser.origin}/popup.html`);
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([app?.close(), collector?.close(), extension?.remove()]);
  });

  const url = (path: string) => `http://app.hard.test:${app.port}${path}`;
  const countOf = async (template: string) =>
    (await collector.samples()).filter((sample) => sample.template === template).length;
  const facts = async () => {
    await popup.reload();
    await until('the popup is filled', async () => (await popup.textContent('#facts')) !== '');
    return (await popup.textContent('#facts')) ?? '';
  };

  test('a clock that is set back an hour while a page is open keeps times sane and nothing waiting', async () => {
    await tab.goto(url('/before-the-clock'));
    await setBack(tab, browser);
    await tab.evaluate('fetch("/wait/1/after-the-clock").then((answer) => answer.text())');
    const [sample] = await until('it arrived', async () => {
      const found = (await collector.samples()).filter(({ template }) => template.endsWith('/after-the-clock'));
      return found.length > 0 ? found : null;
    });
    expect(Math.abs((sample?.at ?? 0) - Date.now())).toBeLessThan(HOUR_MS / 2);
    expect(sample?.idleMs === null || (sample?.idleMs ?? -1) >= 0).toBe(true);
    await browser.context.serviceWorkers()[0]?.evaluate('Date.now = Date.realNow');
    expect(await countOf('/before-the-clock')).toBe(1);
  });

  test('a full disk: the oldest go, they are counted and shown, and the newest arrive', async () => {
    collector.door({ batches: { status: 500 } });
    // A batch that was sealed is not given up: what can go is what piles up behind it.
    const met = collector.bodies.length;
    await tab.goto(url('/sealed'));
    await until('a batch was sealed and refused', () => collector.bodies.length > met);
    await tab.goto(url('/heavy'));
    await tab.goto(url('/'));
    await until('much waits', async () => Number(/to be sent(\d+)/.exec(await facts())?.[1] ?? 0) > IMAGES);
    await fillDisk(browser);
    await tab.goto(url('/after-the-full-disk'));
    await tab.goto(url('/'));
    await until('something had to go', async () => /Never arrived[\d,]+ \(too much waited\)/.test(await facts()));
    collector.door({ batches: 'open' });
    await until('the newest arrived', async () => {
      await tab.goto(url('/'));
      return (await countOf('/after-the-full-disk')) > 0;
    });
    expect(await countOf('/after-the-full-disk')).toBe(1);
  });
});

/**
 * From now on the background's disk takes no more groups until some have gone. By hand, since Chromium's debugger sets no
 * quota for extensions.
 */
async function fillDisk({ context }: DrivenChromium): Promise<void> {
  await context.serviceWorkers()[0]?.evaluate(`
    globalThis.diskIsFull = true;
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...values) {
      if (diskIsFull && this.name === 'groups') throw new DOMException('The disk is full.', 'QuotaExceededError');
      return put.apply(this, values);
    };
    const remove = IDBCursor.prototype.delete;
    IDBCursor.prototype.delete = function () {
      if (this.source.name === 'groups') diskIsFull = false;
      return remove.apply(this);
    };`);
}

/** As a user or a time server does: for the page's content script and the background alike. */
async function setBack(page: Page, { context, origin }: DrivenChromium): Promise<void> {
  const back = `Date.realNow ??= Date.now; Date.now = () => Date.realNow() - ${HOUR_MS}`;
  await context.serviceWorkers()[0]?.evaluate(back);
  const session: CDPSession = await context.newCDPSession(page);
  const worlds: { id: number; origin: string }[] = [];
  session.on('Runtime.executionContextCreated', ({ context: world }) => worlds.push(world));
  await session.send('Runtime.enable');
  const own = await until('the content script is there', () => worlds.find((world) => world.origin === origin) ?? null);
  await session.send('Runtime.evaluate', { contextId: own.id, expression: back });
  await session.detach();
}
