import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { aggregateSamples } from '../../collector/analysis/summary/aggregate-samples.ts';
import { summarizeCell } from '../../collector/analysis/summary/summarize-cell.ts';
import type { SummaryCell } from '../../collector/analysis/summary/summary-document.ts';
import { formatMs } from '../../collector/dashboard/text/format.ts';
import { t } from '../../collector/dashboard/text/t.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import type { DashboardCollector } from '../browser/dashboard-collector.ts';
import { useDashboard } from '../browser/use-dashboard.ts';
import { axeViolations } from '../browser/watched-page.ts';
import { fleetSamples } from '../unit/dashboard/sample-fleet.ts';

const HOSTILE = '<img src=x onerror="document.title=1">"\'&lt;';

/** On a host's page: average, phases, timeline, distribution, gap, connections, scenarios; this fleet has no pauses. */
const ALL_CHARTS = 7;

/** Ingest rejects markup in a host name, so the test replaces this host by HOSTILE in the responses. */
const HOSTILE_HOST = 'hostile.example.com';

let cells: readonly SummaryCell[];

const dashboard = useDashboard(() => {
  const fleet = fleetSamples(Date.now());
  const samples = [...fleet, ...fleet.slice(0, 40).map(hostile)];
  cells = aggregateSamples(samples, ['target', 'host', 'type']).map(summarizeCell);
  return { samples };
});

