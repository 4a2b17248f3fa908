import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserSession, BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import { launchBrowser } from '../../collector/lab/browser/launch-browser.ts';
import { makePackages } from '../../collector/rollout/package/make-packages.ts';
import { buildExtension } from '../../extension/build-extension.mjs';
import { asAdmin } from './as-admin.ts';
import { type DashboardCollector, startDashboardCollector } from './dashboard-collector.ts';
import { executableOf, ONE_ENGINE } from './fixture/engines.ts';
import { NO_ICON, startTestApp, type TestApp } from './fixture/test-app.ts';

const soon = { timeout: 30_000 };
/** Of the app's server, ms. */
const WAIT = 300;
const PAGE = `<!doctype html><title>ERP</title>${NO_ICON}<img src="/wait/${WAIT}/1.gif"><img src="/wait/${WAIT}/2.gif">`;

describe.each(ONE_ENGINE)('from an empty collector to a first finding in %s', (engine) => {
  let folder: string;
  let app: TestApp;
  let collector: DashboardCollector;
  let browser: BrowserSession;
  let tab: BrowserTab;
  let key = '';

  const next = () => tab.evaluate(`document.querySelector('[aria-current=step] strong')?.textContent`);
  const done = () => tab.evaluate(`document.querySelectorAll('.start-done').length`);
  const text = (selector: string) => tab.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent`);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lastbyte-start-'));
    app = await startTestApp({ tls: null, roundTripMs: 0, pages: { '/': PAGE } });
    collector = await startDashboardCollector([], { packagesFolder: join(folder, 'packages') });
    const { tokens } = (await (await asAdmin(collector, '/tokens', {})).json()) as {
      tokens: { id: string; role: string }[];
    };
    for (const { id, role } of tokens) {
      if (role === 'ingest') await asAdmin(collector, `/tokens/${id}`, { method: 'DELETE' });
    }
    await buildExtension(join(folder, 'built'));
    await makePackages({
      source: join(folder, 'built'),
      out: join(folder, 'made'),
      targets: [{ match: ['http://127.0.0.1/*'] }],
      collector: collector.url,
      enrolment: null,
      onlyTargets: false,
      network: false,
      key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
      number: null,
      newId: false,
    });
    // Loaded before its step: one browser is enough. Without its key it does nothing.
    browser = await launchBrowser({
      engine,
      executable: executableOf(engine),
      extensionDir: join(folder, 'made', engine),
      resolveHosts: null,
      trust: [],
      headless: true,
      extensionPages: true,
    });
    tab = await browser.open(`${collector.url}/#token=${collector.adminToken}`);
  });
  afterAll(async () => {
    await browser?.close();
    await collector?.close();
    await app?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('leads to saved apps, also from the address of a page', async () => {
    await expect.poll(next, soon).toBe('Choose the apps');
    expect(await done()).toBe(0);
    // It would fail: there is nothing to package it for.
    expect(await text('.command code')).toBeUndefined();
    await tab.click('[aria-current=step] a');
    await press(tab, 'Add an app');
    await type(tab, '#setting-targets-0-name', 'Größe');
    await type(tab, '#setting-targets-0-match', `http://127.0.0.1:${app.port}/`);
    await type(tab, '#setting-delivery-intervalSeconds', '1');
    await press(tab, `Watch the whole site: http://127.0.0.1:${app.port}/*`);
    await press(tab, 'Review and save');
    await expect.poll(() => text('.diff'), soon).toContain('groesse');
    expect(await text('.diff')).toContain(`http://127.0.0.1:${app.port}/*`);
    await press(tab, 'Save');
    await expect.poll(() => text('.save-bar'), soon).toContain('revision 1');
    await expect.poll(() => text('.save-bar a'), soon).toBe('Back to the first steps');
    await tab.click('.save-bar a');
    await expect.poll(next, soon).toBe('Create a key for browsers');
  });

  it('then to a key', async () => {
    await tab.click('[aria-current=step] a');
    await press(tab, 'Create key');
    const shown = () => tab.evaluate(`document.querySelector('#new-token')?.value`);
    await expect.poll(shown, soon).toMatch(/^lb_ingest_/);
    key = String(await shown());
    await press(tab, 'I have copied it');
    await tab.click('.brand');
    await expect.poll(next, soon).toBe('Package the extension');
    expect(await done()).toBe(2);
  });

  it('then to a package, by a command that names this collector and its folder', async () => {
    expect(await text('.command code')).toBe(`lastbyte package --collector ${collector.url} --data ${folder}`);
    await cp(join(folder, 'made'), join(folder, 'packages'), { recursive: true });
    await expect.poll(next, soon).toBe('Install it in a browser');
  });

  it('then into a browser, which only needs the key', async () => {
    await tab.click('[aria-current=step] a');
    await expect.poll(() => text('.card li:last-child'), soon).toContain('Enter the key');
    const options = await browser.open(`${browser.extensionOrigin}/options.html`);
    const value = (id: string) => options.evaluate(`document.getElementById('${id}').value`);
    await expect.poll(() => options.evaluate(`document.getElementById('hint').textContent`), soon).toContain('below');
    const knows = engine === 'chromium'; // Firefox takes the address of updates only by https
    expect(await value('collector')).toBe(knows ? collector.url : '');
    expect(String(await text('.card li:last-child')).includes(collector.url)).toBe(!knows);
    if (!knows) await type(options, '#collector', collector.url);
    await type(options, '#key', key);
    await options.click('#save');
    const result = () => options.evaluate(`document.getElementById('result').textContent`);
    await expect.poll(result, soon).toContain('one app. Open an app in this browser');
    await options.close();
  });

  it('and to the first finding', async () => {
    const page = await browser.open(`http://127.0.0.1:${app.port}/`);
    await page.goto(`http://127.0.0.1:${app.port}/?again`);
    await expect
      .poll(
        async () => {
          await tab.goto(collector.url);
          await expect.poll(() => text('.lead, .start-steps'), soon).toBeTruthy();
          return text('h2.lead');
        },
        { timeout: 60_000 },
      )
      .toMatch(/^127\.0\.0\.1, images: median (?:3\d\d|[4-9]\d\d|[\d.]+ s)/);
    await expect.poll(() => text('[data-hint="first-numbers"]'), soon).toContain('Findings become reliable');
    expect(await text('.eyebrow')).toContain('Größe');
    expect(await text('main')).not.toContain('no single cause');
  });
});

async function press(tab: BrowserTab, name: string): Promise<void> {
  const button = `[...document.querySelectorAll('button')].find((one) => one.textContent === ${JSON.stringify(name)})`;
  await expect.poll(() => tab.evaluate(`${button} !== undefined`), { ...soon, message: name }).toBe(true);
  await tab.evaluate(`${button}.click()`);
}

async function type(tab: BrowserTab, selector: string, text: string): Promise<void> {
  await tab.evaluate(`(() => {
    const field = document.querySelector(${JSON.stringify(selector)});
    field.focus();
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  })()`);
}
