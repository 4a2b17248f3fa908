import { readFile } from 'node:fs/promises';
import type { Page, Request } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredSample } from '../../shared/sample/sample.ts';
import type { DashboardCollector } from '../browser/dashboard-collector.ts';
import { useDashboard } from '../browser/use-dashboard.ts';
import { ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';

const HOSTS = 150;
const HOUR_MS = 3_600_000;
const hostAt = (place: number) => `host-${String(place).padStart(3, '0')}.example.com`;

/** Two samples per host, each host slower than the one before: the table is in reverse order of names. */
function manyHosts(now: number): StoredSample[] {
  return Array.from({ length: 2 * HOSTS }, (_, i): StoredSample => {
    const host = i % HOSTS;
    const wait = PLAIN_SAMPLE.times.wait as number;
    const more = host * 1_000;
    const times = { ...PLAIN_SAMPLE.times, wait: wait + more };
    return {
      ...PLAIN_SAMPLE,
      origin: ORIGIN,
      at: now - HOUR_MS - i,
      host: hostAt(host),
      type: host === 0 ? 'script' : 'document',
      times: { ...times, ttfb: (times.ttfb as number) + more, ttlb: (times.ttlb as number) + more },
    };
  });
}

/** The page is idle only when `letIdle` is called, so that tests can observe the state before. */
async function holdIdle(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const held: IdleRequestCallback[] = [];
    let open = false;
    const run = () => {
      for (const act of held.splice(0)) act({ didTimeout: false, timeRemaining: () => 0 });
      if (open) setTimeout(run);
    };
    window.requestIdleCallback = (act) => held.push(act);
    Object.assign(window, {
      letIdle() {
        open = true;
        run();
      },
    });
  });
  return () => page.evaluate(() => (window as unknown as { letIdle(): void }).letIdle());
}

