import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTemporaryProfile, type TemporaryProfile } from '../../collector/lab/browser/temporary-profile.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { targetPermissions } from '../../shared/settings/target-permissions.ts';
import { type DrivenChromium, startDrivenChromium } from '../browser/fixture/driven-chromium.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type PackagedExtension, packageForTest } from '../browser/fixture/packaged-extension.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

const WHAT_IT_TAKES = '{ permissions: ["declarativeNetRequestWithHostAccess", "webRequest"] }';
/** What the page's own script can read of the picture of another host: 0 where it is not told. */
const OWN_SCRIPT = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('third')).map(({ requestStart }) => requestStart)[0]`;

// Firefox gives these permissions with the package.
describe.runIf(ENGINES.includes('chromium'))('a package without the permissions that cost every page', () => {
  let app: TestApp;
  let collector: TestCollector;
  let extension: PackagedExtension;
  let browser: DrivenChromium;
  let tab: Page;
  let profile: TemporaryProfile;

  beforeAll(async () => {
    const third = (name: string) => `<img src="http://third.later.test:${app.port}/wait/1/${name}.gif">`;
    const pages: Record<string, string> = { '/': '<title>ready</title>' };
    app = await startTestApp({ tls: null, roundTripMs: 0, pages });
    for (const name of ['before', 'waiting', 'allowed', 'revoked'])
      pages[`/${name}`] =
        `<title>${name}</title>${third(name)}<script>fetch('/drop/${name}').catch(() => { document.title = 'done'; });</script>`;
    const target: Target = {
      id: 'app',
      name: 'Orders',
      match: [`http://app.later.test:${app.port}/*`],
      unlockTimings: ['third.later.test'],
    };
    collector = await startTestCollector([target]);
    extension = await packageForTest('chromium', collector, [{ match: targetPermissions(target) }]);
    profile = await createTemporaryProfile('chromium');
    browser = await startDrivenChromium(extension.dir, { profile });
    tab = await browser.open('about:blank');
    await until('the extension asked for its settings', () => collector.settingsAsked() > 0);
    await until('the first sample arrived', async () => {
      await tab.goto(url('/'));
      return (await collector.samples()).length > 0;
    });
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([app?.close(), collector?.close(), extension?.remove(), profile?.remove()]);
  });

  const url = (path: string) => `http://app.later.test:${app.port}${path}`;
  const openPopup = () => browser.open(`${browser.origin}/popup.html`);

  async function shows(popup: Page, state: string): Promise<void> {
    let shown: string | null = null;
    await until(`the popup says ${state}`, async () => {
      shown = await popup.textContent('#state');
      return shown === state;
    }).catch((error) => expect(`${error}: ${shown}`).toBe(''));
  }

  /** Visits the page; resolves with its failed request as the collector got it, and what its own script is told. */
  async function visit(name: string): Promise<{ failed: StoredSample; told: unknown }> {
    await tab.goto(url(`/${name}`));
    await until('the page is done', async () => (await tab.title()) === 'done');
    const told = await tab.evaluate(OWN_SCRIPT);
    await tab.goto(url('/'));
    const failed = await until(
      `the failure of /${name} arrived`,
      async () => (await collector.samples()).find(({ template }) => template === `/drop/${name}`) ?? null,
    );
    return { failed, told };
  }

  test('measures without them, and the popup asks for them', async () => {
    const { failed, told } = await visit('before');
    expect([failed.error, told]).toEqual([null, 0]);
    const popup = await openPopup();
    await shows(popup, 'Measuring, but not everything');
    expect(await popup.textContent('#apps')).toContain('Allow');
    await popup.close();
  });

  test('allowed with a click they have an effect from the next start of the browser on, and the popup says so', async () => {
    const popup = await openPopup();
    // Chromium has no question for these two, so that a click is all it takes.
    await popup.click('role=button[name="Allow measuring Orders"]');
    await until('the popup says so', async () =>
      /takes effect after the browser restarts/.test((await popup.textContent('#apps')) ?? ''),
    );
    expect(await popup.textContent('#hint')).toContain('Everything is allowed.');
    await popup.close();
    const meanwhile = await visit('waiting');
    expect([meanwhile.failed.error, meanwhile.told]).toEqual([null, 0]);
    await browser.close();
    browser = await startDrivenChromium(extension.dir, { profile });
    tab = await browser.open('about:blank');
    const again = await openPopup();
    await shows(again, 'Measuring');
    await again.close();
    const { failed, told } = await visit('allowed');
    expect(failed).toMatchObject({ error: 'net::ERR_EMPTY_RESPONSE', connectionEvidence: 'web_request_error' });
    expect(told).toBeGreaterThan(0);
  });

  test('taken away again nothing breaks, and the popup asks for them', async () => {
    const popup = await openPopup();
    await shows(popup, 'Measuring');
    expect(await popup.evaluate(`chrome.permissions.remove(${WHAT_IT_TAKES})`)).toBe(true);
    await until('it is noticed', async () => (await popup.evaluate('chrome.action.getBadgeText({})')) === '!');
    await popup.reload();
    await shows(popup, 'Measuring, but not everything');
    expect(await popup.textContent('#apps')).toContain('Allow');
    await popup.close();
    // Rules that are in force stay until the browser ends. Its settings have no switch for these two permissions.
    const { failed } = await visit('revoked');
    expect(failed).toMatchObject({ target: 'app', error: null });
  });
});
