import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserSession, BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import { launchBrowser } from '../../collector/lab/browser/launch-browser.ts';
import { type Served, startServing, stop } from '../collector/command.ts';
import { asAdmin } from './as-admin.ts';
import { executableOf, ONE_ENGINE } from './fixture/engines.ts';
import { NO_ICON, startTestApp, type TestApp } from './fixture/test-app.ts';

const soon = { timeout: 30_000 };
/** Of the app's server, ms. */
const WAIT = 300;
const PAGE = `<!doctype html><title>ERP</title>${NO_ICON}<img src="/wait/${WAIT}/1.gif"><img src="/wait/${WAIT}/2.gif">`;

describe.each(ONE_ENGINE)('from an empty collector to a first finding by clicks alone in %s', (engine) => {
  let folder: string;
  let app: TestApp;
  let server: Served;
  let admin: BrowserSession;
  let user: BrowserSession;
  let tab: BrowserTab;
  let key = '';

  const next = () => tab.evaluate(`document.querySelector('[aria-current=step] strong')?.textContent`);
  const done = () => tab.evaluate(`document.querySelectorAll('.start-done').length`);
  const focused = () => tab.evaluate('document.activeElement.id || document.activeElement.textContent');
  const text = (selector: string) => tab.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent`);
  const valueAt = (selector: string, of = tab) => of.evaluate(`document.querySelector('${selector}')?.value`);
  const start = (extensionDir: string | null) =>
    launchBrowser({
      engine,
      executable: executableOf(engine),
      extensionDir,
      resolveHosts: null,
      trust: [],
      headless: true,
      extensionPages: extensionDir !== null,
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lastbyte-start-'));
    app = await startTestApp({ tls: null, roundTripMs: 0, pages: { '/': PAGE } });
    server = await startServing(folder);
    // A minute by default.
    const fast = { version: 1, targets: [], delivery: { intervalSeconds: 1 } };
    await asAdmin({ url: server.url, adminToken: server.adminToken ?? '' }, '/settings', {
      method: 'PUT',
      body: JSON.stringify(fast),
    });
    admin = await start(null);
    tab = await admin.open(`${server.url}/#token=${server.adminToken}`);
  });
  afterAll(async () => {
    await user?.close();
    await admin?.close();
    if (server) await stop(server);
    await app?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('an address is enough to watch an app', async () => {
    await expect.poll(next, soon).toBe('Choose the apps');
    expect(await done()).toBe(0);
    await type(tab, '#start-address', 'no address');
    await press(tab, 'Watch this app');
    await expect.poll(() => text('[aria-current=step] .problem'), soon).toContain('not an address');
    await type(tab, '#start-address', `http://127.0.0.1:${app.port}/`);
    await press(tab, 'Watch this app');
    await expect.poll(next, soon).toBe('Create a key for browsers');
    expect(await text('.start-done')).toContain(`Watching 127.0.0.1:${app.port}`);
  });

  it('then a key, which is shown', async () => {
    await press(tab, 'Create the key');
    await expect.poll(() => valueAt('#start-key'), soon).toMatch(/^lb_ingest_/);
    // The button is gone; the focus is on what replaced it.
    await expect.poll(focused, soon).toBe('start-key');
    key = String(await valueAt('#start-key'));
    await expect.poll(next, soon).toBe('Package the extension');
  });

  it('then packages, made by the collector for its address as browsers reach it', async () => {
    expect(await valueAt('#start-collector')).toBe(server.url);
    await type(tab, '#start-collector', 'lastbyte.example.com');
    await press(tab, 'Package now');
    await expect.poll(() => text('[aria-current=step] .problem'), soon).toContain('is not an address');
    // The browser does not submit what has to be accepted first.
    await type(tab, '#start-collector', 'http://lastbyte.example.com');
    await expect.poll(() => text('[aria-current=step] .notice'), soon).toContain('not encrypted');
    await press(tab, 'Package now');
    expect(await tab.evaluate(`document.querySelector('[aria-current=step] form').checkValidity()`)).toBe(false);
    await type(tab, '#start-collector', server.url);
    await press(tab, 'Package now');
    // While it works, too.
    expect(await focused()).toMatch(/^(?:Package now|Packaging …|Package again)$/);
    await expect.poll(next, soon).toBe('Install it in a browser');
    expect(await text('.start-steps')).toContain(`is packaged for ${server.url}`);
    expect(await focused()).toBe('Package again');
  });

  it('then a policy with the key in it', async () => {
    await choose(tab, '#policy-browser', engine);
    await choose(tab, '#policy-format', 'json');
    await type(tab, '#policy-site', 'Büro');
    await press(tab, 'Show the policy');
    await expect.poll(() => valueAt('.policy'), soon).toBeTruthy();
    expect(await focused()).toBe('Show the policy');
    const policy = JSON.parse(String(await valueAt('.policy')));
    const own = engine === 'chromium' ? policy['3rdparty'].extensions : policy.policies['3rdparty'].Extensions;
    expect(Object.values(own)).toEqual([{ collector: server.url, key, site: 'Büro' }]);
    // It was for another choice.
    await choose(tab, '#policy-format', 'plist');
    await expect.poll(() => valueAt('.policy'), soon).toBeUndefined();
  });

  it('then into a browser, which only needs the key', async () => {
    user = await start(join(folder, 'packages', engine));
    const options = await user.open(`${user.extensionOrigin}/options.html`);
    await expect.poll(() => options.evaluate(`document.getElementById('hint').textContent`), soon).toContain('below');
    const knows = engine === 'chromium'; // Firefox takes the address of updates only by https
    expect(await valueAt('#collector', options)).toBe(knows ? server.url : '');
    if (!knows) await type(options, '#collector', server.url);
    await type(options, '#key', key);
    await options.click('#save');
    const result = () => options.evaluate(`document.getElementById('result').textContent`);
    await expect.poll(result, soon).toContain('one app. Open an app in this browser');
    await options.close();
  });

  it('and to the first finding, which appears by itself', async () => {
    const page = await user.open(`http://127.0.0.1:${app.port}/`);
    await page.goto(`http://127.0.0.1:${app.port}/?again`);
    await expect
      .poll(() => text('h2.lead'), { timeout: 150_000 })
      .toMatch(/^127\.0\.0\.1, images: median (?:3\d\d|[4-9]\d\d|[\d.]+ s)/);
    await expect.poll(() => text('[data-hint="first-numbers"]'), soon).toContain('Findings become reliable');
    expect(await text('.eyebrow')).toContain(`127.0.0.1:${app.port}`);
    expect(await text('main')).not.toContain('no single cause');
    // Neither in the database nor in the packages, which everybody can download.
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    const contents = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
    expect(contents.length).toBeGreaterThan(10);
    expect(contents.filter((content) => content.includes(key))).toEqual([]);
  });
});

async function press(tab: BrowserTab, name: string): Promise<void> {
  const button = `[...document.querySelectorAll('button')].find((one) => one.textContent === ${JSON.stringify(name)})`;
  await expect.poll(() => tab.evaluate(`${button} !== undefined`), { ...soon, message: name }).toBe(true);
  // As the Enter key does it, with the focus on the button.
  await tab.evaluate(`(() => { const found = ${button}; found.focus(); found.click(); })()`);
}

async function type(tab: BrowserTab, selector: string, text: string): Promise<void> {
  await fill(tab, selector, text, 'input');
}

async function choose(tab: BrowserTab, selector: string, value: string): Promise<void> {
  await fill(tab, selector, value, 'change');
}

async function fill(tab: BrowserTab, selector: string, value: string, event: 'input' | 'change'): Promise<void> {
  await tab.evaluate(`(() => {
    const field = document.querySelector(${JSON.stringify(selector)});
    field.focus();
    field.value = ${JSON.stringify(value)};
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    if (${event === 'change'}) field.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
}