describe('many rows', () => {
  const dashboard = useDashboard(() => ({ samples: manyHosts(Date.now()) }));
  let page: Page;
  let collector: DashboardCollector;

  beforeEach(() => {
    ({ page, collector } = dashboard);
  });

  const rows = () => page.locator('.overview .row:not(.group-row)');
  const isOf = (name: string) => (request: Request) => new URL(request.url()).pathname === `/api/v1/${name}`;

  async function signIn(path = '/?open=all'): Promise<void> {
    await page.goto(`${collector.url}${path}#token=${collector.adminToken}`);
    await rows().first().waitFor();
  }

  it('are drawn for the screen at once, the rest when idle, and only then is the comparison requested', async () => {
    const letIdle = await holdIdle(page);
    const compared: string[] = [];
    page.on('request', (request) => isOf('compare')(request) && compared.push(request.url()));
    await signIn('/?open=all&sort=host&dir=asc');
    expect(await rows().count()).toBe(Math.ceil(900 / 37) - 1);
    const height = () => page.locator('.overview').evaluate((table) => table.parentElement?.scrollHeight ?? 0);
    const before = await height();
    expect(compared).toEqual([]);
    await rows()
      .first()
      .evaluate((row) => Object.assign(row, { isTheSame: true }));

    await letIdle();
    await expect.poll(() => rows().count()).toBe(HOSTS);
    // The reserved height was right: nothing moved while scrolling.
    expect(Math.abs((await height()) - before)).toBeLessThan(HOSTS);
    expect(await page.locator('.rows-to-come').isVisible()).toBe(false);
    const names = await page.locator('.member .host-box a').allTextContents();
    expect(names).toEqual([...names].sort());
    await expect.poll(() => page.locator('.change-loading').count()).toBe(0);
    // One of the apps, one of their hosts and types.
    expect(compared).toHaveLength(2);
    // Changes are written into the existing rows.
    expect(
      await rows()
        .first()
        .evaluate((row) => 'isTheSame' in row),
    ).toBe(true);
  });

  it('are ten at first; when all are shown, the focus goes on to the eleventh', async () => {
    // The only app is open.
    await signIn('/?sort=host');
    expect(await rows().count()).toBe(10);
    await page.getByRole('button', { name: `Show all ${HOSTS} rows` }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows().count()).toBe(HOSTS);
    const focused = page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(await focused).toBe(`Explain ${hostAt(10)} documents`);
  });

  it('are complete for printing, copying and saving before the page was idle', async () => {
    await holdIdle(page);
    await signIn();
    expect(await rows().count()).toBeLessThan(HOSTS);
    const csv = page.getByRole('button', { name: 'Download table overview as CSV' });
    const [saved] = await Promise.all([page.waitForEvent('download'), csv.click()]);
    const lines = await readFile(await saved.path(), 'utf8');
    expect(lines.trim().split('\n')).toHaveLength(1 + 1 + HOSTS);
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    expect(await rows().count()).toBe(HOSTS);
    // Print shows everything without scrolling.
    await page.emulateMedia({ media: 'print' });
    const last = await rows().last().boundingBox();
    const panel = await page.locator('.panel', { has: page.locator('.overview') }).boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual((panel?.y ?? 0) + (panel?.height ?? 0));
    expect(await page.locator('.overview-box').evaluate((box) => getComputedStyle(box).overflow)).toBe('visible');
    expect(await page.locator('#controls').isVisible()).toBe(false);
  });

  it('stay drawn up to the scroll position and the focus when the order changes', async () => {
    const letIdle = await holdIdle(page);
    await signIn('/?open=all&sort=host&dir=asc');
    await letIdle();
    await expect.poll(() => rows().count()).toBe(HOSTS);
    await page.evaluate(() => {
      // Never idle again.
      window.requestIdleCallback = () => 0;
    });
    const deep = page.getByRole('button', { name: `Explain ${hostAt(20)} documents` });
    await deep.focus();
    await page.evaluate(() => {
      const heading = document.querySelector<HTMLElement>('th.column-host button');
      heading?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    });
    await expect.poll(() => rows().first().textContent()).toContain(hostAt(HOSTS - 1));
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    // Now the 129th of 150.
    expect(await focused()).toBe(`Explain ${hostAt(20)} documents`);
    const drawn = await rows().count();
    expect(drawn).toBeGreaterThan(HOSTS - 21);
    expect(drawn).toBeLessThan(HOSTS);
    // Opening a detail redraws only its row and keeps the focus.
    await page.keyboard.press('Enter');
    await page.locator('.detail').getByText('Evidence').waitFor();
    expect(await focused()).toBe(`Explain ${hostAt(20)} documents`);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.detail').count()).toBe(0);
    expect(await rows().count()).toBe(drawn);
  });

  it('stay in place until the filtered data arrive, and the old comparison is aborted', async () => {
    await page.route('**/api/v1/compare?**', () => {
      // Never answered.
    });
    // It may be requested as soon as there are rows.
    const compared = page.waitForRequest(isOf('compare'));
    await signIn();
    await compared;
    await expect.poll(() => rows().count()).toBe(HOSTS);
    let answer: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v1/summary?*type=script*', async (route) => {
      await held;
      await route.continue();
    });
    await page.locator('[data-add-filter]').click();
    await page.locator('[data-filter=type]').click();
    await rows()
      .first()
      .evaluate((row) => {
        new MutationObserver(() => Object.assign(window, { wasMoved: !row.isConnected })).observe(document.body, {
          childList: true,
          subtree: true,
        });
      });
    const givenUp = page.waitForEvent('requestfailed', isOf('compare'));
    await page.getByRole('checkbox', { name: /^script/ }).check();
    await givenUp;
    await expect.poll(() => page.locator('.stand-in').getAttribute('inert')).toBe('');
    expect(await rows().count()).toBe(HOSTS);
    expect(await page.evaluate(() => (window as unknown as { wasMoved?: boolean }).wasMoved ?? false)).toBe(false);
    // Only the waiting panel has the name, so a query for a ready panel finds nothing yet.
    expect(await page.locator('[data-panel="Overview"]').getAttribute('data-state')).toBe('loading');
    answer();
    await expect.poll(() => rows().count()).toBe(1);
    expect(await page.locator('.stand-in').count()).toBe(0);
  });

  it('are requested in parallel to the session', async () => {
    // Without the comparison and the count of the week, which would be further requests.
    await signIn('/?open=all&against=off&range=7d');
    let answer: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v1/session', async (route) => {
      await held;
      await route.continue();
    });
    const summaries: string[] = [];
    page.on('request', (request) => isOf('summary')(request) && summaries.push(request.url()));
    const asked = page.waitForResponse((response) => isOf('summary')(response.request()));
    await page.reload();
    await asked;
    expect(await rows().count()).toBe(0);
    answer();
    await rows().first().waitFor();
    await expect.poll(() => page.locator('#status').textContent()).toMatch(/^Updated/);
    // The groups, and their rows because all are open. The headline, the HTTPS line and what the table leaves out are requested later.
    expect(summaries.filter((url) => !/long_lived|top=1|httpsCost/.test(url))).toHaveLength(2);
  });
});
