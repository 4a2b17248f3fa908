import { describe, expect, it } from 'vitest';
import { t } from '../../collector/dashboard/text/t.ts';
import { FEW_BROWSERS } from '../../shared/vocabulary/dimensions.ts';
import { useDashboard } from '../browser/use-dashboard.ts';
import { fleetSamples } from '../unit/dashboard/sample-fleet.ts';

const RARE = 'rare.example.com';

const dashboard = useDashboard(() => {
  const fleet = fleetSamples(Date.now()).filter(({ host }) => ['erp.example.com', 'crm.example.com'].includes(host));
  const [one] = fleet;
  const rare = fleet.filter(({ origin }) => origin.client === one?.origin.client);
  return { samples: [...fleet, ...rare.map((sample) => ({ ...sample, host: RARE }))] };
});

describe('a viewer', () => {
  async function open(query: string): Promise<void> {
    const { page, collector } = dashboard;
    await page.goto('about:blank');
    await page.goto(`${collector.url}/?${query}#token=${collector.readToken}`);
    await page.locator('.view-head, .state, .compare-form, table').first().waitFor({ state: 'attached' });
    await expect.poll(() => page.locator('[aria-busy=true], .bone').count()).toBe(0);
  }

  it('sees that data may not be shown, not that there are none', async () => {
    for (const query of [`view=host&page=${RARE}`, `view=evidence&host=${RARE}`, `view=compare&host=${RARE}`]) {
      await open(query);
      const state = await dashboard.page.locator('.state').innerText();
      expect([query, state]).toEqual([query, expect.stringContaining('Too few browsers')]);
      expect(state).toContain('directly or by subtraction');
    }
  });

  it('cannot filter by or open the group of few browsers, which is never the headline', async () => {
    const { page } = dashboard;
    await open('open=all');
    const row = page.locator('tr.row', { hasText: t.app.fewBrowsers }).first();
    await row.waitFor();
    expect(await row.locator('th a').count()).toBe(0);
    await page.locator('[data-add-filter]').click();
    await page.locator('[data-filter="host"]').click();
    await page.locator('.choice').first().waitFor();
    expect(await page.locator('.choices').innerText()).not.toContain(FEW_BROWSERS);
    await open('view=compare&what=host');
    await expect.poll(() => page.locator('#compare-a option').allInnerTexts()).toContain('erp.example.com');
    expect(await page.locator('#compare-a option').allInnerTexts()).not.toContain(FEW_BROWSERS);
  });

  it('reads in words why requests behind a bar are not shown', async () => {
    const { page } = dashboard;
    await open('page=erp.example.com&kind=all');
    await page.locator('[data-chart="Distribution"] .marks').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No request here may be shown. Groups of few browsers').waitFor();
    expect(await dialog.getByRole('button', { name: /Page view/ }).count()).toBe(0);
  });
});
