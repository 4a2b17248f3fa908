import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { probePaths } from '../../collector/analysis/probes/probe-paths.ts';
import { formatMs } from '../../collector/dashboard/text/format.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import { asAdmin } from '../browser/as-admin.ts';
import type { DashboardCollector } from '../browser/dashboard-collector.ts';
import { useDashboard } from '../browser/use-dashboard.ts';
import { PROBING_SETTINGS, probeSamples, statusOf } from '../unit/dashboard/probing-fleet.ts';
import { fleetSamples } from '../unit/dashboard/sample-fleet.ts';

/** A hostile name of a browser, site or probe; ingest accepts it. */
const HOSTILE = '<img src=x onerror="document.title=1">"\'&lt;';
const DAY = 24 * 3_600_000;

let samples: readonly StoredSample[] = [];

const dashboard = useDashboard(() => {
  const now = Date.now();
  const fleet = fleetSamples(now);
  samples = [
    ...fleetSamples(now - DAY, 20 * 3_600_000, 8),
    ...fleet,
    ...fleet.slice(0, 60).map(hostile),
    ...probeSamples(now),
  ];
  return { samples, settings: PROBING_SETTINGS, status: (client) => statusOf(client, now) };
});

describe('probes, comparison and evidence', () => {
  let page: Page;
  let collector: DashboardCollector;

  beforeEach(() => {
    ({ page, collector } = dashboard);
  });

  async function open(view: string, token = collector.adminToken): Promise<void> {
    await page.goto('about:blank');
    await page.goto(`${collector.url}/?view=${view}#token=${token}`);
    await ready();
  }

  /** Waits until everything on the page is loaded or has failed. */
  async function ready(): Promise<void> {
    await page.locator('.view-head, .state, .compare-form').first().waitFor();
    await expect.poll(() => page.locator('[aria-busy=true], .bone').count()).toBe(0);
  }

  const lead = () => page.locator('.view-head .lead').innerText();
  const own = (name: string) => new URL(page.url()).searchParams.get(name);

  /** A table's first row with this text. */
  const row = (table: string, text: string) =>
    page.locator(`[data-table="${table}"] tbody tr`, { hasText: text }).first();

  it('shows results of probes beside users’ times, by path', async () => {
    await open('probes');
    const paths = probePaths(
      samples.filter(({ at, source }) => source !== 'page' && at > Date.now() - DAY),
      [],
      [],
    );
    const path = page.locator('.path', { hasText: 'ERP from Porto' });
    await path.locator('summary').first().click();
    const porto = paths.find(({ site }) => site === 'Porto');
    const fresh = porto?.scenarios.find(({ scenario }) => scenario === 'https-new');
    const line = path.locator('tbody tr', { hasText: 'HTTPS, everything new' }).first();
    const cells = await line.locator('td').allInnerTexts();
    expect(cells.slice(0, 4)).toEqual([
      formatMs(fresh?.probes?.median ?? NaN),
      formatMs(fresh?.probes?.p95 ?? NaN),
      String(fresh?.kept),
      String(fresh?.runs),
    ]);
    expect(cells.join(' ')).toContain('an existing connection was used');
    expect(cells.join(' ')).toContain('Connection: close');
    expect(await path.locator('.path-sentence').innerText()).toMatch(
      /^On this path HTTPS costs [\d.]+ ms per request on a reused connection, \d+ ms when everything is new; users here reuse \d+ % of the time: [\d.]+ ms a request\.$/,
    );
    await expect.poll(() => page.locator('[data-chart="Availability over time"] svg').count()).toBe(1);
    const calendar = page.getByRole('img', { name: /from Lyon: 91 %/ });
    expect(await calendar.getAttribute('aria-label')).toContain('from Porto: 100 %');
    expect(await row('failures', '/login').innerText()).toContain('net::ERR_CONNECTION_REFUSED');
    // The slowest site sometimes exceeds the threshold of a step, which the bar beside it shows.
    expect(await row('steps', '/orders').locator('.threshold').getAttribute('aria-label')).toMatch(/ of 160 ms$/);
    await page.getByRole('button', { name: 'Median ms', exact: true }).first().click();
    await expect.poll(() => own('sort.steps')).toBe('-median');
    await page.locator('[data-add-filter]').click();
    await page.locator('[data-filter=site]').click();
    await page.getByRole('checkbox', { name: /^Porto/ }).check();
    await expect.poll(() => page.locator('.path').count()).toBe(1);
  });

  it('suggests what to do if no probes ran, and links to the settings', async () => {
    await open('probes&target=crm');
    await page.getByRole('heading', { name: 'No probes ran' }).waitFor();
    await page.getByRole('link', { name: 'Add a probe' }).click();
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    expect(own('part')).toBe('probes');
  });

  it('compares two sites and two ranges, and a link restores the comparison', async () => {
    await open('compare');
    expect(
      await page
        .locator('#compare-a, #compare-b')
        .evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value)),
    ).toEqual(['http-new', 'https-new']);
    await page.getByLabel('Compare', { exact: true }).selectOption('range');
    await page.getByLabel('Group by').selectOption('none');
    await expect.poll(lead).toMatch(/(slower|faster) than before \(.* with 95 % certainty\)\.|No certain change/);
    await page.getByLabel('Compare', { exact: true }).selectOption('site');
    await page.getByRole('heading', { name: 'Choose what to compare' }).waitFor();
    await expect.poll(() => page.locator('#compare-a option').allInnerTexts()).toContain('Porto');
    await page.getByLabel('Compare site').selectOption('Berlin');
    await expect.poll(() => own('a')).toBe('Berlin');
    await expect.poll(() => page.locator('#compare-b option').allInnerTexts()).toContain('Porto');
    await page.getByLabel('with', { exact: true }).selectOption('Porto');
    await expect.poll(lead).toContain('Porto');
    await page.getByLabel('Group by').selectOption('host');
    await expect.poll(() => page.locator('[data-table=comparison] tbody tr').count()).toBeGreaterThan(3);
    const words = await lead();
    const link = page.url();
    await page.goto('about:blank');
    await page.goto(link);
    await ready();
    expect(await lead()).toBe(words);
    await page.goBack();
    await page.goForward();
    await ready();
    expect(await lead()).toBe(words);
  });

  it('compares browser versions, and scenarios by keyboard alone', async () => {
    await open('compare&what=browserVersion&a=chromium%20128&b=firefox%20128');
    expect(await lead()).toContain('Firefox 128');
    await page.getByLabel('Compare', { exact: true }).focus();
    await page.keyboard.type('Scen');
    await expect.poll(() => own('what')).toBe('scenario');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('compare-what');
    await expect.poll(() => page.locator('#compare-a option').count()).toBeGreaterThan(3);
    await page.locator('#compare-a').focus();
    await page.keyboard.type('HTTPS, r');
    await expect.poll(() => own('a')).toBe('https-reused');
    await expect.poll(() => page.locator('#compare-b option').count()).toBeGreaterThan(3);
    await page.locator('#compare-b').focus();
    await page.keyboard.type('HTTPS, e');
    await expect
      .poll(lead)
      .toMatch(
        /^“HTTPS, everything new” is \d+ ms slower than “HTTPS, reused connection” \(.* with 95 % certainty\)\.$/,
      );
  });

  it('keeps what was typed and the focus while the comparison is read again, and every choice made by keyboard', async () => {
    await open('compare&what=range');
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.getByLabel('Compare the range above with').selectOption('own');
    await expect.poll(focused).toBe('compare-from');
    await page.locator('#compare-from').fill('2026-01-02T03:04');
    const answered = page.waitForResponse(/\/api\/v1\/compare\?/);
    await page.evaluate(() => {
      const refresh = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Refresh');
      refresh?.click();
    });
    await answered;
    await ready();
    expect([await focused(), await page.locator('#compare-from').inputValue()]).toEqual([
      'compare-from',
      '2026-01-02T03:04',
    ]);
    await page.locator('#compare-to').fill('2026-01-01T00:00');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await expect.poll(() => page.locator('.compare-range .problem').innerText()).toMatch(/^The end must be after/);
    await page.locator('#compare-to').fill('2026-01-03T00:00');
    await page.keyboard.press('Enter');
    await expect.poll(() => own('beforeFrom')).not.toBeNull();
    expect(await page.locator('#compare-from').inputValue()).toBe('2026-01-02T03:04');
    await page.locator('#compare-time').focus();
    await page.keyboard.type('wait');
    await page.locator('#compare-by').focus();
    await page.keyboard.type('site');
    await expect.poll(() => [own('time'), own('by')]).toEqual(['wait', 'site']);
  });

  it('shows the classes of samples, hosts that hide their times, and the state of the browsers', async () => {
    await dashboard.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: collector.url });
    await open('evidence');
    expect(await lead()).toMatch(/^\d+ % of [\d,]+ samples can be timed\./);
    const ask = page.locator('.ask-host', { hasText: 'cdn.example.net' });
    await ask.getByRole('button', { name: /^Copy the header/ }).click();
    await expect.poll(() => ask.getByRole('button').innerText()).toBe('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'Timing-Allow-Origin: http://crm.example.com',
    );
    const tile = page.locator('.tile', { hasText: 'Degraded' });
    const clients = [...new Set(samples.map(({ origin }) => origin.client))];
    const degraded = clients.filter((client) => statusOf(client, 0)?.state === 'degraded').length;
    expect(await tile.locator('.tile-value').innerText()).toBe(String(degraded));
    expect(await row('losses', 'full').innerText()).toContain('never left the browser');
    expect(
      await page
        .locator('[data-table=browsers] tr', { has: page.getByRole('rowheader', { name: 'client-5', exact: true }) })
        .locator('.badge-warn')
        .innerText(),
    ).toBe('degraded');
    expect(await row('cache', 'script').innerText()).toMatch(/KB|MB/);
    expect(await row('versions', 'Firefox 128').innerText()).toContain('0.1.0');
    expect(await page.locator('[data-table=versions] .notes').textContent()).toContain('no clock had to be corrected');
    await open('evidence', collector.readToken);
    await page.locator('.tile', { hasText: 'Reporting' }).waitFor();
    expect(await page.locator('[data-table=browsers]').count()).toBe(0);
  });

  it('signs a user in while the token is valid, and out permanently', async () => {
    await page.goto(`${collector.url}/?view=evidence`);
    await page.getByLabel('Token').fill(collector.readToken);
    await page.keyboard.press('Enter');
    await ready();
    expect(await page.locator('#account').innerText()).toContain('Viewer');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    await page.reload();
    await page.getByLabel('Token').waitFor();
    const made = await asAdmin(collector, '/tokens', {
      method: 'POST',
      body: JSON.stringify({ role: 'read', label: 'short' }),
    });
    const { id, token } = (await made.json()) as { id: string; token: string };
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await ready();
    await asAdmin(collector, `/tokens/${id}`, { method: 'DELETE' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Your session has ended. Sign in again.').waitFor();
  });

  it('shows hostile names as text', async () => {
    await open('evidence');
    await row('browsers', HOSTILE).waitFor();
    await open(`compare&what=site&a=${encodeURIComponent(HOSTILE)}&b=Porto`);
    expect(await page.locator('main').innerText()).toContain(HOSTILE);
    await open('settings');
    await page.locator('.json > summary').click();
    await page
      .getByLabel('Settings as JSON')
      .fill(JSON.stringify({ version: 1, targets: [{ id: 'x', name: HOSTILE, match: [HOSTILE] }], [HOSTILE]: 1 }));
    await page.getByRole('button', { name: 'Apply to form' }).click();
    await page.locator('summary strong', { hasText: HOSTILE }).waitFor();
    await expect.poll(() => page.locator('.save-bar').innerText()).toMatch(/\d errors?/);
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
  });

  it('shows the code of an error in each view', async () => {
    await page.route(/api\/v1\/(probes|compare|evidence|settings)/, (route) =>
      route.fulfill({
        status: 503,
        json: { error: { code: 'busy', message: 'too many queries', hint: 'Wait a little.' } },
      }),
    );
    for (const view of ['probes', 'compare', 'evidence', 'settings']) {
      await page.goto('about:blank');
      await page.goto(`${collector.url}/?view=${view}#token=${collector.adminToken}`);
      await page.locator('.state').getByText('Too many queries.').waitFor();
      expect(await page.locator('.state').first().innerText()).toContain('Code busy');
    }
  });

  it.each(['probes&site=Porto', 'compare&what=site&a=Berlin&b=Porto', 'evidence&site=Porto&host=erp.example.com'])(
    'never scrolls sideways: %s',
    async (view) => {
      await open(view);
      for (const width of [320, 400, 1024, 3840]) {
        await page.setViewportSize({ width, height: 900 });
        const wide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        await expect.poll(wide, { message: `at ${width}` }).toBeLessThanOrEqual(0);
      }
    },
  );
});

function hostile(sample: StoredSample, index: number): StoredSample {
  const origin = { ...sample.origin, client: `hostile-${index % 8}-0`, site: HOSTILE };
  return { ...sample, origin };
}
