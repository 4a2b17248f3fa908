import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserSession } from '../../collector/lab/browser/browser-session.ts';
import { findBrowser } from '../../collector/lab/browser/find-browser.ts';
import { launchBrowser } from '../../collector/lab/browser/launch-browser.ts';
import { fleetSamples } from '../unit/dashboard/sample-fleet.ts';
import { type DashboardCollector, startDashboardCollector } from './dashboard-collector.ts';

let collector: DashboardCollector;
let browser: BrowserSession;

beforeAll(async () => {
  collector = await startDashboardCollector(fleetSamples(Date.now()));
  const found = findBrowser('firefox');
  if (!found.ok) throw new Error(`${found.message} ${found.hint}`);
  browser = await launchBrowser({
    engine: 'firefox',
    executable: found.path,
    extensionDir: null,
    resolveHosts: null,
    trust: [],
    headless: true,
  });
});

afterAll(async () => {
  await browser?.close();
  await collector?.close();
});

it('shows hosts and charts in Firefox without policy violations', async () => {
  const tab = await browser.open(`${collector.url}/?open=all#token=${collector.adminToken}`);
  const count = (selector: string) => tab.evaluate(`document.querySelectorAll('${selector}').length`);
  const soon = { timeout: 30_000 };
  await expect.poll(() => count('.picture svg'), soon).toBe(1);
  await tab.evaluate(`(() => {
    globalThis.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
  })()`);
  await tab.click('[data-row^="erp.example.com document"] a');
  await expect.poll(() => count('.picture svg'), soon).toBe(7);
  expect(await count('.overview .row')).toBe(6);
  await tab.click('[data-add-filter]');
  await tab.click('[data-filter="site"]');
  await expect.poll(() => count('.choice'), soon).toBe(3);
  await tab.evaluate('history.back()');
  await expect.poll(() => count('.picture svg'), soon).toBe(1);
  expect(await tab.evaluate('violations')).toEqual([]);
  expect(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});
