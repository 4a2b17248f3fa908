import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { type DrivenChromium, startDrivenChromium } from '../browser/fixture/driven-chromium.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type PackagedExtension, packageForTest } from '../browser/fixture/packaged-extension.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

const GRANTED: Target = { id: 'app', name: 'Orders', match: ['http://app.pages.test/*'] };
const DENIED: Target = {
  id: 'denied',
  name: 'Payroll',
  match: ['https://payroll.pages.test/*'],
  unlockTimings: ['cdn.pages.test'],
};
const DENIED_PATTERNS = ['https://payroll.pages.test/*', 'http://*.cdn.pages.test/*', 'https://*.cdn.pages.test/*'];
const VISITS = 6;

// Chromium alone: Firefox' driver may not open an extension's pages.
describe.runIf(ENGINES.includes('chromium'))('popup and options page', () => {
  let app: TestApp;
  let collector: TestCollector;
  let extension: PackagedExtension;
  let browser: DrivenChromium;
  let tab: Page;

  beforeAll(async () => {
    app = await startTestApp({
      tls: null,
      roundTripMs: 0,
      pages: { '/': '<title>ready</title>', '/counted': '<title>counted</title>' },
    });
    collector = await startTestCollector([GRANTED, DENIED]);
    extension = await packageForTest('chromium', collector, [GRANTED]);
    browser = await startDrivenChromium(extension.dir);
    tab = await browser.open('about:blank');
    // Before any page: a browser that is kept loading leaves its first look at the policies for later.
    await until('the extension asked for its settings', () => collector.settingsAsked() > 0);
    await until('the first sample arrived', async () => {
      await tab.goto(url('/'));
      return (await countOf('/')) > 0;
    });
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([app?.close(), collector?.close(), extension?.remove()]);
  });

  const url = (path: string) => `http://app.pages.test:${app.port}${path}`;
  const countOf = async (template: string) =>
    (await collector.samples()).filter((sample) => sample.template === template).length;

  async function open(name: 'popup' | 'options'): Promise<Page> {
    const page = await browser.open(`${browser.origin}/${name}.html`);
    await until(`${name} is filled`, async () => !/…/.test(await textOf(page, '#state')));
    return page;
  }

  async function textOf(page: Page, selector: string): Promise<string> {
    return ((await page.textContent(selector)) ?? '').replace(/\s+/g, ' ').trim();
  }

  async function shows(page: Page, selector: string, words: string | RegExp): Promise<void> {
    let shown = '';
    await until(`${selector} shows ${words}`, async () => {
      shown = await textOf(page, selector);
      return typeof words === 'string' ? shown.includes(words) : words.test(shown);
    }).catch((error) => expect(`${error}: ${shown}`).toBe(''));
  }

  async function faultsOf(page: Page): Promise<unknown[]> {
    const { violations } = await new AxeBuilder({ page }).analyze();
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  }

  test('have no fault that axe knows, in light and dark, with everything open', async () => {
    for (const name of ['popup', 'options'] as const) {
      const page = await open(name);
      if (name === 'popup') {
        await page.click('summary');
        await shows(page, '#sent-note', /last \d+ requests/);
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await faultsOf(page), `${name}, ${colorScheme}`).toEqual([]);
      }
      await page.close();
    }
  });

  test('the popup says what is missing, asks for exactly that, and a badge points at it', async () => {
    const page = await open('popup');
    expect(await textOf(page, '#state')).toBe('Measuring, but not everything');
    expect(await textOf(page, '#apps')).toContain('Orders allowed'.replace(' ', ''));
    expect(await page.evaluate('chrome.action.getBadgeText({})')).toBe('!');
    // The browser's own question can't be answered from here; what it is asked can be seen.
    await page.evaluate('chrome.permissions.request = async ({ origins }) => { document.title = origins.join(" "); }');
    await page.click('role=button[name="Allow measuring Payroll"]');
    await until('it was asked for', async () => (await page.title()) === DENIED_PATTERNS.join(' '));
    await shows(page, '#apps', 'Not measured: not allowed.');
    await page.evaluate(
      'chrome.permissions.request = async () => { throw new Error("Only permissions in the manifest"); }',
    );
    await page.click('role=button[name="Allow measuring Payroll"]');
    await shows(page, '#apps', 'The browser did not ask: Only permissions in the manifest');
    expect(await textOf(page, '#state')).toBe('Measuring, but not everything');
    expect(await textOf(page, '#apps')).toContain(
      'Unlocks timings from cdn.pages.test, for the app’s own scripts too.',
    );
    await page.close();
  });

  test('a package that may not ask for more offers no button that does nothing', async () => {
    const page = await open('popup');
    await page.addInitScript(
      '{ const all = chrome.runtime.getManifest(); delete all.optional_host_permissions; chrome.runtime.getManifest = () => all; }',
    );
    await page.reload();
    await shows(page, '#hint', 'This package of the extension does not include all apps.');
    await shows(page, '#apps', 'Not measured: this package of the extension does not include it.');
    expect(await page.locator('role=button[name="Allow measuring Payroll"]').count()).toBe(0);
    await page.close();
  });

  test('a background that has to wait for its browser is waited for, and the popup says so', async () => {
    const page = await open('popup');
    await page.addInitScript('chrome.runtime.sendMessage = () => new Promise(() => {});');
    await page.reload();
    await shows(page, '#hint', 'The browser is still reading its policies.');
    expect(await textOf(page, '#state')).toBe('One moment …');
    await page.close();
  });

  test('the popup lists what was sent, and the own median beside the one of all', async () => {
    for (let visit = 0; visit < VISITS; visit++) await tab.goto(url('/counted'));
    await until('they arrived', async () => (await countOf('/counted')) >= VISITS);
    const body = {
      version: 1,
      revision: 2,
      targets: [GRANTED],
      delivery: { intervalSeconds: 1 },
      typical: [{ target: 'app', type: 'document', medianMs: 1400, browsers: 30 }],
    };
    collector.door({ settings: { status: 200, body: JSON.stringify(body) } });
    const page = await open('popup');
    // The collector has them a moment before this browser knows so.
    const noted =
      'chrome.runtime.sendMessage({ kind: "sent" }).then((all) => all.filter((row) => row.template === "/counted").length)';
    await until('they are noted', async () => Number(await page.evaluate(noted)) >= VISITS);
    await page.evaluate('chrome.runtime.sendMessage({ kind: "refresh" }).then(() => true)');
    await page.reload();
    await shows(page, '#apps', /Page’s first answer ?\S+ ms you \(\d+\) ?1.4 sec all \(30\+\)/);
    expect(await textOf(page, '#state')).toBe('Measuring');
    expect(await page.evaluate('chrome.action.getBadgeText({})')).toBe('');
    await page.click('summary');
    await shows(page, '#sent', 'app.pages.test/counted');
    expect(await textOf(page, '#sent')).toMatch(/Orders · page · (new|reused) connection · .* ms/);
    await page.close();
  });

  test('a pause by keyboard stops measuring and sending until it is ended', async () => {
    const page = await open('popup');
    const order: string[] = [];
    for (let press = 0; press < 5; press++) {
      await page.keyboard.press('Tab');
      order.push(String(await page.evaluate('document.activeElement.textContent')));
    }
    expect(order).toEqual(['Options', 'For an hour', 'Until restart', 'Indefinitely', 'What was sent']);
    await page.locator('role=button[name="For an hour"]').focus();
    await page.keyboard.press('Enter');
    await shows(page, '#state', /^Paused until \S/);
    await until('the way back has the focus', async () =>
      page.evaluate('document.activeElement.textContent === "Resume measuring"'),
    );
    const registered = 'chrome.scripting.getRegisteredContentScripts().then((scripts) => scripts.length)';
    expect(await page.evaluate(registered)).toBe(0);
    await tab.goto(url('/paused'));
    await tab.goto(url('/paused'));
    await page.keyboard.press('Enter');
    await shows(page, '#state', 'Measuring');
    await tab.goto(url('/again'));
    await until('what came after arrived', async () => (await countOf('/again')) > 0);
    expect(await countOf('/paused')).toBe(0);
    await page.close();
  });

  test('the options page tells a wrong address, another server and a wrong key apart, and keeps none of them', async () => {
    const page = await open('options');
    const attempt = async (address: string, key: string, expected: string) => {
      await page.fill('#collector', address);
      await page.fill('#key', key);
      await page.keyboard.press('Enter');
      await shows(page, '#result', expected);
    };
    collector.door({ settings: 'open' });
    await attempt(`http://127.0.0.1:${app.port}`, 'x', 'Not saved: something answers at this address, but it is not');
    await attempt(collector.origin, 'lb_wrong', 'Not saved: the collector does not accept this key.');
    await attempt(`http://127.0.0.1:${app.port}`, '', 'Not saved: a different collector needs its own key.');
    expect(await textOf(page, '#enrolled-by')).toContain('Came with this extension');
    await attempt(`${collector.origin}/`, '', 'Saved. The collector answered with 2 apps.');
    expect(await textOf(page, '#enrolled-by')).toContain('Entered here.');
    expect(await page.content()).not.toContain(collector.key);
    await page.fill('#collector', 'http://lastbyte.example.com');
    expect(await page.isVisible('#collector-warning')).toBe(true);
    await page.fill('#collector', collector.origin);
    expect(await page.isVisible('#collector-warning')).toBe(false);
    await collector.goDown();
    await attempt(collector.origin, '', 'Saved, but nothing answers at this address.');
    await collector.comeUp();
    await page.close();
  });

  test('the random number can be forgotten, and with it the list of what was sent', async () => {
    const page = await open('options');
    const before = await textOf(page, '#client');
    expect(before).toMatch(/^[0-9a-f-]{36}$/);
    await page.click('#reset');
    await shows(page, '#reset-result', 'Forgotten.');
    await tab.goto(url('/renamed'));
    await until('the next sample arrived', async () => (await countOf('/renamed')) > 0);
    const clients = (await collector.samples()).map(({ template, origin }) => [template, origin.client]);
    expect(clients.find(([template]) => template === '/renamed')?.[1]).not.toBe(before);
    expect(clients.find(([template]) => template === '/counted')?.[1]).toBe(before);
    await page.close();
  });
});
