import type { Page } from 'puppeteer-core';

/** Lets the driver open an extension's pages in Firefox. Use it only where needed: it permits much more. */
export const ALLOW_EXTENSION_PAGES = '--remote-allow-system-access';

/** The page of an extension that isn't installed yet may load forever. */
const LOAD_MS = 10_000;
const POLL_MS = 50;

/** Firefox does not report the load event of such a page to its driver, so this polls the page itself. */
export async function loadExtensionPage(page: Page, url: string): Promise<void> {
  let failure: unknown = null;
  page.goto(url, { timeout: LOAD_MS }).catch((error) => {
    failure = error;
  });
  const loaded = `location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`;
  const until = performance.now() + LOAD_MS;
  while ((await page.evaluate(loaded).catch(() => false)) !== true) {
    if (performance.now() > until) throw new Error(`${url} was not loaded.`, { cause: failure });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
