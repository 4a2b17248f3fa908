import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import { findBrowser } from '../../collector/lab/browser/find-browser.ts';
import { launchBrowser } from '../../collector/lab/browser/launch-browser.ts';
import { BROWSER_ENGINES } from '../../shared/vocabulary/vocabulary.ts';
import { asAdmin } from './as-admin.ts';
import { type DashboardCollector, startDashboardCollector } from './dashboard-collector.ts';

const soon = { timeout: 30_000 };

describe.each(BROWSER_ENGINES)('an empty collector in %s', (engine) => {
  let collector: DashboardCollector;
  let close = async () => {};

  beforeAll(async () => {
    collector = await startDashboardCollector([]);
    const { tokens } = (await (await asAdmin(collector, '/tokens', {})).json()) as {
      tokens: { id: string; role: string }[];
    };
    for (const { id, role } of tokens) {
      if (role === 'ingest') await asAdmin(collector, `/tokens/${id}`, { method: 'DELETE' });
    }
  });
  afterAll(async () => {
    await close();
    await collector?.close();
  });

  it('is led from its first screen to saved apps and a key, which are ticked off', async () => {
    const found = findBrowser(engine);
    if (!found.ok) throw new Error(`${found.message} ${found.hint}`);
    const browser = await launchBrowser({
      engine,
      executable: found.path,
      extensionDir: null,
      resolveHosts: null,
      trust: [],
      headless: true,
    });
    close = () => browser.close();
    const tab = await browser.open(`${collector.url}/#token=${collector.adminToken}`);
    const done = () => tab.evaluate(`document.querySelectorAll('.start-done').length`);
    const next = () => tab.evaluate(`document.querySelector('[aria-current=step] strong')?.textContent`);
    await expect.poll(next, soon).toBe('Choose the apps');
    expect(await done()).toBe(0);

    await tab.click('[aria-current=step] a');
    await press(tab, 'Add an app');
    await type(tab, '#setting-targets-0-name', 'Größe');
    await type(tab, '#setting-targets-0-match', 'https://erp.example.com/*');
    await press(tab, 'Review and save');
    await expect.poll(() => tab.evaluate(`document.querySelector('.diff')?.textContent`), soon).toContain('groesse');
    await press(tab, 'Save');
    await expect
      .poll(() => tab.evaluate(`document.querySelector('.save-bar')?.textContent`), soon)
      .toContain('revision 1');
    await tab.click('.brand');
    await expect.poll(next, soon).toBe('Create a key for browsers');

    await tab.click('[aria-current=step] a');
    await press(tab, 'Create key');
    await expect.poll(() => tab.evaluate(`document.querySelector('#new-token')?.value`), soon).toMatch(/^lb_ingest_/);
    await press(tab, 'I have copied it');
    await tab.click('.brand');
    await expect.poll(next, soon).toBe('Package the extension');
    expect(await done()).toBe(2);
    expect(await tab.evaluate(`document.querySelector('.command code')?.textContent`)).toBe(
      `lastbyte package --collector ${collector.url}`,
    );
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
