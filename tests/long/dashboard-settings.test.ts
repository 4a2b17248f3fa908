import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asAdmin } from '../browser/as-admin.ts';
import type { DashboardCollector } from '../browser/dashboard-collector.ts';
import { useDashboard } from '../browser/use-dashboard.ts';
import { axeViolations } from '../browser/watched-page.ts';
import { PROBING_SETTINGS } from '../unit/dashboard/probing-fleet.ts';
import { fleetSamples } from '../unit/dashboard/sample-fleet.ts';

const HOSTILE = '<img src=x onerror="document.title=1">"\'&lt;';

const dashboard = useDashboard(() => ({ samples: fleetSamples(Date.now()), settings: PROBING_SETTINGS }));
let page: Page;
let collector: DashboardCollector;

beforeEach(() => {
  ({ page, collector } = dashboard);
});

afterEach(() => asAdmin(collector, '/settings', { method: 'PUT', body: JSON.stringify(PROBING_SETTINGS) }));

async function open(token = collector.adminToken): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${collector.url}/?view=settings#token=${token}`);
  await page.getByRole('heading', { name: 'Apps' }).waitFor();
  await expect.poll(() => page.locator('[aria-busy=true], .bone').count()).toBe(0);
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const problemOf = (id: string) => page.locator(`#setting-${id}-problem`).innerText();

async function save(): Promise<string> {
  await press('Review and save');
  const dialog = page.getByRole('dialog');
  const diff = await dialog.locator('.diff').innerText();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  return diff;
}

async function stored(): Promise<unknown> {
  return (await asAdmin(collector, '/settings', {})).json();
}