describe('the dashboard in Chromium', () => {
  let page: Page;
  let collector: DashboardCollector;

  beforeEach(() => {
    ({ page, collector } = dashboard);
  });

  /** Signs in with the link that the demo prints, and waits for the table and the first chart. */
  async function signIn(path = '/?open=all'): Promise<void> {
    await page.goto(`${collector.url}${path}#token=${collector.adminToken}`);
    await page.locator('.overview .row:not(.group-row)').first().waitFor();
  }

  const row = (host: string, type: string) =>
    page
      .locator('.overview .row:not(.group-row)')
      .filter({ has: page.getByRole('link', { name: host, exact: true }) })
      .filter({ has: page.getByRole('cell', { name: t.types[type] ?? type, exact: true }) });

  it('requires a token, and explains why one is rejected', async () => {
    await page.goto(collector.url);
    await page.getByLabel('Token').fill('lb_read_wrong');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#token-problem').textContent()).toContain('The token is unknown.');
    await page.getByLabel('Token').fill(collector.ingestToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => page.locator('#token-problem').textContent()).toContain('ingest key');
    await page.getByLabel('Token').fill(collector.readToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.overview .group-row').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    await page.reload();
    await page.getByLabel('Token').waitFor();
  });

  it('removes the token from the address and the history', async () => {
    await page.goto('about:blank');
    await signIn('/?open=all&range=7d');
    expect(page.url()).toBe(`${collector.url}/?open=all&range=7d`);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await page.reload();
    await page.locator('.overview .row:not(.group-row)').first().waitFor();
  });

  it('shows the ingested numbers, median beside average', async () => {
    await signIn();
    await expect.poll(() => page.locator('.overview .row:not(.group-row)').count()).toBe(cells.length);
    for (const cell of cells.filter(({ host }) => host === 'erp.example.com' || host === 'legacy.example.com')) {
      const shown = await row(cell.host ?? '', cell.type ?? '')
        .locator('.value')
        .allTextContents();
      const { ttlb, blocked, dns, tcp, tls, wait, receive } = cell.phases;
      const { perConnection, perRequest } = cell.setup;
      const times = [ttlb, perConnection, perRequest, blocked, dns, tcp, tls, wait, receive];
      expect(shown).toEqual(times.flatMap((time) => [formatMs(time?.median ?? NaN), formatMs(time?.mean ?? NaN)]));
    }
  });

  it('reads hosts and types only once an app is opened, and says why if they cannot be read', async () => {
    const ofRows = (url: URL) => url.searchParams.get('by') === 'target,host,type' && !url.searchParams.has('top');
    let read = 0;
    let broken = true;
    await page.route(ofRows, async (route) => {
      read += 1;
      if (broken)
        await route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'Rows are broken.' } } });
      else await route.continue();
    });
    await page.goto(`${collector.url}/#token=${collector.adminToken}`);
    const apps = page.locator('.overview .group-row');
    await expect.poll(() => apps.count()).toBeGreaterThan(1);
    await expect.poll(() => page.locator('#status').textContent()).toMatch(/^Updated/);
    expect(read).toBe(0);
    const members = page.locator('.overview .row:not(.group-row)');
    expect(await members.count()).toBe(0);

    const toggle = apps.first().getByRole('button');
    await toggle.click();
    const pending = page.locator('.pending-row');
    await expect.poll(() => pending.textContent()).toContain('internal');
    // A copy does not lose the rows silently either.
    const csv = page.getByRole('button', { name: 'Download table overview as CSV' });
    await csv.click();
    await expect.poll(() => page.locator('.tools [role=alert]').textContent()).toContain('Rows are broken.');

    broken = false;
    await pending.getByRole('button', { name: 'Try again' }).click();
    await members.first().waitFor();
    expect(await pending.count()).toBe(0);
    const before = read;
    await toggle.click();
    await expect.poll(() => members.count()).toBe(0);
    await toggle.click();
    await members.first().waitFor();
    expect(read).toBe(before);
    const [saved] = await Promise.all([page.waitForEvent('download'), csv.click()]);
    const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(1 + (await apps.count()) + cells.length);
  });

  it('annotates the trend by keyboard', async () => {
    await page.goto(`${collector.url}/?range=7d#token=${collector.adminToken}`);
    const trend = page.locator('[data-chart="Trend"]');
    const annotate = trend.getByRole('button', { name: 'Annotate' });
    await annotate.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What happened').fill('Release 4.2');
    expect(await axeViolations(page, 'dialog')).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await trend.getByText('1 annotation').waitFor();
    expect(await trend.locator('svg').textContent()).toContain('Release 4.2');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Annotate');
  });

  it('shows unknown values as a dash with a reason, never as 0', async () => {
    await signIn();
    const dash = row('crm.example.com', 'document').locator('.pair-unknown .unknown').first();
    expect(await dash.textContent()).toContain('unknown: plain HTTP has no TLS');
    await expect
      .poll(async () => {
        await page.mouse.move(0, 0);
        await dash.hover();
        return page.evaluate(() => document.querySelector('.tip:popover-open')?.textContent);
      })
      .toContain('plain HTTP has no TLS');
  });

  it('sorts by click and exposes the order', async () => {
    await signIn();
    const header = page.locator('th.column-ttlb-mean');
    await header.getByRole('button').click();
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    const means = async () =>
      (await page.locator('.group-row td.total.second').allInnerTexts()).map((text) => Number(text.replace(',', '')));
    const descending = await means();
    expect(descending).toEqual([...descending].sort((a, b) => b - a));
    await header.getByRole('button').click();
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    const ascending = await means();
    expect(ascending).toEqual([...ascending].sort((a, b) => a - b));
    expect(new URL(page.url()).searchParams.get('sort')).toBe('ttlb.mean');
  });

  it('filters, navigates back and forward, and opens a link as the same view', async () => {
    await signIn();
    await page.locator('[data-add-filter]').click();
    await page.locator('[data-filter=type]').click();
    await page.getByRole('checkbox', { name: /^font/ }).check();
    const fonts = cells.filter(({ type }) => type === 'font').length;
    await expect.poll(() => page.locator('.overview .row:not(.group-row)').count()).toBe(fonts);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'erp.example.com', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'erp.example.com' }).waitFor();
    expect(new URL(page.url()).search).toBe('?page=erp.example.com&kind=font&type=font');
    const link = page.url();
    await page.goBack();
    await expect.poll(() => page.locator('.overview .row:not(.group-row)').count()).toBe(fonts);
    await page.goBack();
    await expect.poll(() => page.locator('.overview .row:not(.group-row)').count()).toBe(cells.length);
    await page.goForward();
    await expect.poll(() => page.locator('.overview .row:not(.group-row)').count()).toBe(fonts);
    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: 'erp.example.com' }).waitFor();
    expect(await page.locator('.overview .row:not(.group-row)').count()).toBe(1);
  });

  it('draws each chart of a host beside a table with the same numbers', async () => {
    await signIn('/?page=erp.example.com&kind=document');
    await expect.poll(() => page.locator('.picture svg').count()).toBe(ALL_CHARTS);
    const cell = cells.find(({ host, type }) => host === 'erp.example.com' && type === 'document');
    const picture = page.getByRole('img', { name: /^Average \d+ ms, median/ });
    expect(await picture.getAttribute('aria-label')).toContain(`median ${formatMs(cell?.phases.ttlb?.median ?? 0)} ms`);
    expect(await picture.textContent()).toContain(`${formatMs(cell?.phases.ttlb?.mean ?? 0)} ms`);
    await page.getByText('Show as table').nth(1).click();
    const wait = page.locator('.numbers').nth(1).getByRole('row', { name: /^Wait/ });
    expect(await wait.textContent()).toContain(formatMs(cell?.phases.wait?.mean ?? 0));
  });

  it('works by keyboard alone', async () => {
    await page.goto(`${collector.url}/?open=all`);
    await page.locator('#token').waitFor();
    await page.keyboard.type(collector.readToken);
    await page.keyboard.press('Enter');
    await page.locator('.overview .row:not(.group-row)').first().waitFor();
    const focused = (wanted: Locator) => wanted.evaluate((element) => element === document.activeElement);
    const press = async (wanted: Locator, key = 'Tab') => {
      for (let i = 0; i < 80; i++) {
        await page.keyboard.press(key);
        if (await focused(wanted)) return;
      }
      throw new Error(`${wanted} cannot be reached`);
    };
    const add = page.locator('[data-add-filter]');
    await press(add, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await press(page.locator('[data-filter=type]'));
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: /^data requests/ }).waitFor();
    await page.keyboard.press('Space');
    await expect.poll(() => new URL(page.url()).searchParams.getAll('type')).toEqual(['fetch']);
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(add)).toBe(true);
    const byWait = page.locator('th.column-wait-median').getByRole('button');
    await press(byWait);
    await page.keyboard.press('Enter');
    expect(await focused(byWait)).toBe(true);
    await press(page.getByRole('button', { name: 'Explain legacy.example.com data requests' }));
    await page.keyboard.press('Enter');
    await page.locator('.detail').getByText('Evidence').waitFor();
    await press(row('legacy.example.com', 'fetch').getByRole('link'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'legacy.example.com' }).waitFor();
  });

  it('keeps the focus while groups, rows and filters come and go', async () => {
    await signIn();
    await page.goto(`${collector.url}/?group=type`);
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: element } = document;
        return element?.closest<HTMLElement>('[data-row]')?.dataset.row ?? (element?.id || element?.textContent);
      });
    // By the keyboard alone: from the top to the table, past the filters.
    await page.getByRole('link', { name: 'Skip to table' }).focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('rows');
    await page.getByRole('button', { name: 'Rows of documents' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.member').first().waitFor();
    expect(await focused()).toBe('document');
    await page.getByLabel('Group by').focus();
    await page.keyboard.press('Home');
    await expect.poll(() => page.locator('[data-group=erp]').count()).toBe(1);
    expect(await focused()).toBe('group');
    await page.goto(`${collector.url}/?open=all&site=Berlin&not.type=image`);
    await page.getByRole('button', { name: 'Remove filter Site: Berlin' }).focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => new URL(page.url()).searchParams.has('site')).toBe(false);
    await expect.poll(focused).toContain('Type is not images');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toContain('Add filter');
  });

  it('shows hostile names as text', async () => {
    // Every response that contains a host and every request for one.
    await page.route(/\/api\/v1\/(summary|histogram|timeline|compare|report|tls)\?/, async (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.get('host') === HOSTILE) url.searchParams.set('host', HOSTILE_HOST);
      // The page may be closed before the last response.
      const response = await route.fetch({ url: url.href }).catch(() => null);
      if (response === null) return;
      const body = (await response.text().catch(() => '')).replaceAll(
        HOSTILE_HOST,
        JSON.stringify(HOSTILE).slice(1, -1),
      );
      await route.fulfill({ response, body }).catch(() => {});
    });
    await signIn();
    await page.getByRole('link', { name: HOSTILE, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: HOSTILE, exact: true }).waitFor();
    await expect.poll(() => page.locator('.picture svg').count()).toBe(ALL_CHARTS);
    await page.locator('[data-add-filter]').click();
    await page.locator('[data-filter=site]').click();
    await page.locator('.choice-word').getByText(HOSTILE, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe(`${HOSTILE} · Lastbyte`);
  });

  it('keeps the last view and shows its age while the collector is down', async () => {
    await signIn();
    await page.route('**/api/v1/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('The page shows the data from then.').waitFor();
    expect(await page.locator('.outage').textContent()).toMatch(
      /^The collector hasn’t answered since \d+:\d\d( [AP]M)?\./,
    );
    await expect.poll(() => page.locator('.overview .row:not(.group-row)').count()).toBe(cells.length);
    await page.unroute('**/api/v1/**');
    await page.getByRole('button', { name: 'Retry now' }).click();
    await expect.poll(() => page.locator('.outage').count()).toBe(0);
    await page.locator('[data-freshness=fresh]').waitFor();
  });

  it('shows the code of an error', async () => {
    await page.route('**/api/v1/summary*', (route) =>
      route.fulfill({
        status: 503,
        json: { error: { code: 'busy', message: 'too many queries', hint: 'Wait a little.' } },
      }),
    );
    await page.goto(`${collector.url}/#token=${collector.adminToken}`);
    await page.locator('.state').getByText('Too many queries.').waitFor();
    expect(await page.locator('.state').textContent()).toContain('Code busy · status 503');
  });

  it('suggests what to do if nothing matches', async () => {
    await signIn();
    await page.goto(`${collector.url}/?open=all&type=beacon`);
    await page.getByRole('button', { name: 'Clear filters' }).first().waitFor();
    await page.locator('.state').getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('.overview .row:not(.group-row)').first().waitFor();
  });

  it('says that a range is empty, without the first steps of an empty collector', async () => {
    await signIn();
    const end = new Date(Date.now() - 400 * 86_400_000);
    const start = new Date(end.getTime() - 86_400_000);
    await page.goto(`${collector.url}/?from=${start.toISOString()}&to=${end.toISOString()}`);
    await page.locator('.state').getByText('Nothing measured in this range').waitFor();
    expect(await page.locator('.state').textContent()).toContain('No browser has sent a sample in');
    expect(await page.locator('.start-steps').count()).toBe(0);
  });

  it.each([320, 400, 1440, 3840])('never scrolls sideways at %i px', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ['/?open=all', '/?page=erp.example.com']) {
      await signIn(path);
      await page.locator('.picture svg').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
    }
  });
});

/** As hostile as ingest allows; it rejects such host names, see the test. */
function hostile(sample: StoredSample): StoredSample {
  const origin = { ...sample.origin, client: `hostile-${sample.origin.client}`, site: HOSTILE };
  return { ...sample, host: HOSTILE_HOST, origin };
}
