import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../../collector/analysis/text/language.ts';
import { VIEWS } from '../../collector/dashboard/app/views.ts';
import { useDashboard } from '../browser/use-dashboard.ts';
import { axeViolations } from '../browser/watched-page.ts';
import { PROBING_SETTINGS, probeSamples, statusOf } from '../unit/dashboard/probing-fleet.ts';
import { fleetSamples } from '../unit/dashboard/sample-fleet.ts';

const DAY = 24 * 3_600_000;
const LEAST_PX = 12;
/** Words that no German text has. */
const ENGLISH_WORD = /\b(?:the|and|of|with|from|this|is|are|not|no|by|to|than|yet)\b/;

const dashboard = useDashboard(() => {
  const now = Date.now();
  const samples = [...fleetSamples(now - DAY, 20 * 3_600_000, 8), ...fleetSamples(now), ...probeSamples(now)];
  return { samples, settings: PROBING_SETTINGS, status: (client) => statusOf(client, now) };
});

/** Every view as its query; the host view needs a host, and comparisons with groups have more to show. */
const QUERIES = VIEWS.flatMap(({ name }) => {
  if (name === 'host') return ['page=erp.example.com&type=document', 'page=erp.example.com'];
  if (name === 'compare') return ['view=compare&by=host', 'view=compare&what=site&a=Porto&b=Berlin'];
  if (name === 'overview') return ['view=overview&open=all'];
  return [`view=${name}`];
});

/** German, whose words are longer, is also searched for English ones. */
describe.each(LANGUAGES)('every view in %s', (language) => {
  it.each(QUERIES)('%s has no axe-core violation, no small print and one language', async (query) => {
    const { page } = dashboard;
    await open(page, query, language);
    expect(await axeViolations(page)).toEqual([]);
    const texts = await textsOf(page);
    expect(texts.length).toBeGreaterThan(80);
    expect(texts.filter(({ px }) => px !== null && px < LEAST_PX)).toEqual([]);
    if (language === 'de') {
      const english = texts.map(({ text }) => text).filter((text) => ENGLISH_WORD.test(text));
      expect([...new Set(english)]).toEqual([]);
    }
  });
});

async function open(page: Page, query: string, language: Language): Promise<void> {
  const { collector } = dashboard;
  await page.goto(`${collector.url}/?${query}&lang=${language}#token=${collector.adminToken}`);
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await expect.poll(() => page.locator('[aria-busy=true], .bone').count(), { timeout: 20_000 }).toBe(0);
  expect(await page.locator('html').getAttribute('lang')).toBe(language);
}

interface ShownText {
  readonly text: string;
  /** Font size on the screen, of texts in tables and charts only. */
  readonly px: number | null;
}

/** Texts and labels of the page as a reader meets them, hidden ones too; code and texts in a language of their own are left out. */
function textsOf(page: Page): Promise<ShownText[]> {
  return page.evaluate(() => {
    const shown: { text: string; px: number | null }[] = [];
    const leftOut = 'code, pre, [lang]:not(html), script, style, input, textarea';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const element = node.parentElement;
      if (text === '' || element === null || element.closest(leftOut) !== null) continue;
      const sized = element.closest('table, .picture, svg') !== null && element.closest('.spoken') === null;
      shown.push({ text, px: sized ? Number.parseFloat(getComputedStyle(element).fontSize) : null });
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'data-tip']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        if (element.closest('code, [lang]:not(html)') === null) {
          shown.push({ text: element.getAttribute(name) ?? '', px: null });
        }
      }
    }
    return shown;
  });
}
