import type { Page } from 'puppeteer-core';

/** So that Firefox lets its driver open the pages of an extension. Only where they are wanted: it opens much more. */
export const ALLOW_EXTENSION_PAGES = '--remote-allow-system-access';

/** A page of an extension that isn't there yet may load for ever. */
const LOAD_MS = 10_000;
const LOOK_AGAIN_MS = 50;

/** Firefox tells its driver nothing of the loading of such a page, so the page itself is asked. */
export async function loadExtensionPage(page: Page, url: string): Promise<void> {
  let refused: unknown = null;
  page.goto(url, { timeout: LOAD_MS }).catch((error) => {
    refused = error;
  });
  const loaded = `location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`;
  const until = performance.now() + LOAD_MS;
  while ((await page.evaluate(loaded).catch(() => false)) !== true) {
    if (performance.now() > until) throw new Error(`${url} was not loaded.`, { cause: refused });
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
