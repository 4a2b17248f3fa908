import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';

/** Long enough for a panel that reads every sample on a slow machine, ms. */
const PATIENCE = 120_000;

/** Milliseconds from the navigation until a condition of the page holds and was painted. The page's own clock. */
export async function timeNavigation(context: BrowserContext, url: string, when: string): Promise<number> {
  const page = await context.newPage();
  try {
    await page.goto(url, { waitUntil: 'commit' });
    return await page.evaluate(painted, { when, from: 0, patience: PATIENCE });
  } finally {
    await page.close();
  }
}

/** The same from a click on the page on. */
export async function timeClick(page: Page, click: string, when: string): Promise<number> {
  const from = await page.evaluate((selector) => {
    const target = document.querySelector<HTMLElement>(selector);
    if (target === null) throw new Error(`Nothing to click: ${selector}`);
    const at = performance.now();
    target.click();
    return at;
  }, click);
  return page.evaluate(painted, { when, from, patience: PATIENCE });
}

/** The same from a key on the page on. */
export async function timeKey(page: Page, where: string, key: string, when: string): Promise<number> {
  const from = await page.evaluate(
    ([selector = '', pressed = '']) => {
      const target = document.querySelector(selector);
      if (target === null) throw new Error(`No place for a key: ${selector}`);
      const at = performance.now();
      target.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }));
      return at;
    },
    [where, key],
  );
  return page.evaluate(painted, { when, from, patience: PATIENCE });
}

/** Runs in the page: resolves with the milliseconds since `from` at the first frame in which `when` is true. */
function painted({ when, from, patience }: { when: string; from: number; patience: number }): Promise<number> {
  const [selector = '', absent = ''] = when.split(' && not ');
  return new Promise((resolve, reject) => {
    const look = () => {
      const now = performance.now();
      const there = document.querySelector(selector) !== null;
      if (there && (absent === '' || document.querySelector(absent) === null)) {
        requestAnimationFrame(() => resolve(performance.now() - from));
      } else if (now - from > patience) reject(new Error(`${when} did not come`));
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** How long a first visit takes, and the bytes of all scripts that it loads, gzipped. */
export async function firstVisit(
  context: BrowserContext,
  url: string,
  when: string,
): Promise<{ readonly firstVisitMs: number; readonly jsGzipBytes: number }> {
  const page = await context.newPage();
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) bodies.push(response.body());
  });
  await page.goto(url, { waitUntil: 'commit' });
  const firstVisitMs = await page.evaluate(painted, { when, from: 0, patience: PATIENCE });
  // Charts may come after the table.
  await page.locator('.picture svg').first().waitFor();
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
  await page.close();
  return { firstVisitMs, jsGzipBytes: sizes.reduce((sum, size) => sum + size, 0) };
}