describe('the settings', () => {
  it('validates a field once it is left, shows the differences, saves and undoes', async () => {
    await open();
    await page.locator('[data-item=CRM] > summary').click();
    const pages = page.locator('#setting-targets-1-match');
    await pages.fill('http://crm.example.com/*\n*://*/*');
    expect(await pages.getAttribute('aria-invalid')).toBe(null);
    await pages.blur();
    await expect
      .poll(() => page.locator('#setting-targets-1-match-problem').innerText())
      .toContain('name the host of the app');
    expect(await pages.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('setting-targets-1-match');
    await pages.fill('http://crm.example.com/*\nhttp://old.example.com/*');
    await expect.poll(() => page.locator('#setting-targets-1-match-problem').innerText()).toBe('');
    await page.locator('[data-item=CRM]').getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('Path', { exact: true }).fill('/health/**');
    await page.getByLabel('Individual samples').fill('14');
    expect(await page.locator('.unsaved').count()).toBe(2);
    await page.getByRole('button', { name: 'Review and save' }).click();
    const dialog = page.getByRole('dialog');
    await expect
      .poll(() => dialog.locator('.diff li').allInnerTexts())
      .toEqual([
        expect.stringContaining('http://old.example.com/*'),
        expect.stringContaining('/health/**'),
        expect.stringContaining('14'),
      ]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const bar = page.locator('.save-bar');
    await expect.poll(() => bar.innerText()).toMatch(/^Saved\. Apps, Retention and privacy, .* revision 2/);
    expect(await bar.innerText()).toContain('Package now');
    expect(await page.locator('.unsaved').count()).toBe(0);
    expect(await stored()).toMatchObject({ retention: { sampleDays: 14 } });
    await page.getByRole('button', { name: 'Changes in revision 2' }).click();
    await page.getByRole('button', { name: 'Undo this change' }).click();
    await page.getByRole('heading', { name: 'Save these changes?' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Changes in revision 3' }).waitFor();
    expect(await stored()).toEqual(PROBING_SETTINGS);
  });

  it('shows a concurrent change by another user, and keeps both', async () => {
    await open();
    await page.locator('[data-item=ERP] > summary').click();
    await page.getByLabel('Name').first().fill('ERP of all');
    const theirs = { ...PROBING_SETTINGS, delivery: { intervalSeconds: 30 } };
    expect((await asAdmin(collector, '/settings', { method: 'PUT', body: JSON.stringify(theirs) })).status).toBe(200);
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'The settings have changed in the meantime' }).waitFor();
    expect(await page.locator('.diff').innerText()).toContain('intervalSeconds');
    await page.getByRole('button', { name: 'Apply my changes on top' }).click();
    await page.getByText('These are your changes to the latest settings.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({
      delivery: { intervalSeconds: 30 },
      targets: [{ name: 'ERP of all' }, {}, {}],
    });
    await asAdmin(collector, '/settings', { method: 'PUT', body: JSON.stringify(PROBING_SETTINGS) });
  });

  it('creates a key that is shown once, and revokes it after confirmation', async () => {
    await open();
    await page.getByLabel('Label', { exact: true }).fill(HOSTILE);
    await page.getByRole('button', { name: 'Create key' }).click();
    const token = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(token).toMatch(/^lb_ingest_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const line = page.locator('.keys tbody tr', { hasText: HOSTILE });
    await line.waitFor();
    expect(await page.content()).not.toContain(token);
    await line.getByRole('button').click();
    await page.getByRole('dialog').getByText('can no longer send').waitFor();
    await page.keyboard.press('Escape');
    await line.getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expect.poll(() => line.count()).toBe(0);
    const polled = await fetch(`${collector.url}/api/v1/extension-settings`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(polled.status).toBe(401);
  });

  it('is read-only for viewers', async () => {
    await open(collector.readToken);
    await page.locator('[data-item=ERP] > summary').click();
    expect(await page.getByLabel('Name').first().isDisabled()).toBe(true);
    for (const name of ['Add an app', 'Add a rule', 'Create key', 'Remove ERP', 'Set up alerts', 'Set up reports']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    expect(await page.getByRole('heading', { name: 'Keys' }).count()).toBe(0);
  });

  it('sets up a webhook and an alert, validated field by field, and sends a test once saved', async () => {
    const got: unknown[] = [];
    const hook = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        got.push(JSON.parse(body));
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/in`;
    await open();
    await press('Set up alerts');
    await press('Add a webhook');
    await page.locator('#setting-alerts-webhooks-0-name').fill('Chat');
    await page.locator('#setting-alerts-webhooks-0-url').fill('ftp://chat.example.com');
    await page.keyboard.press('Tab');
    await expect.poll(() => problemOf('alerts-webhooks-0-url')).toContain('begins with https://');
    await page.locator('#setting-alerts-webhooks-0-url').fill(address);
    await press('Add an alert');
    await page.locator('#setting-alerts-rules-0-name').fill('Slow ERP');
    await page.getByText('Connections and sensitivity').click();
    await page.getByLabel('Fires after').fill('9');
    await page.keyboard.press('Tab');
    await expect.poll(() => problemOf('alerts-rules-0-breaches')).toContain('9 of 5 is impossible');
    await page.getByLabel('Fires after').fill('');
    await page.getByLabel('Watches').selectOption('availability');
    expect(await page.getByLabel('Alert when the').count()).toBe(0);
    await page.getByLabel('Watches').selectOption('time');
    await page.getByLabel('is above').fill('750');
    const test = page.locator('.action-line', { hasText: 'Send test' });
    await test.getByRole('button').click();
    await test.getByText('Save it first').waitFor();
    expect(got).toEqual([]);
    expect(await save()).toContain('alerts');
    expect(await stored()).toMatchObject({
      alerts: { webhooks: [{ id: 'chat', url: address }], rules: [{ id: 'slow-erp', aboveMs: 750 }] },
    });
    await page.getByRole('row', { name: /^Slow ERP not evaluated yet/ }).waitFor();
    await test.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await test.getByText('Delivered: status 204.').waitFor();
    expect(got).toEqual([expect.objectContaining({ status: 'test' })]);
    await new Promise((resolve) => {
      hook.close(resolve);
      hook.closeAllConnections();
    });
    await test.getByRole('button').click();
    await test.getByText(/^Not delivered: .*ECONNREFUSED/).waitFor();
  });

  it('keeps secrets outside: it stores where an address is, not the address', async () => {
    await open();
    await press('Set up alerts');
    await press('Add a webhook');
    await page.getByLabel('Address source').selectOption('env');
    await page.getByLabel('Variable name').fill('CHAT_URL');
    await page.keyboard.press('Tab');
    await expect.poll(() => problemOf('alerts-webhooks-0-urlFrom-env')).toContain('LASTBYTE_SECRET_CHAT_URL');
    await page.getByLabel('Variable name').fill('LASTBYTE_SECRET_CHAT');
    await page.getByLabel('Bearer token source').selectOption('file');
    await page.getByLabel('File name').fill('chat');
    await save();
    expect(await stored()).toMatchObject({
      alerts: { webhooks: [{ urlFrom: { env: 'LASTBYTE_SECRET_CHAT' }, bearerFrom: { file: 'chat' } }] },
    });
  });

  it('sets up a report, generates it now, and lists the result', async () => {
    await open();
    await press('Set up reports');
    await press('Add a report');
    await page.locator('#setting-reports-schedule-0-name').fill('Month');
    await page.getByLabel('Schedule', { exact: true }).fill('61 * * * *');
    await page.keyboard.press('Tab');
    await expect.poll(() => problemOf('reports-schedule-0-cron')).toContain('cannot be read');
    await page.getByLabel('Schedule', { exact: true }).fill('0 6 1 * *');
    await page.getByLabel('Folder').fill('');
    await press('Review and save');
    await expect.poll(() => page.locator('.save-bar').innerText()).toContain('Choose where the report goes');
    await page.getByLabel('Folder').fill('board');
    await page.getByLabel('JSON', { exact: true }).check();
    await page.getByLabel('Mail to').fill('board@example.com');
    await page.keyboard.press('Tab');
    await expect.poll(() => problemOf('reports-schedule-0-mailTo')).toContain('no mail server');
    await page.getByLabel('Mail to').fill('');
    expect(await save()).toContain('board');
    await page.locator('summary', { hasText: 'monthly, at 0 6 1 * * UTC, folder board' }).waitFor();
    const line = page.locator('.action-line', { hasText: 'Generate now' });
    await line.getByRole('button').click();
    await line.getByText(/^Delivered \(folder\): month-monthly-.*\.json$/).waitFor();
    await page.getByRole('row', { name: /^Month .* done 1 folder month-monthly-/ }).waitFor();
    await page.getByText(/Month is next due at/).waitFor();
  });

  it('is accessible with every form open, and never scrolls sideways', async () => {
    await open();
    for (const name of [
      'Set up alerts',
      'Add a webhook',
      'Add an alert',
      'Set up reports',
      'Add a report',
      'Set up mail',
    ]) {
      await press(name);
    }
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('details')) one.open = true;
    });
    await page.getByLabel('Individual samples').fill('5');
    await press('Review and save');
    await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBeGreaterThan(1);
    // Elements that fade in have less contrast until they are opaque.
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    expect(await axeViolations(page)).toEqual([]);
    for (const width of [320, 400, 1024, 3840]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await expect.poll(wide, { message: `at ${width}` }).toBeLessThanOrEqual(0);
    }
  });

  it('keeps unsaved changes while other views are open, and asks before signing out', async () => {
    await open();
    await page.getByLabel('Individual samples').fill('7');
    // What the next view has to say follows at once.
    const news = await page.locator('#news').evaluateHandle((element) => {
      const said: string[] = [];
      new MutationObserver(() => said.push(element.textContent ?? '')).observe(element, {
        subtree: true,
        childList: true,
        characterData: true,
      });
      return said;
    });
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await expect.poll(() => news.jsonValue()).toContainEqual(expect.stringContaining('Unsaved changes are kept'));
    expect(await page.locator('html').getAttribute('data-unsaved')).toBe('');
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await expect.poll(() => page.getByLabel('Individual samples').inputValue()).toBe('7');
    const asked: string[] = [];
    const answer = (sure: boolean) =>
      page.once('dialog', (dialog) => {
        asked.push(dialog.message());
        return sure ? dialog.accept() : dialog.dismiss();
      });
    answer(false);
    await press('Sign out');
    expect(await page.getByLabel('Individual samples').inputValue()).toBe('7');
    answer(true);
    await press('Sign out');
    await page.locator('#token').fill(collector.adminToken);
    await press('Sign in');
    await expect.poll(() => page.getByLabel('Individual samples').inputValue()).toBe('');
    expect(await page.locator('html').getAttribute('data-unsaved')).toBe(null);
    expect(asked).toEqual([expect.stringContaining('not saved'), expect.stringContaining('not saved')]);
  });

  it('warns above every view that the clock may be wrong, until that is resolved', async () => {
    let expected: string | null = '2026-03-01T00:00:00.000Z';
    await page.route('**/api/v1/clock', (route) =>
      route.fulfill({ json: { now: '2027-04-05T00:00:00.000Z', expected } }),
    );
    await open();
    const banner = page.locator('.banner');
    expect(await banner.innerText()).toContain('lastbyte clock confirm');
    expect(await axeViolations(page, '.banner')).toEqual([]);
    expected = null;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await banner.waitFor({ state: 'detached' });
    await page.unroute('**/api/v1/clock');
  });
});
