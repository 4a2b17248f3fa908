import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A page that records foreign requests, content security policy violations and errors. */
export interface WatchedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Closes the page, and fails if anything was recorded. */
  close(): Promise<void>;
}

/** A state comes when it comes, on a busy machine too; what never comes is named before the test's own time is up. */
const PATIENCE_MS = 120_000;

export async function openWatched(browser: Browser, origin: string, width = 1440): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, acceptDownloads: true });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const noticed: string[] = [];
  page.on('request', (request) => {
    // Data and blob URLs are the page's own images and files.
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${origin}/`)) {
      noticed.push(`request to ${request.url()}`);
    }
  });
  page.on('pageerror', (error) => noticed.push(String(error)));
  await page.exposeFunction('noteViolation', (text: string) => noticed.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const note = (globalThis as unknown as { noteViolation(text: string): void }).noteViolation;
      note(`${event.violatedDirective} ${event.sourceFile}:${event.lineNumber} ${event.blockedURI}`);
    });
  });
  return {
    context,
    page,
    async close() {
      await context.close();
      expect(noticed).toEqual([]);
    },
  };
}

/** Rows after these have the same markup and colours, and axe needs milliseconds for each cell. */
const REPEATED_ROWS = 'tbody tr:nth-child(n+9)';

/** Violations found by axe-core in light and dark mode: `rule: selector`. @param part only what this selector matches */
export async function axeViolations(page: Page, part = 'html'): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // A dimmed page is about to be replaced.
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    // Dark mode differs only in colours.
    const axe = new AxeBuilder({ page })
      .include(part)
      .exclude(REPEATED_ROWS)
      .options({ resultTypes: ['violations'] });
    const { violations } = await (colorScheme === 'light' ? axe : axe.withRules(['color-contrast'])).analyze();
    found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${colorScheme} ${id}: ${target}`)));
  }
  return found;
}
